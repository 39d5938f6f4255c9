/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights and biases of Conv and ConvTranspose in the order of a form: constants at once, others while the call runs.
 */
#include <string.h>

#include "ops/conv.h"
#include "ops/conv_pack.h"
#include "ops/conv_phase.h"

bool jm_conv_turned(const jm_conv_geometry *g, jm_conv_geometry *out)
{
    *out = *g;
    for (int k = 0; k < 3; k++) {
        const int64_t reach = (g->kernel[k] - 1) * g->dilation[k];
        out->before[k] = reach - g->before[k];
        out->after[k] = reach - g->after[k];
        out->extra[k] = 0;
        if (g->stride[k] != 1 || g->extra[k] || out->before[k] < 0 || out->after[k] < 0) return false;
    }
    return true;
}

/* These forms compute a transposed convolution as an ordinary one: their taps come in reverse. */
static bool turns_taps(const jm_call *call, const jm_form *form)
{
    return jm_conv_is_transposed(call) && jm_conv_form_turns(form->id);
}

static void reverse(ptrdiff_t *offset, size_t taps)
{
    for (size_t t = 0; t < taps / 2; t++) {
        const ptrdiff_t other = offset[taps - 1 - t];
        offset[taps - 1 - t] = offset[t];
        offset[t] = other;
    }
}

/* Between filters; those of groups of one channel follow each other through all groups. */
static ptrdiff_t filter_stride(const jm_conv_geometry *g, bool transposed, const jm_tensor *w)
{
    return (ptrdiff_t)w->stride[transposed && g->group == 1 ? 1 : 0];
}

/* ---- Constants ---- */

jm_status jm_conv_pack_bytes(const jm_call *call, const jm_form *form, int input, size_t *bytes)
{
    *bytes = 0;
    if (!(form->in_packed >> input & 1)) return JM_OK;
    jm_conv_geometry g;
    JM_TRY(jm_conv_geometry_of(call, &g));
    size_t depth = 1;
    bool fits = true;
    if (input == JM_CONV_W) {
        jm_winograd kind;
        if (form->id == JM_CONV_WINOGRAD && jm_conv_winograd_kind(&g, &kind))
            depth = jm_winograd_positions(kind);
        else
            fits = jm_conv_tap_count(&g, jm_conv_is_transposed(call), &depth);
        fits = fits && jm_size_mul(depth, (size_t)(g.channels / g.group), &depth);
    }
    const size_t lanes = (size_t)jm_channel_blocks(g.filters, call->out[0].map) * JM_LANES;
    if (!fits || !jm_size_mul(lanes, sizeof(float), bytes) || !jm_size_mul(*bytes, depth, bytes))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    return JM_OK;
}

static jm_status pack_weights(const jm_call *call, const jm_form *form, const jm_conv_geometry *g,
                              const int32_t *filter, jm_arena *arena, float *packed)
{
    const jm_tensor *w = &call->in[JM_CONV_W];
    const bool transposed = jm_conv_is_transposed(call);
    int32_t *order = NULL;
    ptrdiff_t *offset;
    if (form->in == JM_C16 && !(form->in_plain & 1u << JM_CONV_X) && g->group == 1)
        JM_TRY(jm_channel_order(g->channels, call->in[JM_CONV_X].map, arena, &order));
    jm_weight_view view = {
        .data = w->data,
        .filter_stride = filter_stride(g, transposed, w),
        .channel_stride = (ptrdiff_t)w->stride[transposed && g->group == 1 ? 0 : 1],
    };
    JM_TRY(jm_conv_tap_offsets(g, transposed, w, arena, &offset, &view.taps));
    if (turns_taps(call, form)) reverse(offset, view.taps);
    view.tap_offset = offset;
    const size_t channels = (size_t)(g->channels / g->group);
    const size_t blocks = (size_t)jm_channel_blocks(g->filters, call->out[0].map);
    jm_winograd kind;
    if (form->id == JM_CONV_WINOGRAD && jm_conv_winograd_kind(g, &kind)) {
        const size_t block = jm_winograd_positions(kind) * channels * JM_LANES;
        for (size_t b = 0; b < blocks; b++)
            jm_pack_block_winograd(&view, kind, order, channels, filter + b * JM_LANES, packed + b * block);
        return JM_OK;
    }
    for (size_t b = 0; b < blocks; b++)
        jm_pack_block(&view, order, channels, filter + b * JM_LANES, packed + b * view.taps * channels * JM_LANES);
    return JM_OK;
}

