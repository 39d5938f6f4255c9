/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the pooling and resize kernels. They work on float32 rows in memory, without alignment demands, and read
 * and write exactly the elements named here. A pixel is one group of 16 lanes of a C16 row. Windows are separable:
 * first rows, then pixels. Outputs never overlap inputs.
 *
 * Same bits at every level: taps are combined in ascending order, starting from the first one. MAX propagates NaN.
 */
#ifndef JUMAR_KERNELS_POOL_H
#define JUMAR_KERNELS_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct jm_pool_kernels {
    /* y[i] = row[0][i] OP row[1][i] OP ...; rows >= 1 rows of n elements. */
    void (*max_rows)(float *y, const float *const *row, size_t rows, size_t n);
    void (*sum_rows)(float *y, const float *const *row, size_t rows, size_t n);
    /* Pixel p of y = pixel p*step of x OP pixel p*step + dilation OP ...; taps >= 1 pixels each. */
    void (*max_pixels)(float *y, const float *x, size_t pixels, size_t step, size_t taps, size_t dilation);
    void (*sum_pixels)(float *y, const float *x, size_t pixels, size_t step, size_t taps, size_t dilation);
    /* max_rows and then max_pixels with dilation 1 in one: the same bits, without the row between them. */
    void (*max_window)(float *y, const float *const *row, size_t rows, size_t pixels, size_t step, size_t taps);
    /* One tap of n windows side by side: where x[i * step] is larger than best[i], or NaN, it becomes best[i], and
     * first + i * step becomes index[i]. */
    void (*max_tap)(float *best, int32_t *index, const float *x, size_t n, size_t step, int32_t first);
    /* y[i] = weight[0] * row[0][i], then fma(weight[k], row[k][i], y[i]) for the other rows. */
    void (*blend_rows)(float *y, const float *const *row, const float *weight, size_t rows, size_t n);
    /* Pixel p of y = pixel index[p] of x. */
    void (*gather_pixels)(float *y, const float *x, const int32_t *index, size_t pixels);
    /* Pixel p of y = weight[p*taps] * pixel index[p*taps] of x, then fma for taps 1 .. taps-1. */
    void (*blend_pixels)(float *y, const float *x, const int32_t *index, const float *weight, size_t taps,
                         size_t pixels);
} jm_pool_kernels;

/* Fill the table, or the entries that a level improves. Defined in pool_<level>.c. */
void jm_pool_kernels_init__reference(jm_pool_kernels *kernels);
void jm_pool_kernels_init__neon(jm_pool_kernels *kernels);
void jm_pool_kernels_init__avx2(jm_pool_kernels *kernels);
void jm_pool_kernels_init__avx512(jm_pool_kernels *kernels);

#endif
