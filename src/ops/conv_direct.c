/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution, transposed or not, straight from a C16 map (stem: from a few plain channels) into another (planar: into
 * a plain map): no columns. A convolution with padding first copies the input of its strip (conv_copy.h). For each
 * block of outputs the strip is walked row by row, tile by tile; the epilogue follows while the sums are in the first
 * cache, and in a planar form they then become rows of the output.
 */
#include "ops/conv.h"
#include "ops/conv_copy.h"
#include "ops/conv_pack.h"
#include "ops/conv_phase.h"
#include "ops/epilogue.h"
#include "ops/move.h"
#include "ops/strips.h"

/* Points of a row between epilogues: 64 bytes each stay well inside the first cache. */
enum { TILES_PER_PIECE = 16 };
/* Rows of fewer tiles are copied into one. */
enum { LEAST_TILES = 2 };

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;
    jm_conv_phases phases;
    jm_strips strips;
    ptrdiff_t in_image;
    jm_c16_view out, residual;
    bool planar;              /* the output is plain: sums lie in scratch until they are final */
    ptrdiff_t channel, point; /* elements between channels (planar) and points of the output */
    int64_t filters;
    size_t sums; /* where they begin in scratch, in elements */
    bool copied; /* strips are copied into scratch; else the map is read as it lies */
    jm_conv_geometry geometry;
    jm_conv_copy copy;
    const jm_conv_run *run; /* of the copy */
    size_t runs, segment;
    int64_t points;     /* of an output row */
    int64_t unit;       /* points of a unit when the map is one row; 0: a unit is a row */
    int64_t all_blocks; /* of the output */
    int blocks;         /* computed together */
    const bool *half;   /* [all_blocks]: no more than lanes 0 .. 7 have filters */
    bool leak, clamp;   /* by the tile kernel */
    float slope, low, high;
    const float *no_bias;
} state;

/* Asks for the lines of a piece of a plain output now, so that they are there when the sums are. */
static void fetch_rows(const state *s, const float *output, int64_t block, int blocks, int64_t points)
{
    const int64_t channels = JM_MIN(s->filters - block * JM_LANES, blocks * JM_LANES);
    if (s->point != 1) return;
    for (int64_t c = 0; c < channels; c++)
        for (int64_t p = 0; p < points; p += JM_LANES) __builtin_prefetch(output + c * s->channel + p, 1);
}

/* Points x .. x + points - 1 of row y, for `blocks` blocks from `block` on. `from` is the image, or the copy of a strip
 * that begins at row `top`. */
static void compute_piece(const state *s, const jm_run *run, const float *from, int64_t top, int64_t image,
                          int64_t block, int blocks, int64_t y, int64_t x, int64_t points)
{
    const float *bias = run->in[JM_CONV_B] ? run->in[JM_CONV_B] : s->no_bias;
    float *output = (float *)run->out[0] + image * s->out.image + block * s->out.block + y * s->out.row + x * s->point;
    float *sums = s->planar ? (float *)run->scratch + s->sums : output;
    const ptrdiff_t sums_block = s->planar ? (ptrdiff_t)points * JM_LANES : s->out.block;
    if (s->planar) fetch_rows(s, output, block, blocks, points);
    jm_conv_tile tile = {
        .weight = (const float *)run->in[JM_CONV_W] + (size_t)block * s->phases.block_depth,
        .weight_block = s->phases.block_depth,
        .ahead = (ptrdiff_t)s->phases.block_depth * blocks,
        .start = bias + block * JM_LANES,
        .output = sums,
        .output_pixel = JM_LANES,
        .output_block = sums_block,
        .blocks = blocks,
        .half = blocks == 1 && s->half[block],
        .leak = s->leak,
        .slope = s->slope,
        .clamp = s->clamp,
        .low = s->low,
        .high = s->high,
    };
    if (s->copied) {
        tile.input = from + (y - top) * s->copy.output_row + x * s->copy.output_column;
        tile.input_pixel = s->copy.output_column;
        tile.input_lane = s->copy.lanes == 1 ? 0 : 1;
        tile.run = s->run;
        tile.runs = s->runs;
        tile.segment = s->segment;
        tile.pixels = (ptrdiff_t)points;
        s->kernels->conv.tile(&tile);
    } else {
        jm_conv_phase_row(&s->phases, &s->kernels->conv, from, (const int64_t[3]){0, y, x}, points, &tile);
    }
    if (!jm_epilogue_active(&s->epilogue) && !s->planar) return;
    const float *residual = NULL;
    if (s->epilogue.residual != JM_RESIDUAL_NONE) {
        residual = (const float *)run->in[JM_CONV_RESIDUAL] + image * s->residual.image + block * s->residual.block +
                   y * s->residual.row + x * JM_LANES;
    }
    for (int b = 0; b < blocks; b++) {
        float *sum = sums + b * sums_block;
        jm_epilogue_apply(s->kernels, &s->epilogue, sum, residual ? residual + b * s->residual.block : NULL,
                          (size_t)points * JM_LANES);
        if (s->planar) {
            jm_lanes_to_rows(s->kernels, output + b * s->out.block, s->channel, s->point, sum,
                             (int)JM_MIN(s->filters - (block + b) * JM_LANES, JM_LANES), points);
        }
    }
}

