/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool family, written once on the vector of vector.h and compiled once per level: each pool_<level>.c includes
 * this file and calls fill().
 */
#include "kernels/pool.h"
#include "kernels/vector.h"

#define GROUP 16
#define VECS (GROUP / VEC_LANES)

VEC_INLINE vec max_or_nan(vec a, vec b)
{
    return vec_select(vec_is_nan(a), a, vec_max(a, b));
}

/* Loops over windows, with `a` the value so far and `b` the next one. The number of rows or taps is a constant in
 * callers for the usual windows, so that the inner loop unrolls. */
#define WINDOW(rows_name, pixels_name, expression)                                                                     \
    VEC_INLINE void rows_name##_of(float *y, const float *const *row, const size_t rows, size_t n)                     \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (; n - i >= VEC_LANES; i += VEC_LANES) {                                                                   \
            vec a = vec_load(row[0] + i);                                                                              \
            for (size_t r = 1; r < rows; r++) {                                                                        \
                vec b = vec_load(row[r] + i);                                                                          \
                a = expression;                                                                                        \
            }                                                                                                          \
            vec_store(y + i, a);                                                                                       \
        }                                                                                                              \
        if (i < n) {                                                                                                   \
            vec a = vec_load_part(row[0] + i, n - i);                                                                  \
            for (size_t r = 1; r < rows; r++) {                                                                        \
                vec b = vec_load_part(row[r] + i, n - i);                                                              \
                a = expression;                                                                                        \
            }                                                                                                          \
            vec_store_part(y + i, a, n - i);                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static void rows_name(float *y, const float *const *row, size_t rows, size_t n)                                    \
    {                                                                                                                  \
        if (rows == 2) {                                                                                               \
            const float *const two[] = {row[0], row[1]};                                                               \
            rows_name##_of(y, two, 2, n);                                                                              \
        } else if (rows == 3) {                                                                                        \
            const float *const three[] = {row[0], row[1], row[2]};                                                     \
            rows_name##_of(y, three, 3, n);                                                                            \
        } else if (rows == 5) {                                                                                        \
            const float *const five[] = {row[0], row[1], row[2], row[3], row[4]};                                      \
            rows_name##_of(y, five, 5, n);                                                                             \
        } else {                                                                                                       \
            rows_name##_of(y, row, rows, n);                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    VEC_INLINE void pixels_name##_of(float *y, const float *x, size_t pixels, size_t step, const size_t taps,          \
                                     size_t dilation)                                                                  \
    {                                                                                                                  \
        for (size_t p = 0; p < pixels; p++, y += GROUP, x += step * GROUP) {                                           \
            vec value[VECS];                                                                                           \
            VEC_UNROLL for (int v = 0; v < VECS; v++) value[v] = vec_load(x + v * VEC_LANES);                          \
            const float *tap = x;                                                                                      \
            for (size_t t = 1; t < taps; t++) {                                                                        \
                tap += dilation * GROUP;                                                                               \
                VEC_UNROLL for (int v = 0; v < VECS; v++)                                                              \
                {                                                                                                      \
                    vec a = value[v], b = vec_load(tap + v * VEC_LANES);                                               \
                    value[v] = expression;                                                                             \
                }                                                                                                      \
            }                                                                                                          \
            VEC_UNROLL for (int v = 0; v < VECS; v++) vec_store(y + v * VEC_LANES, value[v]);                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void pixels_name(float *y, const float *x, size_t pixels, size_t step, size_t taps, size_t dilation)        \
    {                                                                                                                  \
        if (taps == 2)                                                                                                 \
            pixels_name##_of(y, x, pixels, step, 2, dilation);                                                         \
        else if (taps == 3)                                                                                            \
            pixels_name##_of(y, x, pixels, step, 3, dilation);                                                         \
        else if (taps == 5)                                                                                            \
            pixels_name##_of(y, x, pixels, step, 5, dilation);                                                         \
        else                                                                                                           \
            pixels_name##_of(y, x, pixels, step, taps, dilation);                                                      \
    }

WINDOW(f32_max_rows, f32_max_pixels, max_or_nan(a, b))
WINDOW(f32_sum_rows, f32_sum_pixels, vec_add(a, b))

enum { WINDOW_MOST = 3 };

/* Maxima of windows of constant size. A column is the maximum of `rows` points; windows share taps - step of them.
 * False where an input may be NaN, known from sums, so that maxima need not look for NaN one by one. */
VEC_INLINE bool max_window_of(float *y, const float *const *row, const int rows, size_t pixels, const int step,
                              const int taps)
{
    vec column[WINDOW_MOST][VECS], sum[WINDOW_MOST][VECS];
    VEC_UNROLL for (int r = 0; r < rows; r++)
    {
        VEC_UNROLL for (int v = 0; v < VECS; v++) sum[r][v] = vec_set1(0.0f);
    }
    for (size_t p = 0; p < pixels; p++) {
        VEC_UNROLL for (int v = 0; v < VECS; v++)
        {
            VEC_UNROLL for (int t = 0; t < taps; t++)
            {
                if (t + step < taps && p > 0) {
                    column[t][v] = column[t + step][v];
                    continue;
                }
                const size_t at = (p * (size_t)step + (size_t)t) * GROUP + (size_t)v * VEC_LANES;
                VEC_UNROLL for (int r = 0; r < rows; r++)
                {
                    const vec x = vec_load(row[r] + at);
                    sum[r][v] = vec_add(sum[r][v], x);
                    column[t][v] = r ? vec_max(column[t][v], x) : x;
                }
            }
            vec value = column[0][v];
            VEC_UNROLL for (int t = 1; t < taps; t++) value = vec_max(value, column[t][v]);
            vec_store(y + p * GROUP + v * VEC_LANES, value);
        }
    }
    vec all = vec_set1(0.0f);
    VEC_UNROLL for (int r = 0; r < rows; r++)
    {
        VEC_UNROLL for (int v = 0; v < VECS; v++) all = vec_add(all, sum[r][v]);
    }
    float lane[VEC_LANES];
    vec_store(lane, all);
    bool clean = true;
    for (int l = 0; l < VEC_LANES; l++) clean = clean && lane[l] == lane[l];
    return clean;
}

static void f32_max_window(float *y, const float *const *row, size_t rows, size_t pixels, size_t step, size_t taps)
{
    if (rows == 3 && taps == 3 && step <= 2) {
        const float *const three[] = {row[0], row[1], row[2]};
        if (step == 1 ? max_window_of(y, three, 3, pixels, 1, 3) : max_window_of(y, three, 3, pixels, 2, 3)) return;
    }
    for (size_t p = 0; p < pixels; p++, y += GROUP) {
        VEC_UNROLL for (int v = 0; v < VECS; v++)
        {
            vec value = vec_set1(0.0f);
            for (size_t t = 0; t < taps; t++) {
                const size_t at = (p * step + t) * GROUP + (size_t)v * VEC_LANES;
                vec column = vec_load(row[0] + at);
                for (size_t r = 1; r < rows; r++) column = max_or_nan(column, vec_load(row[r] + at));
                value = t ? max_or_nan(value, column) : column;
            }
            vec_store(y + v * VEC_LANES, value);
        }
    }
}

/* Plain C with a constant step, which compilers turn into vectors of the level. */
VEC_INLINE void max_tap_of(float *restrict best, int32_t *restrict index, const float *restrict x, size_t n,
                           const size_t step, int32_t first)
{
    for (size_t i = 0; i < n; i++) {
        const float value = x[i * step];
        const bool take = value > best[i] || value != value;
        best[i] = take ? value : best[i];
        index[i] = take ? first + (int32_t)(i * step) : index[i];
    }
}

static void f32_max_tap(float *best, int32_t *index, const float *x, size_t n, size_t step, int32_t first)
{
    if (step == 1)
        max_tap_of(best, index, x, n, 1, first);
    else if (step == 2)
        max_tap_of(best, index, x, n, 2, first);
    else
        max_tap_of(best, index, x, n, step, first);
}

static void f32_blend_rows(float *y, const float *const *row, const float *weight, size_t rows, size_t n)
{
    size_t i = 0;
    for (; n - i >= VEC_LANES; i += VEC_LANES) {
        vec sum = vec_mul(vec_set1(weight[0]), vec_load(row[0] + i));
        for (size_t r = 1; r < rows; r++) sum = vec_fma(vec_set1(weight[r]), vec_load(row[r] + i), sum);
        vec_store(y + i, sum);
    }
    if (i < n) {
        vec sum = vec_mul(vec_set1(weight[0]), vec_load_part(row[0] + i, n - i));
        for (size_t r = 1; r < rows; r++) sum = vec_fma(vec_set1(weight[r]), vec_load_part(row[r] + i, n - i), sum);
        vec_store_part(y + i, sum, n - i);
    }
}

static void f32_gather_pixels(float *y, const float *x, const int32_t *index, size_t pixels)
{
    for (size_t p = 0; p < pixels; p++, y += GROUP) {
        const float *from = x + (ptrdiff_t)index[p] * GROUP;
        VEC_UNROLL for (int v = 0; v < VECS; v++) vec_store(y + v * VEC_LANES, vec_load(from + v * VEC_LANES));
    }
}

static void f32_blend_pixels(float *y, const float *x, const int32_t *index, const float *weight, size_t taps,
                             size_t pixels)
{
    for (size_t p = 0; p < pixels; p++, y += GROUP, index += taps, weight += taps) {
        vec sum[VECS];
        const float *from = x + (ptrdiff_t)index[0] * GROUP;
        vec w = vec_set1(weight[0]);
        VEC_UNROLL for (int v = 0; v < VECS; v++) sum[v] = vec_mul(w, vec_load(from + v * VEC_LANES));
        for (size_t t = 1; t < taps; t++) {
            from = x + (ptrdiff_t)index[t] * GROUP;
            w = vec_set1(weight[t]);
            VEC_UNROLL for (int v = 0; v < VECS; v++) sum[v] = vec_fma(w, vec_load(from + v * VEC_LANES), sum[v]);
        }
        VEC_UNROLL for (int v = 0; v < VECS; v++) vec_store(y + v * VEC_LANES, sum[v]);
    }
}

static void fill(jm_pool_kernels *kernels)
{
    *kernels = (jm_pool_kernels){
        .max_rows = f32_max_rows,
        .sum_rows = f32_sum_rows,
        .max_pixels = f32_max_pixels,
        .sum_pixels = f32_sum_pixels,
        .max_window = f32_max_window,
        .max_tap = f32_max_tap,
        .blend_rows = f32_blend_rows,
        .gather_pixels = f32_gather_pixels,
        .blend_pixels = f32_blend_pixels,
    };
}
