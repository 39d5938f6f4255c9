/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the convolution and matrix product kernels, f32.
 *
 * The tile kernel computes `pixels` x `blocks` groups of 16 output lanes, in tiles whose sums stay in registers. It
 * knows neither images nor matrices: a pixel is anything that has its own inputs (a point of a map, a row of a matrix),
 * and the taps are runs of inputs at fixed offsets from the pixel's first one. One kernel so serves direct convolution,
 * 1x1, stem, transposed convolution and GEMM; what lies outside an image is simply not among the runs.
 *
 *   output(p, b, j) = start(b, j) + sum over runs r, then i < count(r), of
 *                     input[p * input_pixel + offset(r) + i * input_lane] * weight[b * weight_block + k * 16 + j]
 *   with k = 0, 1, 2, ... over all (r, i). Runs are taken `segment` at a time: a segment's terms are one chain of fused
 *   multiply-adds from 0, in that order, and its sum is added to what came before, `start` at first. With `start` NULL
 *   the first chain continues from what the output holds.
 *   Long chains lose accuracy with their length; segments of JM_CONV_SEGMENT terms cost 2 % of the time.
 *
 * Alignment: `weight` and `start` lie at multiples of 64 bytes, the others at multiples of 4. Kernels read and write
 * only the elements named above. Counts of runs, lanes and pixels may be 0. Outputs do not overlap inputs.
 * NaN and infinities follow IEEE 754; the sign and payload of a NaN are unspecified.
 */
#ifndef JUMAR_KERNELS_CONV_H
#define JUMAR_KERNELS_CONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `count` inputs, the first of them `offset` elements from the pixel's address. */
typedef struct jm_conv_run {
    ptrdiff_t offset;
    size_t count;
} jm_conv_run;

/* Distances are in elements. */
typedef struct jm_conv_tile {
    const float *input;
    ptrdiff_t input_pixel;
    ptrdiff_t input_lane; /* 0: every run has one input, so that kernels need no loop over it */
    const jm_conv_run *run;
    size_t runs;
    size_t segment;      /* runs whose terms are one chain; at least 1 */
    const float *weight; /* [blocks][sum of counts][16] */
    size_t weight_block;
    ptrdiff_t ahead;    /* weights this far behind these ones are wanted next; kernels may ask for them; 0: none */
    const float *start; /* [blocks][16], or NULL */
    float *output;
    ptrdiff_t output_pixel, output_block;
    ptrdiff_t pixels; /* any number; cut evenly into tiles of at most the table's tile_pixels[blocks] */
    int blocks;       /* 1 .. JM_CONV_MAX_BLOCKS; the level has tiles of so many */
    bool half;        /* only lanes 0 .. 7 are wanted, of one block; with `start` the others become 0, else they stay */
    bool leak;        /* at the end negative outputs are multiplied by `slope` */
    bool clamp;       /* then outputs become min(high, max(low, output)); NaN stays NaN */
    float slope, low, high;
} jm_conv_tile;

enum { JM_CONV_MAX_BLOCKS = 4, JM_CONV_SEGMENT = 128 };

typedef struct jm_conv_kernels {
    /* Most pixels of a tile of this many blocks; 0 where the level has no such tile. tile_pixels[1] > 0. */
    int tile_pixels[JM_CONV_MAX_BLOCKS + 1];
    void (*tile)(const jm_conv_tile *tile);
} jm_conv_kernels;

/* Fill the table, or the entries that a level improves. Defined in conv_<level>.c. */
void jm_conv_kernels_init__reference(jm_conv_kernels *kernels);
void jm_conv_kernels_init__neon(jm_conv_kernels *kernels);
void jm_conv_kernels_init__avx2(jm_conv_kernels *kernels);
void jm_conv_kernels_init__avx512(jm_conv_kernels *kernels);

#endif