static int64_t piece_points(const state *s)
{
    return (int64_t)s->kernels->conv.tile_pixels[s->blocks] * TILES_PER_PIECE;
}

static void run_direct(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    const int64_t piece = piece_points(s);
    int64_t y_begin = strip.unit_begin, y_end = strip.unit_end, x_begin = 0, x_end = s->points;
    const float *from = run->source ? NULL : (const float *)run->in[JM_CONV_X] + strip.image * s->in_image;
    if (s->unit) {
        y_begin = 0;
        y_end = 1;
        x_begin = strip.unit_begin * s->unit;
        x_end = JM_MIN(strip.unit_end * s->unit, s->points);
    } else if (s->copied) {
        if (run->source)
            jm_conv_copy_pull(&s->copy, run->source, strip.image, y_begin, y_end, run->scratch);
        else
            jm_conv_copy_fill(&s->copy, from, y_begin, y_end, run->scratch);
        from = run->scratch;
        if (s->copy.one_row) {
            x_end = (y_end - y_begin) * s->points;
            y_end = y_begin + 1;
        }
    }
    for (int64_t group = strip.block_begin; group < strip.block_end; group++) {
        const int64_t block = group * s->blocks;
        const int blocks = (int)JM_MIN(s->blocks, s->all_blocks - block);
        for (int64_t y = y_begin; y < y_end; y++) {
            for (int64_t x = x_begin; x < x_end; x += piece)
                compute_piece(s, run, from, y_begin, strip.image, block, blocks, y, x, JM_MIN(piece, x_end - x));
        }
    }
}

/* Rows of the output, and of the residual, follow each other. */
static bool rows_touch(const jm_conv_geometry *g, const state *s)
{
    const ptrdiff_t row = (ptrdiff_t)g->out[2] * s->point;
    return s->out.row == row && (s->epilogue.residual == JM_RESIDUAL_NONE || s->residual.row == row);
}

/* 1x1 without stride over rows that follow each other: the map is one long row. */
static bool is_one_row(const jm_conv_geometry *g, const state *s, const ptrdiff_t in_stride[3])
{
    for (int k = 0; k < 3; k++) {
        if (g->kernel[k] != 1 || g->stride[k] != 1 || g->before[k] || g->after[k] || g->extra[k]) return false;
    }
    return in_stride[1] == (ptrdiff_t)g->in[2] * in_stride[2] && rows_touch(g, s);
}

/* The channels at one input point as runs: those of a block, or single ones of a plain input. */
static jm_status channel_runs(const jm_tensor *x, jm_tap_set *base, jm_arena *arena, jm_conv_run **runs)
{
    const int64_t channels = x->shape.dim[1];
    const bool blocked = x->layout == JM_C16;
    base->runs = (size_t)(blocked ? jm_channel_blocks(channels, x->map) : channels);
    base->lane = blocked ? 1 : 0;
    base->depth = (size_t)channels;
    *runs = jm_arena_alloc(arena, base->runs, sizeof(**runs));
    if (!*runs) return JM_OUT_OF_MEMORY;
    for (size_t r = 0; r < base->runs; r++) {
        (*runs)[r] = (jm_conv_run){.offset = (ptrdiff_t)r * (ptrdiff_t)x->stride[1],
                                   .count = blocked ? (size_t)jm_block_count(channels, x->map, (int64_t)r) : 1};
    }
    return JM_OK;
}

