/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the depthwise convolution kernels, f32: one row of output points of 16 lanes, every lane by itself.
 *
 *   output(p, j) = start(j) + sum over taps t of input[p * input_pixel + offset(t) + j] * weight[index(t) * 16 + j]
 *
 * fused, in order; taps outside an image are not among them.
 *
 * Alignment: `weight` and `start` lie at multiples of 64 bytes, the others at multiples of 4. Kernels read and write
 * only the elements named above. Counts of taps and pixels may be 0. Outputs do not overlap inputs. NaN and infinities
 * follow IEEE 754; the sign and payload of a NaN are unspecified.
 */
#ifndef JUMAR_KERNELS_DEPTHWISE_H
#define JUMAR_KERNELS_DEPTHWISE_H

#include <stddef.h>
#include <stdint.h>

/* Distances are in elements. */
typedef struct jm_depthwise_row {
    const float *input;
    ptrdiff_t input_pixel;
    const ptrdiff_t *offset; /* [taps] */
    const uint32_t *index;   /* [taps] rows of weight */
    size_t taps;
    const float *weight; /* [][16] */
    const float *start;  /* [16] */
    float *output;       /* [pixels][16] */
    size_t pixels;       /* any number */
} jm_depthwise_row;

typedef struct jm_depthwise_kernels {
    void (*row)(const jm_depthwise_row *row);
} jm_depthwise_kernels;

/* Fill the table, or the entries that a level improves. Defined in depthwise_<level>.c. */
void jm_depthwise_kernels_init__reference(jm_depthwise_kernels *kernels);
void jm_depthwise_kernels_init__avx2(jm_depthwise_kernels *kernels);
void jm_depthwise_kernels_init__avx512(jm_depthwise_kernels *kernels);

#endif
