/* SPDX-License-Identifier: Apache-2.0
 *
 * The depthwise kernel, written once on the vector of vector.h and compiled once per level: each depthwise_<level>.c
 * defines DEPTHWISE_POINTS(width), the sums a tile of a kernel of that width keeps in registers, and includes this
 * file.
 *
 * A tile is a few neighbouring points of a row and one vector of lanes. For each kernel row its weights lie in
 * registers, and every input point of the tile is loaded once and added to all the sums that see it: (points + width -
 * 1)
 * + width loads for points * width multiply-adds at stride 1. Columns ascend, so that every sum meets its kernel points
 * in their order. Tiles at the ends of a row skip the columns that lie outside.
 */
#include "kernels/depthwise.h"
#include "kernels/vector.h"

#define GROUP 16
#define VECS (GROUP / VEC_LANES)
#define HALF_LANES (VEC_LANES < GROUP / 2 ? VEC_LANES : GROUP / 2) /* of a vector, in one half of the block */
#define MOST_POINTS 14                                             /* of any level and width */

/* Vectors of a point that are computed. */
VEC_INLINE int vecs_of(const jm_depthwise_rows *r)
{
    return r->half ? (VECS + 1) / 2 : VECS;
}

/* Stores the sums of `points` points. Where only half is wanted, each vector clears its counterpart in the other half.
 */
VEC_INLINE void finish(vec sum[MOST_POINTS], const jm_depthwise_rows *r, float *output, const int points)
{
    if (r->clamp) {
        const vec low = vec_set1(r->low), high = vec_set1(r->high);
        VEC_UNROLL for (int p = 0; p < points; p++) sum[p] = vec_min(high, vec_max(low, sum[p]));
    }
    VEC_UNROLL for (int p = 0; p < points; p++) vec_store(output + p * GROUP, sum[p]);
    if (r->half)
        for (int p = 0; p < points; p++) memset(output + p * GROUP + GROUP / 2, 0, HALF_LANES * sizeof(float));
}

/* ---- Any kernel ---- */

/* `points` neighbouring points, all of which see the kernel columns [begin, end). */
VEC_INLINE void any_tile(const jm_depthwise_rows *r, const float *input, const float *weight, int64_t rows,
                         int64_t begin, int64_t end, float *output, const int points)
{
    const ptrdiff_t step = (ptrdiff_t)r->stride[1] * GROUP, gap = (ptrdiff_t)r->dilation[1] * GROUP;
    for (int v = 0; v < vecs_of(r); v++) {
        vec sum[MOST_POINTS];
        VEC_UNROLL for (int p = 0; p < points; p++) sum[p] = vec_load(r->start + v * VEC_LANES);
        for (int64_t i = 0; i < rows; i++) {
            const float *tap = input + i * r->dilation[0] * r->input_row + begin * gap + v * VEC_LANES;
            const float *w = weight + (i * r->kernel[1] + begin) * GROUP + v * VEC_LANES;
            for (int64_t k = begin; k < end; k++, tap += gap, w += GROUP) {
                const vec value = vec_load(w);
                VEC_UNROLL for (int p = 0; p < points; p++) sum[p] = vec_fma(vec_load(tap + p * step), value, sum[p]);
            }
        }
        finish(sum, r, output + v * VEC_LANES, points);
    }
}

/* Points [x, end) of row y. */
static void any_points(const jm_depthwise_rows *r, int64_t y, int64_t x, int64_t end)
{
    const int64_t top = y * r->stride[0] - r->before[0], reach = (r->kernel[1] - 1) * r->dilation[1];
    int64_t rows_begin, rows_end, begin, stop;
    jm_depthwise_inside(top, r->in[0], r->kernel[0], r->dilation[0], &rows_begin, &rows_end);
    const float *input = r->input + (top + rows_begin * r->dilation[0]) * r->input_row;
    const float *weight = r->weight + rows_begin * r->kernel[1] * GROUP;
    float *output = r->output + (y - r->begin) * r->output_row;
    while (x < end) {
        const int64_t left = x * r->stride[1] - r->before[1];
        jm_depthwise_inside(left, r->in[1], r->kernel[1], r->dilation[1], &begin, &stop);
        if (left >= 0 && end - x >= 6 && left + 5 * r->stride[1] + reach < r->in[1]) {
            any_tile(r, input + left * GROUP, weight, rows_end - rows_begin, begin, stop, output + x * GROUP, 6);
            x += 6;
        } else {
            any_tile(r, input + left * GROUP, weight, rows_end - rows_begin, begin, stop, output + x * GROUP, 1);
            x++;
        }
    }
}

/* ---- Kernels of a known width and stride, without dilation ---- */

/* Adds one kernel row to the sums of a tile. Of its columns the first `skip` and those from `stop` on lie outside the
 * input; there are at most width / 2 at either end. */
