/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/indexing.h"

enum { LANES = 8, MOST_SWEEPS = 64 };

/* ---- Elements ---- */

int64_t jm_dense_offset(const jm_tensor *tensor, int64_t batch, int tail)
{
    int64_t offset = 0;
    for (int k = tensor->shape.rank - tail - 1; k >= 0; k--) {
        offset += batch % tensor->shape.dim[k] * jm_byte_stride(tensor, k);
        batch /= tensor->shape.dim[k];
    }
    return offset;
}

void jm_dense_read(const jm_tensor *tensor, const void *base, double *a)
{
    const int row = tensor->shape.rank - 2, column = row + 1;
    const int64_t rows = tensor->shape.dim[row], columns = tensor->shape.dim[column];
    for (int64_t c = 0; c < columns; c++)
        for (int64_t r = 0; r < rows; r++)
            *a++ = jm_element_to_f64(tensor->dtype, (const char *)base + r * jm_byte_stride(tensor, row) +
                                                        c * jm_byte_stride(tensor, column));
}

void jm_dense_write(const jm_tensor *tensor, void *base, const double *a)
{
    const int row = tensor->shape.rank - 2, column = row + 1;
    const int64_t rows = tensor->shape.dim[row], columns = tensor->shape.dim[column];
    for (int64_t c = 0; c < columns; c++)
        for (int64_t r = 0; r < rows; r++)
            jm_element_from_f64(tensor->dtype, *a++,
                                (char *)base + r * jm_byte_stride(tensor, row) + c * jm_byte_stride(tensor, column));
}

bool jm_dense_finite(const double *a, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(a[i])) return false;
    return true;
}

double jm_dense_dot(const double *x, const double *y, int64_t count)
{
    double sum[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int l = 0; l < LANES; l++) sum[l] += x[i + l] * y[i + l];
    for (int l = 0; i < count; i++, l++) sum[l] += x[i] * y[i];
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

double jm_dense_norm(const double *x, int64_t count)
{
    double largest = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    if (largest == 0) return 0;
    /* A power of two, so that scaling does not round. */
    int exponent;
    frexp(largest, &exponent);
    if (exponent > -400 && exponent < 400) return sqrt(jm_dense_dot(x, x, count));
    for (int64_t i = 0; i < count; i++) {
        const double scaled = ldexp(x[i], -exponent);
        sum += scaled * scaled;
    }
    return ldexp(sqrt(sum), exponent);
}

/* y += factor * x. */
static void add_scaled(double *y, double factor, const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++) y[i] += factor * x[i];
}

/* ---- Householder ---- */

/* Reflects C = (I - tau h h^T) C, where h is 1 and then `below`. */
static void reflect(const double *below, double tau, double *c, int64_t rows, int64_t columns, int64_t stride)
{
    for (int64_t j = 0; j < columns && tau != 0; j++, c += stride) {
        const double factor = tau * (c[0] + jm_dense_dot(below, c + 1, rows - 1));
        c[0] -= factor;
        add_scaled(c + 1, -factor, below, rows - 1);
    }
}

void jm_dense_qr(double *a, int64_t rows, int64_t columns, double *tau)
{
    const int64_t count = JM_MIN(rows, columns);
    for (int64_t k = 0; k < count; k++) {
        double *x = a + k * rows + k;
        const double below = jm_dense_norm(x + 1, rows - k - 1);
        tau[k] = 0;
        if (below == 0) continue;
        const double two[2] = {x[0], below}, diagonal = -copysign(jm_dense_norm(two, 2), x[0]);
        tau[k] = (diagonal - x[0]) / diagonal;
        const double pivot = x[0] - diagonal;
        for (int64_t r = 1; r < rows - k; r++) x[r] /= pivot;
        x[0] = diagonal;
        reflect(x + 1, tau[k], x + rows, rows - k, columns - k - 1, rows);
    }
}

void jm_dense_apply_q(const double *a, const double *tau, int64_t rows, int64_t reflections, double *c, int64_t columns)
{
    for (int64_t k = reflections - 1; k >= 0; k--)
        reflect(a + k * rows + k + 1, tau[k], c + k, rows - k, columns, rows);
}

/* ---- Jacobi ---- */

/* Turns columns x and y so that they become orthogonal; v likewise. Returns whether they were not, beyond the rounding
 * of their product. */
