/* SPDX-License-Identifier: Apache-2.0
 *
 * Depthwise convolution of C16 maps: every lane by itself. A chunk is cut into pieces of a few rows, which stay in the
 * first cache for the epilogue.
 */

#include "ops/conv.h"
#include "ops/conv_pack.h"
#include "ops/epilogue.h"
#include "ops/strips.h"

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;   /* what the kernel leaves to do */
    jm_depthwise_rows rows; /* all but addresses and the rows to compute */
    jm_strips strips;
    jm_c16_view in, out, residual;
    int64_t piece; /* rows */
    size_t taps;
    const bool *half; /* [blocks]: no more than lanes 0 .. 7 have channels */
    const float *no_bias;
} state;

static void compute_piece(const state *s, const jm_run *run, int64_t image, int64_t block, int64_t begin, int64_t end)
{
    const float *bias = run->in[JM_CONV_B] ? run->in[JM_CONV_B] : s->no_bias;
    jm_depthwise_rows rows = s->rows;
    rows.half = s->half[block];
    rows.begin = begin;
    rows.end = end;
    rows.input = (const float *)run->in[JM_CONV_X] + image * s->in.image + block * s->in.block;
    rows.weight = (const float *)run->in[JM_CONV_W] + (size_t)block * s->taps * JM_LANES;
    rows.start = bias + block * JM_LANES;
    rows.output = (float *)run->out[0] + image * s->out.image + block * s->out.block + begin * s->out.row;
    s->kernels->depthwise.rows(&rows);
    if (!jm_epilogue_active(&s->epilogue)) return;
    const float *residual = NULL;
    if (s->epilogue.residual != JM_RESIDUAL_NONE) {
        residual = (const float *)run->in[JM_CONV_RESIDUAL] + image * s->residual.image + block * s->residual.block +
                   begin * s->residual.row;
    }
    const size_t row = (size_t)rows.columns * JM_LANES;
    const bool whole = s->out.row == (ptrdiff_t)row && (!residual || s->residual.row == (ptrdiff_t)row);
    if (whole) {
        jm_epilogue_apply(s->kernels, &s->epilogue, rows.output, residual, row * (size_t)(end - begin));
        return;
    }
    for (int64_t y = begin; y < end; y++, rows.output += s->out.row) {
        jm_epilogue_apply(s->kernels, &s->epilogue, rows.output, residual, row);
        if (residual) residual += s->residual.row;
    }
}

static void run_depthwise(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    for (int64_t block = strip.block_begin; block < strip.block_end; block++)
        for (int64_t y = strip.unit_begin; y < strip.unit_end; y += s->piece)
            compute_piece(s, run, strip.image, block, y, JM_MIN(y + s->piece, strip.unit_end));
}

jm_status jm_conv_depthwise_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *x = &job->call->in[JM_CONV_X], *y = &job->call->out[0];
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_depthwise;
    s->kernels = job->machine->kernels;
    s->epilogue = job->epilogue;
    s->in = jm_c16_view_of(x);
    s->out = jm_c16_view_of(y);
    if (s->epilogue.residual != JM_RESIDUAL_NONE) s->residual = jm_c16_view_of(&job->call->in[JM_CONV_RESIDUAL]);
    s->rows = (jm_depthwise_rows){
        .in = {g->in[1], g->in[2]},
        .columns = g->out[2],
        .kernel = {g->kernel[1], g->kernel[2]},
        .stride = {g->stride[1], g->stride[2]},
        .before = {g->before[1], g->before[2]},
        .dilation = {g->dilation[1], g->dilation[2]},
        .input_row = s->in.row,
        .output_row = s->out.row,
    };
    s->rows.clamp = jm_epilogue_take_clamp(&s->epilogue, &s->rows.low, &s->rows.high);

    const int64_t blocks = jm_channel_blocks(g->filters, y->map);
    if (!jm_size_mul((size_t)g->kernel[1], (size_t)g->kernel[2], &s->taps))
        return jm_call_error(job->call, JM_OUT_OF_RANGE, "the kernel is too large");
    s->no_bias = jm_arena_alloc(arena, (size_t)blocks * JM_LANES, sizeof(float));
    if (!s->no_bias) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_half_blocks(g->filters, y->map, arena, &s->half));
    const double row_bytes = 4.0 * JM_LANES * (double)g->out[2];
    s->piece = JM_MAX(1, (int64_t)((double)job->machine->l1 / 4 / row_bytes));
    s->strips = jm_strips_choose(job->machine, g->batch, blocks, 4.0 * JM_LANES * (double)s->taps, g->out[1],
                                 4.0 * JM_LANES * (double)g->in[2] * (double)g->stride[1]);
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->state = s;
    return JM_OK;
}