VEC_INLINE void add_row(vec sum[MOST_POINTS], const float *input, const float *weight, int64_t skip, int64_t stop,
                        const int points, const int width, const int stride)
{
    const int columns = (points - 1) * stride + width;
    /* Opaque, or compilers copy the loop around this for every combination of edges. */
    __asm__("" : "+r"(skip), "+r"(stop));
    vec w[5];
    VEC_UNROLL for (int k = 0; k < width; k++) w[k] = vec_load(weight + k * GROUP);
    VEC_UNROLL for (int c = 0; c < columns; c++)
    {
        if (c < width / 2 && c < skip) continue;
        if (c >= columns - width / 2 && c >= stop) continue;
        const vec x = vec_load(input + c * GROUP);
        VEC_UNROLL for (int k = 0; k < width; k++)
        {
            const int p = (c - k) / stride;
            if (c >= k && (c - k) % stride == 0 && p < points) sum[p] = vec_fma(x, w[k], sum[p]);
        }
    }
}

/* Points [x, x + points) of all rows. */
VEC_INLINE void tile_of(const jm_depthwise_rows *r, int64_t x, const int points, const int width, const int stride)
{
    const int64_t left = x * stride - r->before[1], columns = (points - 1) * stride + width;
    const int64_t skip = left < 0 ? -left : 0, room = r->in[1] - left, stop = room < columns ? room : columns;
    if (skip > width / 2 || stop < columns - width / 2) {
        for (int64_t y = r->begin; y < r->end; y++) any_points(r, y, x, x + points);
        return;
    }
    /* Copies, which stores to the output cannot change. */
    const int64_t kernel = r->kernel[0], in = r->in[0];
    const ptrdiff_t input_row = r->input_row, output_row = r->output_row;
    const int64_t down = r->stride[0];
    for (int v = 0; v < vecs_of(r); v++) {
        const float *start = r->start + v * VEC_LANES;
        const float *weights = r->weight + v * VEC_LANES;
        float *output = r->output + x * GROUP + v * VEC_LANES;
        int64_t top = r->begin * down - r->before[0];
        const float *input = r->input + top * input_row + left * GROUP + v * VEC_LANES;
        for (int64_t y = r->end - r->begin; y > 0; y--) {
            int64_t begin, end;
            jm_depthwise_inside(top, in, kernel, 1, &begin, &end);
            const float *tap = input + begin * input_row, *weight = weights + begin * (width * GROUP);
            vec sum[MOST_POINTS];
            VEC_UNROLL for (int p = 0; p < points; p++) sum[p] = vec_load(start);
            VEC_NO_UNROLL for (int64_t i = end - begin; i > 0; i--, tap += input_row, weight += width * GROUP)
                add_row(sum, tap, weight, skip, stop, points, width, stride);
            finish(sum, r, output, points);
            top += down;
            input += down * input_row;
            output += output_row;
        }
    }
}

/* Cuts the rows into tiles of nearly equal widths. */
VEC_INLINE void rows_of(const jm_depthwise_rows *r, const int width, const int stride)
{
    const int64_t most = DEPTHWISE_POINTS(width), tiles = (r->columns + most - 1) / most;
    for (int64_t t = 0, x = 0; t < tiles; t++) {
        const int64_t points = (r->columns - x) / (tiles - t);
        switch (points) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        if (n <= DEPTHWISE_POINTS(width)) tile_of(r, x, n, width, stride);                                             \
        break
            CASE(1);
            CASE(2);
            CASE(3);
            CASE(4);
            CASE(5);
            CASE(6);
            CASE(7);
            CASE(8);
            CASE(9);
            CASE(10);
            CASE(11);
            CASE(12);
            CASE(13);
            CASE(14);
#undef CASE
        default:
            break;
        }
        x += points;
    }
}

static void rows_3_1(const jm_depthwise_rows *rows)
{
    rows_of(rows, 3, 1);
}

static void rows_3_2(const jm_depthwise_rows *rows)
{
    rows_of(rows, 3, 2);
}

static void rows_5_1(const jm_depthwise_rows *rows)
{
    rows_of(rows, 5, 1);
}

static void rows_5_2(const jm_depthwise_rows *rows)
{
    rows_of(rows, 5, 2);
}

static void f32_depthwise_rows(const jm_depthwise_rows *rows)
{
    const int64_t width = rows->kernel[1], stride = rows->stride[1];
    const bool dense = rows->dilation[0] == 1 && rows->dilation[1] == 1;
    if (dense && width == 3 && stride == 1)
        rows_3_1(rows);
    else if (dense && width == 3 && stride == 2)
        rows_3_2(rows);
    else if (dense && width == 5 && stride == 1)
        rows_5_1(rows);
    else if (dense && width == 5 && stride == 2)
        rows_5_2(rows);
    else
        for (int64_t y = rows->begin; y < rows->end; y++) any_points(rows, y, 0, rows->columns);
}