jm_status jm_conv_pack(const jm_call *call, const jm_form *form, int input, void *packed)
{
    const jm_tensor *tensor = &call->in[input];
    const jm_channel_map *map = call->out[0].map;
    jm_conv_geometry g;
    JM_TRY(jm_conv_geometry_of(call, &g));
    jm_arena *arena;
    JM_TRY(jm_arena_create(&arena));
    int32_t *filter;
    jm_status status = jm_lane_channels(g.filters, map, arena, &filter);
    if (status == JM_OK && input == JM_CONV_W) status = pack_weights(call, form, &g, filter, arena, packed);
    if (status == JM_OK && input == JM_CONV_B) {
        jm_pack_lanes(tensor->data, (ptrdiff_t)tensor->stride[0], filter,
                      (size_t)jm_channel_blocks(g.filters, map) * JM_LANES, packed);
    }
    jm_arena_destroy(arena);
    return status;
}

/* ---- While the call runs ---- */

/* A chunk packs some channels of a block of 16 filters: they are brought into lines of 16 lanes in scratch,
 * [channels][points of the kernel], which then go where the form wants them. */
typedef struct pack_state {
    const jm_kernels *kernels;
    bool bias;
    int64_t filters;
    ptrdiff_t filter_stride, channel_stride;
    size_t channels, taps; /* of a filter */
    size_t points;         /* of the kernel where they lie next to each other, else its taps, one by one */
    const ptrdiff_t *tap;  /* [taps]: lines from that of the channel; elements when one by one */
    bool one_by_one;
    bool winograd;
    jm_winograd kind;
    size_t part, parts; /* channels of a chunk, chunks of a block */
} pack_state;

/* Lines of `count` channels from the first on: 16 filters, fewer in the last block. */
static void bring_lines(const pack_state *s, const float *from, int lanes, size_t count, float *lines)
{
    const jm_gemm_kernels *gemm = &s->kernels->gemm;
    const ptrdiff_t channel = s->channel_stride, filter = s->filter_stride;
    if (s->one_by_one) {
        for (size_t t = 0; t < s->taps; t++)
            for (size_t i = 0; i < count; i++)
                gemm->pack(from + s->tap[t] + (ptrdiff_t)i * channel, 1, filter, 1, lanes, JM_LANES, 1.0f,
                           lines + (i * s->points + t) * JM_LANES);
    } else if (s->points == 1 || channel == (ptrdiff_t)s->points) {
        gemm->pack(from, s->points == 1 ? channel : 1, filter, count * s->points, lanes, JM_LANES, 1.0f, lines);
    } else {
        for (size_t i = 0; i < count; i++)
            gemm->pack(from + (ptrdiff_t)i * channel, 1, filter, s->points, lanes, JM_LANES, 1.0f,
                       lines + i * s->points * JM_LANES);
    }
}

