/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the Winograd transforms, f32: a convolution of a tile by multiplications at `size` x `size` positions,
 *
 *   Y = A' [sum over channels of (G g G') * (B' d B)] A
 *
 * with d a tile of size x size input points, g the 3 x 3 filter and Y the outputs x outputs points it gives. Every axis
 * is an algorithm of Toom and Cook; the matrices are written at each transform in winograd_body.h, G in winograd.c.
 *
 * F4X3: stride 1, 6 points to 4, from the points 0, +-sqrt(1/2), +-sqrt(2) and infinity: 36 multiplications for 144.
 * With these the error is that of the direct sum; with 0, +-1, +-2 it is four times larger.
 * F3X3S2: stride 2, 7 points to 3. The even input points meet the outer two taps at stride 1 (0, +-1, infinity: 4
 * multiplications for 3 outputs), the odd ones meet the middle tap, untransformed: 49 multiplications for 81.
 *
 * Error: with A', G and B' written entry by entry, an output is a sum of products whose sizes add up to at most
 * growth^2 * sum over channels of max|d| * max|g|, where growth is the largest row sum of |A'| (|G| 1)(|B'| 1): 24.9
 * for F4X3 (48 for the points 0, +-1, +-2), 7 for F3X3S2. Each product passes n roundings, so the error is below n
 * 2^-24 times that (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1); n = the longest chain of the sum
 * over channels and 16 for the transforms. The errors that occur are about those of direct sums; tests/ops/test_conv.c
 * checks both.
 *
 * All work on groups of 16 lanes, every lane by itself. No alignment demands; they read and write only the elements
 * named here. NaN and infinities spread over their tile.
 */
#ifndef JUMAR_KERNELS_WINOGRAD_H
#define JUMAR_KERNELS_WINOGRAD_H

#include <stddef.h>

typedef enum jm_winograd { JM_WINOGRAD_F4X3, JM_WINOGRAD_F3X3S2, JM_WINOGRAD_COUNT } jm_winograd;

enum { JM_WINOGRAD_MAX_SIZE = 7 };

typedef struct jm_winograd_shape {
    int size, outputs, stride;
    double filter[JM_WINOGRAD_MAX_SIZE][3]; /* G */
} jm_winograd_shape;

extern const jm_winograd_shape jm_winograd_shapes[JM_WINOGRAD_COUNT];

/* Positions of a tile: size * size. */
static inline size_t jm_winograd_positions(jm_winograd kind)
{
    return (size_t)(jm_winograd_shapes[kind].size * jm_winograd_shapes[kind].size);
}

/* The positions of filter g, rounded from double. */
void jm_winograd_filter(jm_winograd kind, const float g[9], float *transformed);

/* A row of tiles: point (y, x) of tile t lies at from + y * from_row + (t * outputs * stride + x) * 16; position p of
 * it is written to to + p * to_position + t * 16. */
typedef struct jm_winograd_input {
    const float *from;
    ptrdiff_t from_row;
    float *to;
    size_t to_position;
    size_t tiles;
} jm_winograd_input;

/* Back: position p of tile t lies at from + p * from_position + t * 16; point (y, x) of tile t, with `start` added, is
 * written to to + y * to_row + (t * outputs + x) * 16. */
typedef struct jm_winograd_output {
    const float *from;
    size_t from_position;
    const float *start; /* [16] */
    float *to;
    ptrdiff_t to_row;
    size_t tiles;
} jm_winograd_output;

/* Filters of 16 lanes, in float32: tap t of channel c lies at from + c * from_channel + t * from_tap; position p of it
 * is written to to + p * to_position + c * 16. Within 3 roundings at each of the two axes of jm_winograd_filter. */
typedef struct jm_winograd_weights {
    const float *from;
    ptrdiff_t from_channel, from_tap;
    float *to;
    size_t to_position;
    size_t channels;
} jm_winograd_weights;

typedef struct jm_winograd_kernels {
    void (*filter[JM_WINOGRAD_COUNT])(const jm_winograd_weights *weights);
    void (*input[JM_WINOGRAD_COUNT])(const jm_winograd_input *row);
    void (*output[JM_WINOGRAD_COUNT])(const jm_winograd_output *row);
} jm_winograd_kernels;

/* Fill the table, or the entries that a level improves. Defined in winograd_<level>.c. */
void jm_winograd_kernels_init__reference(jm_winograd_kernels *kernels);
void jm_winograd_kernels_init__neon(jm_winograd_kernels *kernels);
void jm_winograd_kernels_init__avx2(jm_winograd_kernels *kernels);
void jm_winograd_kernels_init__avx512(jm_winograd_kernels *kernels);

#endif
