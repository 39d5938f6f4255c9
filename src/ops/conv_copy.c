/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/conv_copy.h"

#include <string.h>

static bool is_blocked(const jm_tensor *x)
{
    return x->layout == JM_C16;
}

/* Input points between the first and the last that the kernel meets along an axis. */
static int64_t span(const jm_conv_geometry *g, int axis)
{
    return (g->kernel[axis] - 1) * g->dilation[axis];
}

/* Rows of a plane for so many output rows. */
static int64_t plane_rows(const jm_conv_geometry *g, bool one_row, int64_t out_rows)
{
    return one_row ? out_rows + span(g, 1) / g->stride[1] : (out_rows - 1) * g->stride[1] + span(g, 1) + 1;
}

static void choose_planes(jm_conv_copy *copy, const jm_conv_geometry *g, int64_t out_rows)
{
    if (copy->one_row) {
        copy->planes_x = g->kernel[2];
        copy->planes_y = JM_MIN(g->stride[1], span(g, 1) + 1);
        copy->columns = g->out[2];
        copy->column_step = g->stride[2];
    } else {
        copy->planes_x = copy->planes_y = copy->column_step = 1;
        copy->columns = (g->out[2] - 1) * g->stride[2] + span(g, 2) + 1;
    }
    copy->rows = plane_rows(g, copy->one_row, out_rows);
}

bool jm_conv_has_padding(const jm_conv_geometry *g)
{
    for (int k = 1; k < 3; k++) {
        const int64_t last = (g->out[k] - 1) * g->stride[k] + span(g, k) - g->before[k];
        if (g->before[k] > 0 || last >= g->in[k]) return true;
    }
    return false;
}

bool jm_conv_copy_describe(jm_conv_copy *copy, const jm_conv_geometry *g, const jm_tensor *x, bool one_row,
                           int64_t out_rows)
{
    const int64_t channels = x->shape.dim[1];
    *copy = (jm_conv_copy){
        .geometry = g,
        .one_row = one_row,
        .lanes = is_blocked(x) ? JM_LANES : 1,
        .runs = is_blocked(x) ? jm_channel_blocks(channels, x->map) : channels,
        .in_run = (ptrdiff_t)x->stride[1],
        .in_row = x->shape.rank == 4 ? (ptrdiff_t)x->stride[2] : 0,
    };
    choose_planes(copy, g, out_rows);
    size_t planes, bytes;
    if (!jm_size_mul((size_t)copy->columns, (size_t)copy->lanes, &copy->row) ||
        !jm_size_mul(copy->row, (size_t)copy->rows, &copy->plane) ||
        !jm_size_mul((size_t)copy->planes_y, (size_t)copy->planes_x, &planes) ||
        !jm_size_mul(copy->plane, planes, &copy->run) || !jm_size_mul(copy->run, (size_t)copy->runs, &copy->size) ||
        !jm_size_mul(copy->size, sizeof(float), &bytes) || bytes > PTRDIFF_MAX)
        return false;
    copy->output_row = copy->one_row ? (ptrdiff_t)copy->row : (ptrdiff_t)g->stride[1] * (ptrdiff_t)copy->row;
    copy->output_column = (copy->one_row ? 1 : (ptrdiff_t)g->stride[2]) * (ptrdiff_t)copy->lanes;
    return true;
}

double jm_conv_copy_row_bytes(const jm_conv_geometry *g, bool one_row)
{
    jm_conv_copy copy = {.one_row = one_row};
    choose_planes(&copy, g, 1);
    return 4.0 * (double)g->channels * (double)copy.planes_y * (double)copy.planes_x * (double)copy.columns *
           (one_row ? 1 : (double)g->stride[1]);
}

