/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of thin.h on the vectors of one level.
 */
#include "kernels/gemm.h"
#include "kernels/thin.h"
#include "kernels/vector.h"

enum {
    GROUP = 8,   /* terms between two accesses to the sums of by_columns */
    LINE = 16,   /* floats of a line of the cache */
    AHEAD = 256, /* terms after which by_terms wants a line */
};

/* ---- Columns next to each other: rows of B pass over sums in the first cache, GROUP at a time ---- */

/* `terms` terms of `vectors` vectors of columns, n columns in each; begins or ends a segment where `first` or `last`.
 */
VEC_INLINE void add_rows(const jm_thin_product *p, const float *a, const float *b, size_t j, size_t n,
                         const size_t rows, const size_t vectors, size_t terms, bool first, bool last)
{
    vec sum[JM_THIN_ROWS][2];
    VEC_UNROLL for (size_t r = 0; r < rows; r++)
    {
        VEC_UNROLL for (size_t v = 0; v < vectors; v++)
        {
            sum[r][v] = first ? vec_set1(0) : vec_load_some(p->sum + r * p->y_row + j + v * VEC_LANES, n);
        }
    }
    VEC_UNROLL_8 for (size_t k = 0; k < terms; k++)
    {
        vec x[2];
        VEC_UNROLL for (size_t v = 0; v < vectors; v++) x[v] =
            vec_load_some(b + (ptrdiff_t)k * p->b_step + j + v * VEC_LANES, n);
        VEC_UNROLL for (size_t r = 0; r < rows; r++)
        {
            const vec scale = vec_set1(a[k * rows + r]);
            VEC_UNROLL for (size_t v = 0; v < vectors; v++) sum[r][v] = vec_fma(scale, x[v], sum[r][v]);
        }
    }
    VEC_UNROLL for (size_t r = 0; r < rows; r++)
    {
        VEC_UNROLL for (size_t v = 0; v < vectors; v++)
        {
            float *to = (last ? p->y : p->sum) + r * p->y_row + j + v * VEC_LANES;
            vec_store_some(to, last ? vec_add(vec_load_some(to, n), sum[r][v]) : sum[r][v], n);
        }
    }
}

VEC_INLINE void add_group(const jm_thin_product *p, const float *a, const float *b, const size_t rows, size_t terms,
                          bool first, bool last)
{
    size_t j = 0;
    for (; p->columns - j >= 2 * VEC_LANES; j += 2 * VEC_LANES)
        add_rows(p, a, b, j, VEC_LANES, rows, 2, terms, first, last);
    for (; p->columns - j >= VEC_LANES; j += VEC_LANES) add_rows(p, a, b, j, VEC_LANES, rows, 1, terms, first, last);
    if (j < p->columns) add_rows(p, a, b, j, p->columns - j, rows, 1, terms, first, last);
}

VEC_INLINE void by_columns_of(const jm_thin_product *p, const size_t rows)
{
    const float *a = p->a, *b = p->b;
    size_t terms;
    for (size_t k = 0; k < p->depth; k += terms, a += terms * rows, b += (ptrdiff_t)terms * p->b_step) {
        const size_t begin = k % JM_GEMM_SEGMENT, left = p->depth - k;
        terms = left < GROUP ? left : GROUP;
        const bool first = begin == 0, last = begin + terms == JM_GEMM_SEGMENT || terms == left;
        if (terms < GROUP)
            add_group(p, a, b, rows, terms, first, last);
        else
            add_group(p, a, b, rows, GROUP, first, last);
    }
}

/* ---- Terms next to each other: VEC_LANES columns at a time, transposed in registers ---- */

/* The columns that the lanes of a vector hold; lanes behind the last column repeat it. */
typedef struct lanes {
    const float *column[VEC_LANES];
} lanes;

/* Adds one term, whose elements of B are x. */
VEC_INLINE void add_term(const float *a, vec x, const size_t rows, vec *sum)
{
    VEC_UNROLL for (size_t r = 0; r < rows; r++) sum[r] = vec_fma(vec_set1(a[r]), x, sum[r]);
}

