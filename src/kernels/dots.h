/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the kernel of many dot products of long rows, f32: every row of A with every row of B, 16 partial sums of
 * each. Where convolutions have few channels and filters, these are the gradients of their weights.
 *
 *   sum[row[i].sum + j * sum_row + l] += chain(i, j, l)        for i < rows, j < b_rows, l < 16
 *   chain(i, j, l): a[row[i].a + k] * b[j * b_row + k] for k = l, l + 16, ..., fused multiply-adds from 0
 *
 * with k below the next multiple of 16 from n on, and 0 * 0 where k >= n. The caller ends with the tree of
 * jm_reduce_tree over the 16 sums, and keeps rows short enough for the accuracy it wants.
 *
 * Alignment: none beyond that of floats. Kernels read and write only the elements named above. Counts may be 0. Sums do
 * not overlap inputs. NaN and infinities follow IEEE 754; the sign and payload of a NaN are unspecified.
 */
#ifndef JUMAR_KERNELS_DOTS_H
#define JUMAR_KERNELS_DOTS_H

#include <stddef.h>
#include <stdint.h>

/* A row of A and its sums. Distances are in elements. */
typedef struct jm_dot_row {
    ptrdiff_t a, sum;
} jm_dot_row;

typedef struct jm_dot_rows {
    const float *a, *b;
    const jm_dot_row *row;
    size_t rows, b_rows;
    ptrdiff_t b_row, sum_row;
    size_t n;
    float *sum;
} jm_dot_rows;

typedef struct jm_dots_kernels {
    void (*rows)(const jm_dot_rows *rows);
} jm_dots_kernels;

/* Fill the table, or the entries that a level improves. Defined in dots_<level>.c. */
void jm_dots_kernels_init__reference(jm_dots_kernels *kernels);
void jm_dots_kernels_init__neon(jm_dots_kernels *kernels);
void jm_dots_kernels_init__avx2(jm_dots_kernels *kernels);
void jm_dots_kernels_init__avx512(jm_dots_kernels *kernels);

#endif
