/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the kernels of matrix products of few rows, f32, which read B once and where it lies.
 *
 *   y(r, j) = y(r, j) + sum over k < depth of a(k, r) * b(k, j)    for r < rows, j < columns
 *
 * in the segments of gemm.h: products have the same bits with either family.
 *
 * No alignment. Kernels read and write only the elements named here. There may be no columns; depth is at least 1.
 * Outputs do not overlap inputs. NaN and infinities follow IEEE 754; the sign and payload of a NaN are unspecified.
 */
#ifndef JUMAR_KERNELS_THIN_H
#define JUMAR_KERNELS_THIN_H

#include <stddef.h>

enum { JM_THIN_ROWS = 4 }; /* most rows */

/* Distances are in elements. */
typedef struct jm_thin_product {
    const float *a; /* [depth][rows] */
    const float *b;
    ptrdiff_t b_step;
    float *y;   /* [rows][y_row] */
    float *sum; /* by_terms does not use it; scratch of by_columns, as large as y */
    size_t y_row;
    size_t rows, depth, columns;
} jm_thin_product;

typedef struct jm_thin_kernels {
    /* Columns lie next to each other: b(k, j) = b[k * b_step + j]. */
    void (*by_columns)(const jm_thin_product *product);
    /* Terms lie next to each other: b(k, j) = b[j * b_step + k]. */
    void (*by_terms)(const jm_thin_product *product);
} jm_thin_kernels;

/* Fill the table, or the entries that a level improves. Defined in thin_<level>.c. */
void jm_thin_kernels_init__reference(jm_thin_kernels *kernels);
void jm_thin_kernels_init__neon(jm_thin_kernels *kernels);
void jm_thin_kernels_init__avx2(jm_thin_kernels *kernels);
void jm_thin_kernels_init__avx512(jm_thin_kernels *kernels);

#endif
