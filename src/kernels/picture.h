/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the picture kernels: rows of 8-bit pixels become rows of planes and of float32, scaled or not. Rows need
 * no alignment; exactly the elements named here are read and written. Outputs never overlap inputs, but for `mix`,
 * which works in place.
 *
 * Same bits at every level: integers, and one float32 operation after the other without fused ones.
 */
#ifndef JUMAR_KERNELS_PICTURE_H
#define JUMAR_KERNELS_PICTURE_H

#include <stddef.h>
#include <stdint.h>

typedef struct jm_picture_kernels {
    /* plane[c][i] = pixel[3 i + c]. */
    void (*split3)(const uint8_t *pixel, size_t n, uint8_t *const plane[3]);
    /* plane[c][i] = pixel[4 i + c]. */
    void (*split4)(const uint8_t *pixel, size_t n, uint8_t *const plane[4]);
    /* plane k = min(max(((m[3k] (p0 - in[0]) + m[3k+1] (p1 - in[1]) + m[3k+2] (p2 - in[2])) >> 8) + out[k], 0), 255)
     * with an arithmetic shift, for the three planes at once. m fits 16 bits, in and out 0 .. 255: sums fit 26 bits. */
    void (*mix)(uint8_t *const plane[3], size_t n, const int32_t m[9], const int32_t in[3], const int32_t out[3]);
    /* y[i] = ((float)(p[i] - mean) - low) * scale; mean is 0 .. 255. */
    void (*normalise)(const uint8_t *p, size_t n, int32_t mean, float low, float scale, float *y);
    /* Bilinear scaling, down: y[i] = upper[i] (2048 - weight) + lower[i] weight; weight is 0 .. 2048. */
    void (*blend)(const uint8_t *upper, const uint8_t *lower, size_t n, int32_t weight, int32_t *y);
    /* Bilinear scaling, across, of one channel of pixels of three: with a = at[i], w = weight[i] (0 .. 2048) and the
     * pixel b = (row[a] (2048 - w) + row[a + 3] w + 2^21) >> 22, y[i] = ((float)b - mean) / deviation. row is of
     * `blend`, and row advanced by c gives channel c. */
    void (*spread)(const int32_t *row, const int32_t *at, const int32_t *weight, size_t n, float mean, float deviation,
                   float *y);
} jm_picture_kernels;

/* Fill the table, or the entries that a level improves. Defined in picture_<level>.c. */
void jm_picture_kernels_init__reference(jm_picture_kernels *kernels);
void jm_picture_kernels_init__neon(jm_picture_kernels *kernels);
void jm_picture_kernels_init__avx2(jm_picture_kernels *kernels);
void jm_picture_kernels_init__avx512(jm_picture_kernels *kernels);

#endif