static bool rotate(double *x, double *y, double *v, double *w, int64_t n)
{
    const double tolerance = (4 + sqrt((double)n)) * DBL_EPSILON;
    const double a = jm_dense_dot(x, x, n), b = jm_dense_dot(y, y, n), c = jm_dense_dot(x, y, n);
    if (fabs(c) <= tolerance * sqrt(a) * sqrt(b) || c == 0) return false;
    const double zeta = (b - a) / (2 * c);
    const double t = copysign(1, zeta) / (fabs(zeta) + (fabs(zeta) < 0x1p500 ? sqrt(1 + zeta * zeta) : fabs(zeta)));
    const double cosine = 1 / sqrt(1 + t * t), sine = cosine * t;
    for (int64_t i = 0; i < n; i++) {
        const double p = x[i], q = y[i], r = v[i], s = w[i];
        x[i] = cosine * p - sine * q;
        y[i] = sine * p + cosine * q;
        v[i] = cosine * r - sine * s;
        w[i] = sine * r + cosine * s;
    }
    return true;
}

static void swap_columns(double *a, int64_t n, int64_t i, int64_t j)
{
    for (int64_t r = 0; r < n; r++) {
        const double keep = a[i * n + r];
        a[i * n + r] = a[j * n + r];
        a[j * n + r] = keep;
    }
}

/* Singular values in descending order, columns of a and v along with them. */
static void sort_columns(double *a, int64_t n, double *sigma, double *v)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < n; j++)
            if (sigma[j] > sigma[best]) best = j;
        if (best == i) continue;
        const double keep = sigma[i];
        sigma[i] = sigma[best];
        sigma[best] = keep;
        swap_columns(a, n, i, best);
        swap_columns(v, n, i, best);
    }
}

/* Column k becomes a unit vector orthogonal to those in front of it: the axis with most left of it. */
static void complete_column(double *a, int64_t n, int64_t k)
{
    double *x = a + k * n;
    int64_t axis = 0;
    double least = INFINITY;
    for (int64_t r = 0; r < n; r++) {
        double taken = 0;
        for (int64_t c = 0; c < k; c++) taken += a[c * n + r] * a[c * n + r];
        if (taken < least) least = taken, axis = r;
    }
    memset(x, 0, (size_t)n * sizeof(*x));
    x[axis] = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t c = 0; c < k; c++) add_scaled(x, -jm_dense_dot(a + c * n, x, n), a + c * n, n);
    const double norm = jm_dense_norm(x, n);
    for (int64_t r = 0; r < n; r++) x[r] /= norm;
}

/* Scales so that squares neither overflow nor vanish, by a power of two; returns its exponent. */
static int normalise(double *a, int64_t count)
{
    double largest = 0;
    int exponent = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    if (largest > 0) frexp(largest, &exponent);
    for (int64_t i = 0; i < count; i++) a[i] = ldexp(a[i], -exponent);
    return exponent;
}

void jm_dense_svd(double *a, int64_t n, double *sigma, double *v)
{
    const int exponent = normalise(a, n * n);
    memset(v, 0, (size_t)(n * n) * sizeof(*v));
    for (int64_t i = 0; i < n; i++) v[i * n + i] = 1;
    bool turned = true; /* ten sweeps are many; the limit only bounds the time */
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = false;
        for (int64_t i = 0; i + 1 < n; i++)
            for (int64_t j = i + 1; j < n; j++)
                if (rotate(a + i * n, a + j * n, v + i * n, v + j * n, n)) turned = true;
    }
    for (int64_t i = 0; i < n; i++) sigma[i] = jm_dense_norm(a + i * n, n);
    sort_columns(a, n, sigma, v);
    /* What is below the rounding of the largest has no direction of its own. */
    const double floor_ = n ? sigma[0] * DBL_EPSILON * DBL_EPSILON : 0;
    for (int64_t i = 0; i < n; i++) {
        if (sigma[i] <= floor_) {
            complete_column(a, n, i);
        } else {
            for (int64_t r = 0; r < n; r++) a[i * n + r] /= sigma[i];
        }
        sigma[i] = ldexp(sigma[i], exponent);
    }
}

/* ---- Elimination ---- */

bool jm_dense_lu(double *a, int64_t n, int64_t *place, bool *odd)
{
    *odd = false;
    for (int64_t k = 0; k < n; k++) place[k] = k;
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t r = k + 1; r < n; r++)
            if (fabs(a[k * n + r]) > fabs(a[k * n + pivot])) pivot = r;
        if (a[k * n + pivot] == 0) return false;
        *odd = *odd != (pivot != k);
        for (int64_t c = 0; pivot != k && c < n; c++) {
            const double keep = a[c * n + k];
            a[c * n + k] = a[c * n + pivot];
            a[c * n + pivot] = keep;
        }
        const int64_t keep = place[k];
        place[k] = place[pivot];
        place[pivot] = keep;
        for (int64_t r = k + 1; r < n; r++) a[k * n + r] /= a[k * n + k];
        for (int64_t c = k + 1; c < n; c++) add_scaled(a + c * n + k + 1, -a[c * n + k], a + k * n + k + 1, n - k - 1);
    }
    return true;
}