static jm_status plan_copy(state *s, const jm_conv_job *job, bool one_row, jm_arena *arena, jm_plan *plan)
{
    const jm_tensor *x = &job->call->in[JM_CONV_X];
    const int64_t rows = (s->strips.units + s->strips.strips - 1) / s->strips.strips;
    if (!jm_conv_copy_describe(&s->copy, &s->geometry, x, one_row, rows) ||
        !jm_size_mul(s->copy.size, sizeof(float), &plan->scratch) ||
        !jm_size_round_up(s->copy.size, JM_LANES, &s->sums))
        return jm_call_error(job->call, JM_OUT_OF_RANGE, "the padded map is too large");
    s->run = jm_conv_copy_runs(&s->copy, x, arena);
    if (!s->run) return JM_OUT_OF_MEMORY;
    const jm_tap_set *taps = &s->phases.phase[0].taps;
    s->runs = taps->taps * taps->runs;
    s->segment = taps->segment;
    return JM_OK;
}

jm_status jm_conv_direct_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *x = &job->call->in[JM_CONV_X], *y = &job->call->out[0];
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_direct;
    s->kernels = job->machine->kernels;
    s->epilogue = job->epilogue;
    s->geometry = *g;
    s->in_image = (ptrdiff_t)x->stride[0];
    s->out = jm_c16_view_of(y);
    s->point = JM_LANES;
    s->filters = g->filters;
    s->planar = y->layout == JM_PLAIN;
    if (s->planar) {
        if (s->epilogue.residual != JM_RESIDUAL_NONE)
            return jm_call_error(job->call, JM_INVALID_ARGUMENT, "the planar form takes no residual");
        s->channel = (ptrdiff_t)y->stride[1];
        s->out.block = s->channel * JM_LANES;
        s->point = (ptrdiff_t)y->stride[y->shape.rank - 1];
    }
    if (s->epilogue.residual != JM_RESIDUAL_NONE) s->residual = jm_c16_view_of(&job->call->in[JM_CONV_RESIDUAL]);

    jm_tap_set base = {.in = {g->in[0], g->in[1], g->in[2]}};
    jm_conv_spatial_strides(x, base.stride);
    int64_t rows = g->out[1];
    s->points = g->out[2];
    const bool map_is_row = is_one_row(g, s, base.stride);
    if (map_is_row) {
        s->points = base.in[2] = g->in[1] * g->in[2];
        rows = base.in[1] = 1;
    }
    jm_conv_run *runs;
    JM_TRY(channel_runs(x, &base, arena, &runs));
    JM_TRY(jm_conv_phases_create(&s->phases, g, job->transposed, &base, runs, arena));

    s->all_blocks = jm_channel_blocks(g->filters, y->map);
    s->no_bias = jm_arena_alloc(arena, (size_t)s->all_blocks * JM_LANES, sizeof(float));
    if (!s->no_bias) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_half_blocks(g->filters, y->map, arena, &s->half));
    s->blocks = jm_tap_row_blocks(&s->kernels->conv, s->points, s->all_blocks);

    int64_t units = rows;
    double unit_points = (double)base.in[2] * (double)base.in[1] / (double)rows;
    if (rows == 1) {
        s->unit = s->kernels->conv.tile_pixels[s->blocks];
        units = (s->points + s->unit - 1) / s->unit;
        unit_points /= (double)units;
    }
    const bool one_row = x->layout == JM_C16 && rows_touch(g, s);
    /* Rows of few tiles have smaller ones: a copy makes them one row. */
    const bool narrow = s->points < (int64_t)LEAST_TILES * s->kernels->conv.tile_pixels[s->blocks];
    s->copied = !job->transposed && rows > 1 && (jm_conv_has_padding(g) || (one_row && narrow));
    s->strips =
        jm_strips_choose(job->machine, g->batch, (s->all_blocks + s->blocks - 1) / s->blocks,
                         4.0 * (double)s->phases.block_depth * s->blocks, units,
                         s->copied ? jm_conv_copy_row_bytes(g, one_row) : 4.0 * unit_points * (double)g->channels);
    /* Only where no tile has edges, whose sums take several calls. */
    if (s->copied || map_is_row) {
        s->leak = jm_epilogue_take_leak(&s->epilogue, &s->slope);
        s->clamp = jm_epilogue_take_clamp(&s->epilogue, &s->low, &s->high);
    }
    if (s->copied) JM_TRY(plan_copy(s, job, one_row, arena, plan));
    if (s->planar) {
        const size_t count = (size_t)(piece_points(s) * s->blocks * JM_LANES);
        if (!jm_size_add(s->sums, count, &plan->scratch) || !jm_size_mul(plan->scratch, sizeof(float), &plan->scratch))
            return jm_call_error(job->call, JM_OUT_OF_RANGE, "the padded map is too large");
    }
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->state = s;
    /* Blocks of outputs that are cut into groups would each make the rows again. */
    plan->pulls = s->copied && x->layout == JM_PLAIN && x->shape.rank == 4 && s->strips.groups == 1;
    return JM_OK;
}
