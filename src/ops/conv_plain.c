/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution, transposed or not, between tensors of any strides: any groups, 1-D to 3-D. Each chunk packs the weights
 * of 16 filters into scratch and computes rows there with the same tile kernel as the other forms; the epilogue follows
 * and the row is written out channel by channel.
 */
#include "ops/conv.h"
#include "ops/conv_pack.h"
#include "ops/conv_phase.h"
#include "ops/epilogue.h"
#include "ops/strips.h"

enum { PIECE = 96 }; /* points of a row between epilogues */

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;
    jm_conv_geometry geometry;
    jm_conv_phases phases;
    jm_strips strips;
    jm_plain_view in, out, residual;
    jm_plain_weights weights;
    ptrdiff_t bias_stride;
    const ptrdiff_t *tap_offset;
    size_t taps;
    int64_t group_channels, group_filters, group_blocks;
} state;

/* What a chunk keeps in scratch; each part begins at a multiple of 64 bytes. */
typedef struct buffers {
    float *weight; /* [block_depth] */
    float *start;  /* [16] */
    float *row;    /* [PIECE][16] */
    float *residual;
} buffers;

static buffers split_scratch(const state *s, void *scratch)
{
    buffers b = {.weight = scratch};
    b.start = b.weight + s->phases.block_depth;
    b.row = b.start + JM_LANES;
    b.residual = b.row + PIECE * JM_LANES;
    return b;
}

/* Weights and bias of `lanes` filters from the first one of a block on. */
static void pack_filters(const state *s, const jm_run *run, int64_t group, int64_t filter, int lanes, const buffers *b)
{
    int32_t channel[JM_LANES];
    for (int j = 0; j < JM_LANES; j++) channel[j] = j < lanes ? j : -1;
    const jm_weight_view view = {
        .data = (const float *)run->in[JM_CONV_W] + group * s->weights.group + filter * s->weights.filter,
        .filter_stride = s->weights.filter,
        .channel_stride = s->weights.channel,
        .tap_offset = s->tap_offset,
        .taps = s->taps,
    };
    jm_pack_block(&view, NULL, (size_t)s->group_channels, channel, b->weight);
    const float *bias = run->in[JM_CONV_B];
    for (int j = 0; j < JM_LANES; j++) {
        const int64_t index = group * s->group_filters + filter + j;
        b->start[j] = bias && j < lanes ? bias[index * s->bias_stride] : 0.0f;
    }
}

/* Points at .. of one row: sums in the buffer, epilogue, then channel by channel to the output. */
static void compute_piece(const state *s, const jm_run *run, int64_t image, int64_t group, int64_t filter, int lanes,
                          const int64_t at[3], int64_t points, const buffers *b)
{
    const jm_conv_tile tile = {
        .weight = b->weight,
        .start = b->start,
        .output = b->row,
        .output_pixel = JM_LANES,
        .blocks = 1,
    };
    const float *input =
        (const float *)run->in[JM_CONV_X] + image * s->in.image + group * s->group_channels * s->in.channel;
    jm_conv_phase_row(&s->phases, &s->kernels->conv, input, at, points, &tile);
    const int64_t channel = group * s->group_filters + filter;
    if (s->epilogue.residual != JM_RESIDUAL_NONE) {
        const float *residual =
            (const float *)run->in[JM_CONV_RESIDUAL] + jm_plain_offset(&s->residual, image, channel, at);
        for (int64_t p = 0; p < points; p++)
            for (int j = 0; j < JM_LANES; j++)
                b->residual[p * JM_LANES + j] =
                    j < lanes ? residual[p * s->residual.point[2] + j * s->residual.channel] : 0.0f;
    }
    if (jm_epilogue_active(&s->epilogue))
        jm_epilogue_apply(s->kernels, &s->epilogue, b->row, b->residual, (size_t)points * JM_LANES);
    float *output = (float *)run->out[0] + jm_plain_offset(&s->out, image, channel, at);
    for (int j = 0; j < lanes; j++)
        for (int64_t p = 0; p < points; p++)
            output[j * s->out.channel + p * s->out.point[2]] = b->row[p * JM_LANES + j];
}

static void run_plain(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_conv_geometry *g = &s->geometry;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    const buffers b = split_scratch(s, run->scratch);
    for (int64_t block = strip.block_begin; block < strip.block_end; block++) {
        const int64_t group = block / s->group_blocks, filter = block % s->group_blocks * JM_LANES;
        const int lanes = (int)JM_MIN(s->group_filters - filter, JM_LANES);
        pack_filters(s, run, group, filter, lanes, &b);
        for (int64_t row = strip.unit_begin; row < strip.unit_end; row++) {
            for (int64_t x = 0; x < g->out[2]; x += PIECE) {
                const int64_t at[3] = {row / g->out[1], row % g->out[1], x};
                compute_piece(s, run, strip.image, group, filter, lanes, at, JM_MIN(PIECE, g->out[2] - x), &b);
            }
        }
    }
}

static jm_status plan_scratch(const jm_call *call, const state *s, size_t *bytes)
{
    size_t floats;
    if (!jm_size_add(s->phases.block_depth, JM_LANES + 2 * PIECE * JM_LANES, &floats) ||
        !jm_size_mul(floats, sizeof(float), bytes))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    return JM_OK;
}

jm_status jm_conv_plain_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_call *call = job->call;
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *w = &call->in[JM_CONV_W], *bias = jm_call_in(call, JM_CONV_B);
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_plain;
    s->kernels = job->machine->kernels;
    s->epilogue = job->epilogue;
    s->geometry = *g;
    s->in = jm_plain_view_of(&call->in[JM_CONV_X]);
    s->out = jm_plain_view_of(&call->out[0]);
    if (s->epilogue.residual != JM_RESIDUAL_NONE) s->residual = jm_plain_view_of(&call->in[JM_CONV_RESIDUAL]);
    s->weights = jm_plain_weights_of(w, g, job->transposed);
    if (bias) s->bias_stride = (ptrdiff_t)bias->stride[0];
    s->group_channels = g->channels / g->group;
    s->group_filters = g->filters / g->group;
    s->group_blocks = (s->group_filters + JM_LANES - 1) / JM_LANES;

    jm_tap_set base = {
        .in = {g->in[0], g->in[1], g->in[2]},
        .lane = s->in.channel,
        .depth = (size_t)s->group_channels,
    };
    jm_conv_spatial_strides(&call->in[JM_CONV_X], base.stride);
    const jm_conv_run *runs = jm_conv_runs_of(s->group_channels, base.lane, arena, &base.runs);
    if (!runs) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_conv_phases_create(&s->phases, g, job->transposed, &base, runs, arena));
    ptrdiff_t *offset;
    JM_TRY(jm_conv_tap_offsets(g, job->transposed, w, arena, &offset, &s->taps));
    s->tap_offset = offset;

    JM_TRY(plan_scratch(call, s, &plan->scratch));
    const int64_t rows = g->out[0] * g->out[1];
    s->strips =
        jm_strips_choose(job->machine, g->batch, g->group * s->group_blocks, 4.0 * (double)s->phases.block_depth, rows,
                         4.0 * (double)s->group_channels * (double)g->in[2]);
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->state = s;
    return JM_OK;
}
