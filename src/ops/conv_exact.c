/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolution, transposed or not, of float64 and of int32, which wraps: loops over taps and channels, in this order,
 * between tensors of any strides.
 */
#include "ops/conv.h"
#include "ops/indexing.h"

/* Where an output point is; spatial dims as (z, y, x). */
typedef struct output_point {
    int64_t image, filter, at[3];
} output_point;

typedef struct exact_state {
    jm_conv_state base;
    jm_conv_geometry g;
    bool transposed;
    int64_t group_channels, group_filters;
    ptrdiff_t in_image, in_channel, in_point[3];
    ptrdiff_t out_image, out_channel, out_point[3];
    ptrdiff_t filter_stride, channel_stride, tap_stride[3], bias_stride;
    size_t chunks;
    int64_t rows; /* of outputs along x, in all */
    void (*point)(const struct exact_state *s, const jm_run *run, const output_point *p);
} exact_state;

/* The input index that tap `tap` of dimension k reads for output index `at`; false when there is none. */
static bool tap_input(const exact_state *s, int k, int64_t at, int64_t tap, int64_t *index)
{
    const jm_conv_geometry *g = &s->g;
    if (!s->transposed) {
        *index = at * g->stride[k] - g->before[k] + tap * g->dilation[k];
    } else {
        const int64_t scaled = at + g->before[k] - tap * g->dilation[k];
        if (scaled < 0 || scaled % g->stride[k]) return false;
        *index = scaled / g->stride[k];
    }
    return *index >= 0 && *index < g->in[k];
}

/* Offsets of tap number `tap` (row-major) from channel 0; false when it lies in the padding. */
static bool tap_offsets(const exact_state *s, const int64_t at[3], int64_t tap, ptrdiff_t *input, ptrdiff_t *weight)
{
    *input = *weight = 0;
    for (int k = 2; k >= 0; k--) {
        const int64_t own = tap % s->g.kernel[k];
        int64_t index;
        tap /= s->g.kernel[k];
        if (!tap_input(s, k, at[k], own, &index)) return false;
        *input += index * s->in_point[k];
        *weight += own * s->tap_stride[k];
    }
    return true;
}

#define EXACT_POINT(name, type)                                                                                        \
    static void name(const exact_state *s, const jm_run *run, const output_point *p)                                   \
    {                                                                                                                  \
        const int64_t group = p->filter / s->group_filters, own = p->filter % s->group_filters;                        \
        const type *x =                                                                                                \
            (const type *)run->in[JM_CONV_X] + p->image * s->in_image + group * s->group_channels * s->in_channel;     \
        const type *w = (const type *)run->in[JM_CONV_W] +                                                             \
                        (s->transposed ? group * s->group_channels * s->channel_stride + own * s->filter_stride        \
                                       : p->filter * s->filter_stride);                                                \
        const type *bias = run->in[JM_CONV_B];                                                                         \
        const int64_t taps = s->g.kernel[0] * s->g.kernel[1] * s->g.kernel[2];                                         \
        type sum = bias ? bias[p->filter * s->bias_stride] : 0;                                                        \
        for (int64_t tap = 0; tap < taps; tap++) {                                                                     \
            ptrdiff_t input, weight;                                                                                   \
            if (!tap_offsets(s, p->at, tap, &input, &weight)) continue;                                                \
            for (int64_t c = 0; c < s->group_channels; c++)                                                            \
                sum += x[input + c * s->in_channel] * w[weight + c * s->channel_stride];                               \
        }                                                                                                              \
        ((type *)run->out[0])[p->image * s->out_image + p->filter * s->out_channel + p->at[0] * s->out_point[0] +      \
                              p->at[1] * s->out_point[1] + p->at[2] * s->out_point[2]] = sum;                          \
    }

EXACT_POINT(point_f64, double)
EXACT_POINT(point_i32, uint32_t)

static void run_exact(const jm_plan *plan, const jm_run *run)
{
    const exact_state *s = plan->state;
    const int64_t *out = s->g.out;
    int64_t begin, end;
    jm_chunk_range(s->rows, s->chunks, run->chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++) {
        int64_t rest = row;
        output_point p;
        p.at[1] = rest % out[1], rest /= out[1];
        p.at[0] = rest % out[0], rest /= out[0];
        p.filter = rest % s->g.filters, p.image = rest / s->g.filters;
        for (p.at[2] = 0; p.at[2] < out[2]; p.at[2]++) s->point(s, run, &p);
    }
}

jm_status jm_conv_exact_plan(const jm_conv_job *job, jm_arena *arena, jm_plan *plan)
{
    const jm_call *call = job->call;
    const jm_conv_geometry *g = &job->geometry;
    const jm_tensor *x = &call->in[JM_CONV_X], *w = &call->in[JM_CONV_W], *bias = jm_call_in(call, JM_CONV_B);
    exact_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->base.run = run_exact;
    s->g = *g;
    s->transposed = job->transposed;
    s->group_channels = g->channels / g->group;
    s->group_filters = g->filters / g->group;
    s->in_image = (ptrdiff_t)x->stride[0];
    s->in_channel = (ptrdiff_t)x->stride[1];
    jm_conv_spatial_strides(x, s->in_point);
    s->out_image = (ptrdiff_t)call->out[0].stride[0];
    s->out_channel = (ptrdiff_t)call->out[0].stride[1];
    jm_conv_spatial_strides(&call->out[0], s->out_point);
    s->filter_stride = (ptrdiff_t)w->stride[s->transposed ? 1 : 0];
    s->channel_stride = (ptrdiff_t)w->stride[s->transposed ? 0 : 1];
    jm_conv_spatial_strides(w, s->tap_stride);
    if (bias) s->bias_stride = (ptrdiff_t)bias->stride[0];
    s->point = x->dtype == JM_F64 ? point_f64 : point_i32;
    s->rows = g->batch * g->filters * g->out[0] * g->out[1];
    s->chunks = plan->chunks = jm_chunk_count(job->machine, jm_conv_flops(g, s->transposed), s->rows);
    plan->state = s;
    return JM_OK;
}
