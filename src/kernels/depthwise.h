/* SPDX-License-Identifier: Apache-2.0
 *
 * Contract of the kernels of depthwise and grouped convolutions, f32.
 *
 * rows: output points of one block of 16 lanes, every lane by itself.
 *
 *   output(y, x, j) = clamp(start(j) + sum over kernel points (i, k) inside the input, i first, of
 *                           input(y * stride[0] - before[0] + i * dilation[0], x * stride[1] - before[1] +
 *                                 k * dilation[1], j) * weight(i, k, j))
 *
 * fused, in that order: kernel points outside the input are skipped. clamp(v) is JM_UNARY_CLIP of pointwise.h, or v
 * when there is none.
 *
 * planes: the lanes are points that follow each other, for filters that share few inputs.
 *
 *   output(f, p) = start(f) + sum over taps t of input[p + tap[t].input] * weight[f * weight_filter + tap[t].weight]
 *
 * Taps are taken `segment` at a time: a segment's terms are one chain of fused multiply-adds from 0, in that order, and
 * its sum is added to what came before, `start` at first. Without taps the output is start + 0.
 *
 * Alignment: `weight` and `start` lie at multiples of 64 bytes, the others at multiples of 4. Kernels read and write
 * only the elements named above. There may be no rows. Outputs do not overlap inputs. NaN and infinities follow
 * IEEE 754; the sign and payload of a NaN are unspecified.
 */
#ifndef JUMAR_KERNELS_DEPTHWISE_H
#define JUMAR_KERNELS_DEPTHWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pairs are (y, x). A point is 16 elements; those of a row follow each other. Distances are in elements. */
typedef struct jm_depthwise_rows {
    int64_t in[2];                           /* points of the input */
    int64_t columns;                         /* points of an output row */
    int64_t begin, end;                      /* output rows to compute */
    int64_t kernel[2], stride[2], before[2]; /* before: padding, at least 0; the others at least 1 */
    int64_t dilation[2];
    const float *input; /* point (0, 0) */
    ptrdiff_t input_row;
    const float *weight; /* [kernel y][kernel x][16] */
    const float *start;  /* [16] */
    float *output;       /* the first point of row `begin` */
    ptrdiff_t output_row;
    bool half; /* only lanes 0 .. 7 are wanted; the others become 0 */
    bool clamp;
    float low, high;
} jm_depthwise_rows;

/* Distances in elements: of an input from that of the first point, of a weight from that of the filter. */
typedef struct jm_plane_tap {
    ptrdiff_t input, weight;
} jm_plane_tap;

typedef struct jm_planes {
    const float *input;
    const jm_plane_tap *tap;
    size_t taps, segment; /* segment: at least 1 */
    const float *weight;  /* any alignment, as `start` */
    ptrdiff_t weight_filter;
    const float *start; /* [filters] */
    int64_t filters;
    float *output; /* [filters][points] */
    ptrdiff_t output_filter;
    int64_t points; /* a multiple of 16 */
} jm_planes;

typedef struct jm_depthwise_kernels {
    void (*rows)(const jm_depthwise_rows *rows);
    void (*planes)(const jm_planes *planes);
} jm_depthwise_kernels;

/* The kernel points [*begin, *end) that lie inside an input of `in` points when point 0 lies at `first`; as well those
 * of any row of points that are `dilation` apart. */
static inline void jm_depthwise_inside(int64_t first, int64_t in, int64_t kernel, int64_t dilation, int64_t *begin,
                                       int64_t *end)
{
    int64_t low = first < 0 ? -first : 0, high = in > first ? in - first : 0; /* distances from point 0 */
    if (dilation != 1) {
        low = (low + dilation - 1) / dilation;
        high = (high + dilation - 1) / dilation;
    }
    *end = high < kernel ? high : kernel;
    *begin = low < *end ? low : *end;
}

/* Fill the table, or the entries that a level improves. Defined in depthwise_<level>.c. */
void jm_depthwise_kernels_init__reference(jm_depthwise_kernels *kernels);
void jm_depthwise_kernels_init__neon(jm_depthwise_kernels *kernels);
void jm_depthwise_kernels_init__avx2(jm_depthwise_kernels *kernels);
void jm_depthwise_kernels_init__avx512(jm_depthwise_kernels *kernels);

#endif