/* Adds terms k .. k + VEC_LANES - 1 of a segment. */
VEC_INLINE void add_square(const lanes *b, const float *a, size_t k, const size_t rows, vec *sum)
{
    vec x[VEC_LANES];
    vec_load_columns(b->column, k, x);
    /* Hardware does not follow so many streams. The squares of a line ask for some columns each. */
    const size_t columns = VEC_LANES * VEC_LANES / LINE, first = k % LINE / VEC_LANES * columns;
    VEC_UNROLL for (size_t j = 0; j < columns; j++) __builtin_prefetch(b->column[first + j] + k + AHEAD);
    VEC_UNROLL for (size_t i = 0; i < VEC_LANES; i++) add_term(a + (k + i) * rows, x[i], rows, sum);
}

/* The same for fewer terms. */
VEC_INLINE void add_rest(const lanes *b, const float *a, size_t k, const size_t rows, size_t terms, vec *sum)
{
    for (size_t i = 0; i < terms; i++) {
        float x[VEC_LANES];
        for (size_t j = 0; j < VEC_LANES; j++) x[j] = b->column[j][k + i];
        add_term(a + (k + i) * rows, vec_load(x), rows, sum);
    }
}

VEC_INLINE void add_segment(const lanes *b, const float *a, size_t k, size_t end, const size_t rows, vec *sum)
{
    for (; end - k >= VEC_LANES; k += VEC_LANES) add_square(b, a, k, rows, sum);
    add_rest(b, a, k, rows, end - k, sum);
}

VEC_INLINE void by_terms_of(const jm_thin_product *p, const size_t rows)
{
    for (size_t j = 0; j < p->columns; j += VEC_LANES) {
        const size_t n = p->columns - j < VEC_LANES ? p->columns - j : VEC_LANES;
        lanes b;
        for (size_t i = 0; i < VEC_LANES; i++) b.column[i] = p->b + (ptrdiff_t)(j + (i < n ? i : n - 1)) * p->b_step;
        vec y[JM_THIN_ROWS];
        VEC_UNROLL for (size_t r = 0; r < rows; r++) y[r] = vec_load_some(p->y + r * p->y_row + j, n);
        size_t k = 0;
        /* One chain of additions cannot keep the multipliers busy: two segments side by side. */
        for (; rows == 1 && p->depth - k >= 2 * JM_GEMM_SEGMENT; k += 2 * JM_GEMM_SEGMENT) {
            vec one = vec_set1(0), two = vec_set1(0);
            for (size_t i = 0; i < JM_GEMM_SEGMENT; i += VEC_LANES) {
                add_square(&b, p->a, k + i, 1, &one);
                add_square(&b, p->a, k + i + JM_GEMM_SEGMENT, 1, &two);
            }
            y[0] = vec_add(vec_add(y[0], one), two);
        }
        for (; k < p->depth; k += JM_GEMM_SEGMENT) {
            vec sum[JM_THIN_ROWS];
            VEC_UNROLL for (size_t r = 0; r < rows; r++) sum[r] = vec_set1(0);
            const size_t end = p->depth - k < JM_GEMM_SEGMENT ? p->depth : k + JM_GEMM_SEGMENT;
            add_segment(&b, p->a, k, end, rows, sum);
            VEC_UNROLL for (size_t r = 0; r < rows; r++) y[r] = vec_add(y[r], sum[r]);
        }
        VEC_UNROLL for (size_t r = 0; r < rows; r++) vec_store_some(p->y + r * p->y_row + j, y[r], n);
    }
}

#define BY_ROWS(name)                                                                                                  \
    static void name(const jm_thin_product *p)                                                                         \
    {                                                                                                                  \
        switch (p->rows) {                                                                                             \
        case 1:                                                                                                        \
            name##_of(p, 1);                                                                                           \
            break;                                                                                                     \
        case 2:                                                                                                        \
            name##_of(p, 2);                                                                                           \
            break;                                                                                                     \
        case 3:                                                                                                        \
            name##_of(p, 3);                                                                                           \
            break;                                                                                                     \
        case JM_THIN_ROWS:                                                                                             \
            name##_of(p, JM_THIN_ROWS);                                                                                \
            break;                                                                                                     \
        }                                                                                                              \
    }
BY_ROWS(by_columns)
BY_ROWS(by_terms)

static void fill(jm_thin_kernels *kernels)
{
    *kernels = (jm_thin_kernels){.by_columns = by_columns, .by_terms = by_terms};
}
