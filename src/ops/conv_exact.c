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
    jm_plain_view in, out;
    jm_plain_weights weights;
    ptrdiff_t tap_stride[3], bias_stride;
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
        *input += index * s->in.point[k];
        *weight += own * s->tap_stride[k];
    }
    return true;
}

#define EXACT_POINT(name, type)                                                                                        \
    static void name(const exact_state *s, const jm_run *run, const output_point *p)                                   \
    {                                                                                                                  \
        const int64_t group = p->filter / s->group_filters, own = p->filter % s->group_filters;                        \
        const type *x =                                                                                                \
            (const type *)run->in[JM_CONV_X] + p->image * s->in.image + group * s->group_channels * s->in.channel;     \
        const type *w = (const type *)run->in[JM_CONV_W] + group * s->weights.group + own * s->weights.filter;         \
        const type *bias = run->in[JM_CONV_B];                                                                         \
        const int64_t taps = s->g.kernel[0] * s->g.kernel[1] * s->g.kernel[2];                                         \
        type sum = bias ? bias[p->filter * s->bias_stride] : 0;                                                        \
        for (int64_t tap = 0; tap < taps; tap++) {                                                                     \
            ptrdiff_t input, weight;                                                                                   \
            if (!tap_offsets(s, p->at, tap, &input, &weight)) continue;                                                \
            for (int64_t c = 0; c < s->group_channels; c++)                                                            \
                sum += x[input + c * s->in.channel] * w[weight + c * s->weights.channel];                              \
        }                                                                                                              \
        ((type *)run->out[0])[jm_plain_offset(&s->out, p->image, p->filter, p->at)] = sum;                             \
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
    s->in = jm_plain_view_of(x);
    s->out = jm_plain_view_of(&call->out[0]);
    s->weights = jm_plain_weights_of(w, g, job->transposed);
    jm_conv_spatial_strides(w, s->tap_stride);
    if (bias) s->bias_stride = (ptrdiff_t)bias->stride[0];
    s->point = x->dtype == JM_F64 ? point_f64 : point_i32;
    s->rows = g->batch * g->filters * g->out[0] * g->out[1];
    s->chunks = plan->chunks = jm_chunk_count(job->machine, jm_conv_flops(g, s->transposed), s->rows);
    plan->state = s;
    return JM_OK;
}
