/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution from a C16 map into a plain one: the heads of detectors, whose readers and outputs are plain. A piece of
 * a row is summed and activated in scratch in the first cache, then its lanes become rows of the output.
 */
#include "ops/conv.h"
#include "ops/conv_phase.h"
#include "ops/epilogue.h"
#include "ops/move.h"
#include "ops/strips.h"

/* Points of a piece, in tiles of the kernel: 64 bytes each and for each block stay inside the first cache. */
enum { TILES_PER_PIECE = 16 };

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;
    jm_conv_phases phases;
    jm_strips strips;
    ptrdiff_t in_image;
    ptrdiff_t image, channel, row, point; /* strides of the output */
    int64_t filters;
    int64_t points; /* of an output row */
    int64_t unit;   /* points of a unit when the map is one row; 0: a unit is a row */
    int64_t piece;  /* points */
    int64_t all_blocks;
    int blocks; /* computed together */
    const float *no_bias;
} state;

/* Asks for the lines of the piece's output now, so that they are there when the sums are. */
static void fetch_rows(const state *s, const float *output, int64_t block, int blocks, int64_t points)
{
    const int64_t end = JM_MIN((block + blocks) * JM_LANES, s->filters);
    if (s->point != 1) return;
    for (int64_t c = block * JM_LANES; c < end; c++)
        for (int64_t p = 0; p < points; p += JM_LANES) __builtin_prefetch(output + c * s->channel + p, 1);
}

static void compute_piece(const state *s, const jm_run *run, int64_t image, int64_t block, int blocks, int64_t y,
                          int64_t x, int64_t points)
{
    const float *bias = run->in[JM_CONV_B] ? run->in[JM_CONV_B] : s->no_bias;
    const jm_conv_tile tile = {
        .weight = (const float *)run->in[JM_CONV_W] + (size_t)block * s->phases.block_depth,
        .weight_block = s->phases.block_depth,
        .start = bias + block * JM_LANES,
        .output = run->scratch,
        .output_pixel = JM_LANES,
        .output_block = (ptrdiff_t)points * JM_LANES,
        .blocks = blocks,
    };
    float *output = (float *)run->out[0] + image * s->image + y * s->row + x * s->point;
    fetch_rows(s, output, block, blocks, points);
    jm_conv_phase_row(&s->phases, &s->kernels->conv, (const float *)run->in[JM_CONV_X] + image * s->in_image,
                      (const int64_t[3]){0, y, x}, points, &tile);
    for (int b = 0; b < blocks; b++) {
        float *sum = tile.output + b * tile.output_block;
        const int64_t first = (block + b) * JM_LANES;
        jm_epilogue_apply(s->kernels, &s->epilogue, sum, NULL, (size_t)points * JM_LANES);
        jm_lanes_to_rows(output + first * s->channel, s->channel, s->point, sum,
                         (int)JM_MIN(s->filters - first, JM_LANES), points);
    }
}

static void run_planar(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    const int64_t y_begin = s->unit ? 0 : strip.unit_begin, y_end = s->unit ? 1 : strip.unit_end;
    const int64_t x_begin = s->unit ? strip.unit_begin * s->unit : 0;
    const int64_t x_end = s->unit ? JM_MIN(strip.unit_end * s->unit, s->points) : s->points;
    for (int64_t group = strip.block_begin; group < strip.block_end; group++) {
        const int64_t block = group * s->blocks;
        const int blocks = (int)JM_MIN(s->blocks, s->all_blocks - block);
        for (int64_t y = y_begin; y < y_end; y++) {
            for (int64_t x = x_begin; x < x_end; x += s->piece)
                compute_piece(s, run, strip.image, block, blocks, y, x, JM_MIN(s->piece, x_end - x));
        }
    }
}

/* 1x1 without stride over rows that follow each other on both sides: the map is one long row. */
static bool is_one_row(const jm_conv_geometry *g, const state *s, const ptrdiff_t in_stride[3])
{
    for (int k = 0; k < 3; k++)
        if (g->kernel[k] != 1 || g->stride[k] != 1 || g->before[k] || g->after[k]) return false;
    return in_stride[1] == (ptrdiff_t)g->in[2] * in_stride[2] && s->row == (ptrdiff_t)g->out[2] * s->point;
}

jm_status jm_conv_planar_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *x = &job->call->in[JM_CONV_X], *y = &job->call->out[0];
    if (job->epilogue.residual != JM_RESIDUAL_NONE)
        return jm_call_error(job->call, JM_INVALID_ARGUMENT, "this form takes no residual");
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    const int rank = y->shape.rank;
    s->base.run = run_planar;
    s->kernels = job->machine->kernels;
    s->epilogue = job->epilogue;
    s->in_image = (ptrdiff_t)x->stride[0];
    s->image = (ptrdiff_t)y->stride[0];
    s->channel = (ptrdiff_t)y->stride[1];
    s->row = rank == 4 ? (ptrdiff_t)y->stride[2] : 0;
    s->point = (ptrdiff_t)y->stride[rank - 1];
    s->filters = g->filters;
    s->points = g->out[2];

    jm_tap_set base = {.in = {g->in[0], g->in[1], g->in[2]}, .lane = 1, .depth = (size_t)g->channels};
    jm_conv_spatial_strides(x, base.stride);
    int64_t rows = g->out[1];
    if (is_one_row(g, s, base.stride)) {
        s->points = base.in[2] = g->in[1] * g->in[2];
        rows = base.in[1] = 1;
    }
    base.runs = (size_t)jm_channel_blocks(g->channels, x->map);
    jm_conv_run *runs = jm_arena_alloc(arena, base.runs, sizeof(*runs));
    if (!runs) return JM_OUT_OF_MEMORY;
    for (size_t r = 0; r < base.runs; r++)
        runs[r] = (jm_conv_run){.offset = (ptrdiff_t)r * (ptrdiff_t)x->stride[1],
                                .count = (size_t)jm_block_count(g->channels, x->map, (int64_t)r)};
    JM_TRY(jm_conv_phases_create(&s->phases, g, false, &base, runs, arena));

    s->all_blocks = jm_channel_blocks(g->filters, NULL);
    s->no_bias = jm_arena_alloc(arena, (size_t)s->all_blocks * JM_LANES, sizeof(float));
    if (!s->no_bias) return JM_OUT_OF_MEMORY;
    s->blocks = jm_tap_row_blocks(&s->kernels->conv, s->points, s->all_blocks);
    const int64_t tile = s->kernels->conv.tile_pixels[s->blocks];
    s->piece = JM_MIN(tile * TILES_PER_PIECE, s->points);
    int64_t units = rows;
    double unit_points = (double)base.in[2] * (double)base.in[1] / (double)rows;
    if (rows == 1) {
        s->unit = tile;
        units = (s->points + tile - 1) / tile;
        unit_points /= (double)units;
    }
    s->strips = jm_strips_choose(job->machine, g->batch, (s->all_blocks + s->blocks - 1) / s->blocks,
                                 4.0 * (double)s->phases.block_depth * s->blocks, units,
                                 4.0 * unit_points * (double)g->channels);
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->scratch = (size_t)(s->piece * s->blocks * JM_LANES) * sizeof(float);
    plan->state = s;
    return JM_OK;
}