static void pack_chunk(const pack_state *s, const jm_run *run)
{
    /* Chunks follow each other as the weights lie in memory. */
    const size_t blocks = (size_t)(s->filters + JM_LANES - 1) / JM_LANES;
    const bool by_channels = s->channel_stride > s->filter_stride;
    const size_t block = by_channels ? run->chunk % blocks : run->chunk / s->parts;
    const size_t first = (by_channels ? run->chunk / blocks : run->chunk % s->parts) * s->part;
    const size_t count = JM_MIN(s->part, s->channels - first);
    const int64_t filter = (int64_t)block * JM_LANES;
    const float *from = (const float *)run->in[0] + filter * s->filter_stride + (ptrdiff_t)first * s->channel_stride;
    float *lines = run->scratch;
    bring_lines(s, from, (int)JM_MIN(s->filters - filter, JM_LANES), count, lines);
    if (s->winograd) {
        const size_t positions = jm_winograd_positions(s->kind);
        const ptrdiff_t step = s->one_by_one ? 1 : s->tap[1] - s->tap[0];
        s->kernels->winograd.filter[s->kind](
            &(jm_winograd_weights){.from = lines + (s->one_by_one ? 0 : s->tap[0]) * JM_LANES,
                                   .from_channel = (ptrdiff_t)s->points * JM_LANES,
                                   .from_tap = step * JM_LANES,
                                   .to = (float *)run->out[0] + (block * positions * s->channels + first) * JM_LANES,
                                   .to_position = s->channels * JM_LANES,
                                   .channels = count});
        return;
    }
    float *to = (float *)run->out[0] + (block * s->taps * s->channels + first) * JM_LANES;
    for (size_t t = 0; t < s->taps; t++, to += s->channels * JM_LANES) {
        const float *line = lines + (s->one_by_one ? t : (size_t)s->tap[t]) * JM_LANES;
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * JM_LANES, line + i * s->points * JM_LANES, JM_LANES * sizeof(float));
    }
}

void jm_conv_pack_run(const jm_plan *plan, const jm_run *run)
{
    const pack_state *s = plan->state;
    if (!s->bias) {
        pack_chunk(s, run);
        return;
    }
    const int64_t lanes = (s->filters + JM_LANES - 1) / JM_LANES * JM_LANES;
    const float *bias = run->in[0];
    float *to = run->out[0];
    for (int64_t i = 0; i < lanes; i++) to[i] = i < s->filters ? bias[i * s->filter_stride] : 0.0f;
}

/* Whether the points of the kernel lie next to each other, in order. */
static bool is_dense(const jm_conv_geometry *g, const jm_tensor *w)
{
    ptrdiff_t stride[3], step = 1;
    jm_conv_spatial_strides(w, stride);
    for (int k = 2; k >= 0; k--) {
        if (g->kernel[k] > 1 && stride[k] != step) return false;
        step *= (ptrdiff_t)g->kernel[k];
    }
    return true;
}

jm_status jm_conv_pack_plan(const jm_call *call, const jm_form *form, int input, const jm_machine *machine,
                            jm_arena *arena, jm_plan *plan)
{
    enum { LINES = 512 }; /* of a chunk, 32 KiB */
    const jm_tensor *tensor = &call->in[input];
    const bool transposed = jm_conv_is_transposed(call);
    jm_conv_geometry g;
    pack_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_conv_geometry_of(call, &g));
    s->kernels = machine->kernels;
    s->filters = g.filters;
    s->bias = input == JM_CONV_B;
    plan->state = s;
    plan->chunks = 1;
    if (s->bias) {
        s->filter_stride = (ptrdiff_t)tensor->stride[0];
        return JM_OK;
    }
    s->filter_stride = filter_stride(&g, transposed, tensor);
    s->channel_stride = (ptrdiff_t)tensor->stride[transposed && g.group == 1 ? 0 : 1];
    s->channels = (size_t)(g.channels / g.group);
    ptrdiff_t *tap;
    JM_TRY(jm_conv_tap_offsets(&g, transposed, tensor, arena, &tap, &s->taps));
    if (turns_taps(call, form)) reverse(tap, s->taps);
    s->tap = tap;
    s->one_by_one = !is_dense(&g, tensor);
    s->points = s->one_by_one ? s->taps : (size_t)(g.kernel[0] * g.kernel[1] * g.kernel[2]);
    s->winograd = form->id == JM_CONV_WINOGRAD && jm_conv_winograd_kind(&g, &s->kind);
    s->part = JM_MIN(JM_MAX(LINES / JM_MAX(s->points, 1), 1), s->channels);
    s->parts = (s->channels + s->part - 1) / s->part;
    plan->chunks = (size_t)((g.filters + JM_LANES - 1) / JM_LANES) * s->parts;
    size_t lines;
    if (!jm_size_mul(s->part, s->points, &lines) || !jm_size_mul(lines, JM_LANES * sizeof(float), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    return JM_OK;
}