jm_conv_run *jm_conv_copy_runs(const jm_conv_copy *copy, const jm_tensor *x, jm_arena *arena)
{
    const jm_conv_geometry *g = copy->geometry;
    size_t taps, count;
    if (!jm_size_mul((size_t)g->kernel[1], (size_t)g->kernel[2], &taps) ||
        !jm_size_mul(taps, (size_t)copy->runs, &count)) {
        (void)!jm_error(JM_OUT_OF_RANGE, "the kernel is too large");
        return NULL;
    }
    jm_conv_run *runs = jm_arena_alloc(arena, count, sizeof(*runs)), *next = runs;
    if (!runs) return NULL;
    for (int64_t i = 0; i < g->kernel[1]; i++) {
        for (int64_t j = 0; j < g->kernel[2]; j++) {
            const int64_t y = i * g->dilation[1], x0 = copy->one_row ? 0 : j * g->dilation[2];
            const int64_t plane = y % copy->planes_y * copy->planes_x + (copy->one_row ? j : 0);
            const ptrdiff_t tap = (ptrdiff_t)plane * (ptrdiff_t)copy->plane +
                                  (ptrdiff_t)(y / copy->planes_y) * (ptrdiff_t)copy->row +
                                  (ptrdiff_t)(x0 * copy->lanes);
            for (int64_t r = 0; r < copy->runs; r++) {
                *next++ = (jm_conv_run){
                    .offset = tap + (ptrdiff_t)r * (ptrdiff_t)copy->run,
                    .count = copy->lanes == 1 ? 1 : (size_t)jm_block_count(g->channels, x->map, r),
                };
            }
        }
    }
    return runs;
}

/* One row of a plane: columns first, first + step, ... of a row of the map, zero outside it. */
static void copy_row(const jm_conv_copy *copy, const float *row, int64_t first, float *to)
{
    const int64_t step = copy->column_step, width = copy->geometry->in[2];
    const int64_t begin = JM_MIN(first >= 0 ? 0 : (-first + step - 1) / step, copy->columns);
    const int64_t end = first >= width ? begin : JM_MIN((width - 1 - first) / step + 1, copy->columns);
    const size_t lanes = (size_t)copy->lanes;
    memset(to, 0, (size_t)begin * lanes * sizeof(float));
    if (step == 1) {
        if (end > begin) {
            memcpy(to + begin * copy->lanes, row + (first + begin) * copy->lanes,
                   (size_t)(end - begin) * lanes * sizeof(float));
        }
    } else {
        /* Planes of one row, and so C16. */
        for (int64_t x = begin; x < end; x++)
            memcpy(to + x * JM_LANES, row + (first + x * step) * JM_LANES, JM_LANES * sizeof(float));
    }
    const int64_t done = JM_MAX(begin, end);
    memset(to + done * copy->lanes, 0, (size_t)(copy->columns - done) * lanes * sizeof(float));
}

void jm_conv_copy_fill(const jm_conv_copy *copy, const float *image, int64_t y_begin, int64_t y_end, float *to)
{
    const jm_conv_geometry *g = copy->geometry;
    const int64_t top = y_begin * g->stride[1] - g->before[1];
    const int64_t rows = plane_rows(g, copy->one_row, y_end - y_begin);
    for (int64_t r = 0; r < copy->runs; r++) {
        for (int64_t py = 0; py < copy->planes_y; py++) {
            for (int64_t px = 0; px < copy->planes_x; px++) {
                float *plane = to + (size_t)r * copy->run + (size_t)(py * copy->planes_x + px) * copy->plane;
                for (int64_t i = 0; i < rows; i++) {
                    const int64_t y = top + py + i * (copy->one_row ? g->stride[1] : 1);
                    float *row = plane + (size_t)i * copy->row;
                    if (y < 0 || y >= g->in[1])
                        memset(row, 0, copy->row * sizeof(float));
                    else
                        copy_row(copy, image + r * copy->in_run + y * copy->in_row, px * g->dilation[2] - g->before[2],
                                 row);
                }
            }
        }
    }
}

void jm_conv_copy_pull(const jm_conv_copy *copy, const jm_source *source, int64_t n, int64_t y_begin, int64_t y_end,
                       float *to)
{
    const jm_conv_geometry *g = copy->geometry;
    const int64_t top = y_begin * g->stride[1] - g->before[1], rows = plane_rows(g, false, y_end - y_begin);
    const int64_t begin = JM_MIN(g->before[2], copy->columns);
    const int64_t end = JM_MAX(JM_MIN(g->in[2] + g->before[2], copy->columns), begin);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t y = top + i;
        float *row = to + (size_t)i * copy->row;
        const bool outside = y < 0 || y >= g->in[1];
        for (int64_t r = 0; r < copy->runs; r++) {
            float *channel = row + (size_t)r * copy->run;
            memset(channel, 0, (size_t)(outside ? copy->columns : begin) * sizeof(float));
            if (!outside) memset(channel + end, 0, (size_t)(copy->columns - end) * sizeof(float));
        }
        if (!outside) source->op->row(source, n, y, end - begin, row + begin, (ptrdiff_t)copy->run);
    }
}
