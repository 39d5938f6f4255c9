/* SPDX-License-Identifier: Apache-2.0
 *
 * Depthwise convolution of C16 maps: every lane by itself. A row has an inner part where all columns of the kernel
 * are inside, computed by one kernel call, and edges, computed point by point with the taps that are.
 */
#include "ops/conv.h"
#include "ops/epilogue.h"
#include "ops/strips.h"

typedef struct state {
    jm_conv_state base;
    const jm_kernels *kernels;
    jm_epilogue epilogue;
    jm_conv_geometry geometry;
    jm_strips strips;
    jm_c16_view in, out, residual;
    int64_t inner_begin, inner_end; /* output columns that see every kernel column */
    size_t taps;                    /* kernel rows * columns */
    const ptrdiff_t *offset;        /* [taps] from the input point of tap 0 */
    const uint32_t *index;          /* [taps] 0, 1, ... */
    const float *no_bias;
} state;

/* The kernel points [*begin, *end) that lie inside the input along axis k when point 0 lies at `first`. */
static void taps_inside(const jm_conv_geometry *g, int k, int64_t first, int64_t *begin, int64_t *end)
{
    const int64_t gap = g->dilation[k], room = g->in[k] - 1 - first;
    *begin = first >= 0 ? 0 : JM_MIN((-first + gap - 1) / gap, g->kernel[k]);
    *end = room < 0 ? 0 : JM_MIN(room / gap + 1, g->kernel[k]);
    if (*end < *begin) *end = *begin;
}

/* One output point at an edge; `row` describes a whole row of kernel rows [begin, end). */
static void edge_point(const state *s, jm_depthwise_row row, int64_t x, int64_t rows_begin, int64_t rows_end,
                       void *scratch)
{
    const jm_conv_geometry *g = &s->geometry;
    ptrdiff_t *offset = scratch;
    uint32_t *index = (uint32_t *)(offset + s->taps);
    int64_t begin, end;
    taps_inside(g, 2, x * g->stride[2] - g->before[2], &begin, &end);
    size_t taps = 0;
    for (int64_t i = rows_begin; i < rows_end; i++) {
        for (int64_t j = begin; j < end; j++, taps++) {
            index[taps] = (uint32_t)(i * g->kernel[2] + j);
            offset[taps] = s->offset[index[taps]];
        }
    }
    row.input += x * row.input_pixel;
    row.output += x * JM_LANES;
    row.offset = offset;
    row.index = index;
    row.taps = taps;
    row.pixels = 1;
    s->kernels->depthwise.row(&row);
}

static void compute_row(const state *s, const jm_run *run, int64_t image, int64_t block, int64_t y)
{
    const jm_conv_geometry *g = &s->geometry;
    const float *bias = run->in[JM_CONV_B] ? run->in[JM_CONV_B] : s->no_bias;
    const int64_t first = y * g->stride[1] - g->before[1];
    int64_t rows_begin, rows_end;
    taps_inside(g, 1, first, &rows_begin, &rows_end);
    const size_t skipped = (size_t)(rows_begin * g->kernel[2]);
    float *output = (float *)run->out[0] + image * s->out.image + block * s->out.block + y * s->out.row;
    const jm_depthwise_row row = {
        .input = (const float *)run->in[JM_CONV_X] + image * s->in.image + block * s->in.block + first * s->in.row -
                 g->before[2] * JM_LANES,
        .input_pixel = (ptrdiff_t)g->stride[2] * JM_LANES,
        .offset = s->offset + skipped,
        .index = s->index + skipped,
        .taps = (size_t)((rows_end - rows_begin) * g->kernel[2]),
        .weight = (const float *)run->in[JM_CONV_W] + (size_t)block * s->taps * JM_LANES,
        .start = bias + block * JM_LANES,
        .output = output,
    };
    for (int64_t x = 0; x < s->inner_begin; x++) edge_point(s, row, x, rows_begin, rows_end, run->scratch);
    jm_depthwise_row inner = row;
    inner.input += s->inner_begin * row.input_pixel;
    inner.output += s->inner_begin * JM_LANES;
    inner.pixels = (size_t)(s->inner_end - s->inner_begin);
    s->kernels->depthwise.row(&inner);
    for (int64_t x = s->inner_end; x < g->out[2]; x++) edge_point(s, row, x, rows_begin, rows_end, run->scratch);
    if (!jm_epilogue_active(&s->epilogue)) return;
    const float *residual = NULL;
    if (s->epilogue.residual != JM_RESIDUAL_NONE) {
        residual = (const float *)run->in[JM_CONV_RESIDUAL] + image * s->residual.image + block * s->residual.block +
                   y * s->residual.row;
    }
    jm_epilogue_apply(s->kernels, &s->epilogue, output, residual, (size_t)g->out[2] * JM_LANES);
}

static void run_depthwise(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const jm_strip strip = jm_strips_at(&s->strips, run->chunk);
    for (int64_t block = strip.block_begin; block < strip.block_end; block++)
        for (int64_t y = strip.unit_begin; y < strip.unit_end; y++) compute_row(s, run, strip.image, block, y);
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
    s->geometry = *g;
    s->in = jm_c16_view_of(x);
    s->out = jm_c16_view_of(y);
    if (s->epilogue.residual != JM_RESIDUAL_NONE) s->residual = jm_c16_view_of(&job->call->in[JM_CONV_RESIDUAL]);

    const int64_t span = (g->kernel[2] - 1) * g->dilation[2], room = g->in[2] - 1 + g->before[2] - span;
    s->inner_begin = JM_MIN((g->before[2] + g->stride[2] - 1) / g->stride[2], g->out[2]);
    s->inner_end = room < 0 ? 0 : JM_MIN(room / g->stride[2] + 1, g->out[2]);
    s->inner_end = JM_MAX(s->inner_end, s->inner_begin);

    const int64_t blocks = jm_channel_blocks(g->filters, y->map);
    if (!jm_size_mul((size_t)g->kernel[1], (size_t)g->kernel[2], &s->taps) || s->taps > UINT32_MAX)
        return jm_call_error(job->call, JM_OUT_OF_RANGE, "the kernel is too large");
    ptrdiff_t *offset = jm_arena_alloc(arena, s->taps, sizeof(*offset));
    uint32_t *index = jm_arena_alloc(arena, s->taps, sizeof(*index));
    s->no_bias = jm_arena_alloc(arena, (size_t)blocks * JM_LANES, sizeof(float));
    if (!offset || !index || !s->no_bias) return JM_OUT_OF_MEMORY;
    for (size_t t = 0; t < s->taps; t++) {
        index[t] = (uint32_t)t;
        offset[t] = (ptrdiff_t)t / g->kernel[2] * g->dilation[1] * s->in.row +
                    (ptrdiff_t)t % g->kernel[2] * g->dilation[2] * JM_LANES;
    }
    s->offset = offset;
    s->index = index;
    plan->scratch = s->taps * (sizeof(*offset) + sizeof(*index));
    s->strips = jm_strips_choose(job->machine, g->batch, blocks, 4.0 * JM_LANES * (double)s->taps, g->out[1],
                                 4.0 * JM_LANES * (double)g->in[2] * (double)g->stride[1]);
    plan->chunks = jm_strips_chunks(&s->strips);
    plan->state = s;
    return JM_OK;
}
