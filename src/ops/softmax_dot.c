/* SPDX-License-Identifier: Apache-2.0
 *
 * Expectation of a distribution given by its logits: softmax along an axis, then a dot product with constants. YOLOv8
 * and its successors place the sides of a box so (distribution focal loss), with Softmax and a convolution of one
 * filter. 16 columns are done at a time and the probabilities never leave the first cache.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "ops/op.h"
#include "ops/tap_row.h"

#define CHUNK_ELEMENTS 16384
#define NANOSECONDS 0.8 /* an element */

typedef struct state {
    const jm_kernels *kernels;
    int64_t groups, count, width; /* X is [N, groups, count, width] */
    int64_t tiles;                /* of 16 columns, of a row */
    int64_t units, per_chunk;     /* tiles of all rows */
    int64_t in[4], out[3], weight;
    jm_conv_run *run;
    size_t runs;
} state;

static jm_status infer(jm_call *call)
{
    const jm_shape *x = &call->in[0].shape, *w = &call->in[1].shape;
    if (x->rank != 4) return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 4", x->rank);
    if (w->rank != 1 || (w->dim[0] >= 0 && x->dim[2] >= 0 && w->dim[0] != x->dim[2])) {
        char text[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "W is %s and must have one element for each of dimension 2",
                             jm_shape_text(w, text));
    }
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = (jm_shape){.rank = 3, .dim = {x->dim[0], x->dim[1], x->dim[3]}};
    return JM_OK;
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = (jm_form){.name = "plain",
                        .out_strided = true,
                        .in_place = -1,
                        .cost = 500 + NANOSECONDS * (double)jm_tensor_elements(&call->in[0])};
    return 1;
}

static double flops(const jm_call *call)
{
    return 6 * (double)jm_tensor_elements(&call->in[0]);
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *plan)
{
    (void)form;
    const jm_tensor *x = &call->in[0];
    state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    if (!s) return JM_OUT_OF_MEMORY;
    s->kernels = machine->kernels;
    s->groups = x->shape.dim[1];
    s->count = x->shape.dim[2];
    s->width = x->shape.dim[3];
    s->tiles = (s->width + JM_LANES - 1) / JM_LANES;
    s->units = x->shape.dim[0] * s->groups * s->tiles;
    s->per_chunk = JM_MAX(CHUNK_ELEMENTS / JM_LANES / JM_MAX(s->count, 1), 1);
    memcpy(s->in, x->stride, sizeof(s->in));
    memcpy(s->out, call->out[0].stride, sizeof(s->out));
    s->weight = call->in[1].stride[0];
    s->run = jm_conv_runs_of(s->count, 1, arena, &s->runs);
    if (!s->run) return JM_OUT_OF_MEMORY;
    /* Weights, then logits and probabilities of a tile. */
    if (!jm_size_mul((size_t)s->count, (2 * JM_LANES + 1) * sizeof(float), &plan->scratch) ||
        !jm_size_add(plan->scratch, 2 * JM_LANES * sizeof(float), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the axis is too long");
    plan->chunks = (size_t)JM_MAX((s->units + s->per_chunk - 1) / s->per_chunk, 1);
    plan->state = s;
    return JM_OK;
}

static void run(const jm_plan *plan, const jm_run *run)
{
    const state *s = plan->state;
    const int64_t begin = (int64_t)run->chunk * s->per_chunk, end = JM_MIN(s->units, begin + s->per_chunk);
    float *sum = run->scratch, *probability = sum + JM_LANES, *logit = probability + s->count * JM_LANES;
    float *weight = logit + s->count * JM_LANES;
    for (int64_t k = 0; k < s->count; k++) weight[k] = ((const float *)run->in[1])[k * s->weight];
    const jm_conv_tile tile = {
        .input = weight,
        .input_lane = 1,
        .run = s->run,
        .runs = s->runs,
        .segment = 1, /* a run is a segment */
        .weight = probability,
        .weight_block = (size_t)s->count * JM_LANES,
        .start = (const float[JM_LANES]){0},
        .output = sum,
        .output_pixel = JM_LANES,
        .pixels = 1,
        .blocks = 1,
    };
    memset(probability, 0, (size_t)s->count * JM_LANES * sizeof(float));
    for (int64_t unit = begin; unit < end; unit++) {
        const int64_t first = unit % s->tiles * JM_LANES, row = unit / s->tiles;
        const int64_t width = JM_MIN(JM_LANES, s->width - first);
        const float *x = (const float *)run->in[0] + row / s->groups * s->in[0] + row % s->groups * s->in[1];
        float *y = (float *)run->out[0] + row / s->groups * s->out[0] + row % s->groups * s->out[1];
        int64_t step = s->in[2];
        x += first * s->in[3];
        y += first * s->out[2];
        if (s->in[3] != 1) {
            for (int64_t k = 0; k < s->count; k++)
                for (int64_t i = 0; i < width; i++) logit[k * JM_LANES + i] = x[k * step + i * s->in[3]];
            x = logit;
            step = JM_LANES;
        }
        s->kernels->pointwise.softmax_columns(probability, JM_LANES, x, (size_t)step, (size_t)s->count, (size_t)width);
        s->kernels->conv.tile(&tile);
        for (int64_t i = 0; i < width; i++) y[i * s->out[2]] = sum[i];
    }
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, G, K, P], logits along K"},
    {"W", JM_PARAM_INPUT, 0, .doc = "[K]"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[N, G, P]"},
};

const jm_op jm_op_softmax_dot = {
    .name = "SoftmaxDot",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32,
    .formula = "Y[n, g, p] = sum over k of W[k] * softmax of X[n, g, :, p] at k",
    .source = "internal: Softmax and a convolution of one filter, as in the boxes of YOLOv8",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = run,
    .flops = flops,
};
