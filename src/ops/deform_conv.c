/* SPDX-License-Identifier: Apache-2.0
 *
 * DeformConv: a convolution whose taps lie between pixels, where offsets that are data put them. One output pixel at a
 * time: its taps are sampled once for all filters.
 */
#include <math.h>
#include <string.h>

#include "ops/conv_geometry.h"
#include "ops/indexing.h"
#include "ops/strided.h"

enum { X, W, OFFSET, BIAS, MASK };                                    /* inputs */
enum { DILATIONS, GROUP, KERNEL_SHAPE, OFFSET_GROUP, PADS, STRIDES }; /* attributes */

typedef struct deform {
    jm_conv_geometry g;                                     /* y and x are spatial dims 1 and 2 */
    int64_t offset_groups, taps, columns;                   /* columns: channels of a group * taps */
    bool bias, mask, pack;                                  /* pack: W is not contiguous */
    int64_t x[4], w[4], offset[4], m[4], out[4], bias_step; /* strides in elements */
    size_t chunks;
} deform;

static jm_status resolve(const jm_call *call, jm_conv_geometry *g)
{
    const jm_attr none = {.present = true, .count = 1, .s = "NOTSET"};
    const jm_conv_attrs attrs = {.auto_pad = &none,
                                 .dilations = &call->attr[DILATIONS],
                                 .group = &call->attr[GROUP],
                                 .kernel_shape = &call->attr[KERNEL_SHAPE],
                                 .pads = &call->attr[PADS],
                                 .strides = &call->attr[STRIDES]};
    if (call->in[X].shape.rank != 4)
        return jm_call_error(call, JM_UNSUPPORTED, "X has %d dimensions; 4 are supported", call->in[X].shape.rank);
    return jm_conv_resolve(call, &attrs, g);
}

static jm_status check_input(const jm_call *call, int input, int64_t channels, const jm_conv_geometry *g)
{
    const jm_tensor *tensor = jm_call_in(call, input);
    const jm_shape want = {.rank = 4, .dim = {g->batch, channels, g->out[1], g->out[2]}};
    char have[JM_SHAPE_TEXT], text[JM_SHAPE_TEXT];
    if (!tensor || jm_shape_equal(&tensor->shape, &want)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s and must be %s",
                         jm_op_input(call->op, input)->name, jm_shape_text(&tensor->shape, have),
                         jm_shape_text(&want, text));
}

static jm_status deform_infer(jm_call *call)
{
    jm_conv_geometry g;
    const int64_t groups = call->attr[OFFSET_GROUP].i;
    JM_TRY(resolve(call, &g));
    for (int i = 0; i < call->inputs; i++)
        if (jm_call_in(call, i) && !jm_shape_known(&call->in[i].shape))
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' has an unknown size",
                                 jm_op_input(call->op, i)->name);
    if (groups < 1 || groups > g.channels || g.channels % groups != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "offset_group %lld does not divide %lld channels",
                             (long long)groups, (long long)g.channels);
    const int64_t taps = g.kernel[1] * g.kernel[2];
    JM_TRY(check_input(call, OFFSET, 2 * groups * taps, &g));
    JM_TRY(check_input(call, MASK, groups * taps, &g));
    const jm_tensor *bias = jm_call_in(call, BIAS);
    if (bias && (bias->shape.rank != 1 || bias->shape.dim[0] != g.filters))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "B must have one value for each of %lld filters",
                             (long long)g.filters);
    call->out[0].dtype = call->in[X].dtype;
    call->out[0].shape = (jm_shape){.rank = 4, .dim = {g.batch, g.filters, g.out[1], g.out[2]}};
    return JM_OK;
}

static jm_status deform_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    deform *d = jm_arena_alloc(arena, 1, sizeof(*d));
    size_t floats, weights = 0;
    if (!d) return JM_OUT_OF_MEMORY;
    plan->state = d;
    JM_TRY(resolve(call, &d->g));
    d->offset_groups = call->attr[OFFSET_GROUP].i;
    d->taps = d->g.kernel[1] * d->g.kernel[2];
    d->columns = d->g.channels / d->g.group * d->taps;
    d->bias = jm_call_in(call, BIAS);
    d->mask = jm_call_in(call, MASK);
    d->pack = !jm_tensor_contiguous(&call->in[W]);
    for (int k = 0; k < 4; k++) {
        d->x[k] = call->in[X].stride[k];
        d->w[k] = call->in[W].stride[k];
        d->offset[k] = call->in[OFFSET].stride[k];
        d->out[k] = call->out[0].stride[k];
        if (d->mask) d->m[k] = call->in[MASK].stride[k];
    }
    if (d->bias) d->bias_step = call->in[BIAS].stride[0];
    if (!jm_size_mul((size_t)d->g.channels, (size_t)d->taps, &floats) ||
        (d->pack && !jm_size_mul((size_t)d->g.filters, (size_t)d->columns, &weights)) ||
        !jm_size_add(floats, weights, &floats) || !jm_size_mul(floats, sizeof(float), &plan->scratch))
        return jm_call_error(call, JM_OUT_OF_RANGE, "the weights are too large");
    const int64_t rows = d->g.batch * d->g.out[1];
    d->chunks = plan->chunks = jm_chunk_count(machine, jm_conv_flops(&d->g, false), rows);
    return JM_OK;
}

/* Element offsets of the four pixels around a place and their weights, 0 for pixels outside. */
static void corners(const deform *d, float y, float x, int64_t offset[4], float weight[4])
{
    const float top = floorf(y), left = floorf(x);
    const bool near = y > -1 && y < (float)d->g.in[1] && x > -1 && x < (float)d->g.in[2]; /* false for NaN */
    for (int i = 0; i < 4; i++) {
        offset[i] = 0;
        weight[i] = 0;
        if (!near) continue;
        const int64_t row = (int64_t)top + i / 2, column = (int64_t)left + i % 2;
        if (row < 0 || row >= d->g.in[1] || column < 0 || column >= d->g.in[2]) continue;
        offset[i] = row * d->x[2] + column * d->x[3];
        weight[i] = (i / 2 ? y - top : 1 - (y - top)) * (i % 2 ? x - left : 1 - (x - left));
    }
}

/* Samples one tap of an output pixel for every channel of an offset group. */
static void sample_tap(const deform *d, const jm_run *run, const int64_t pixel[3], int64_t group, int64_t tap,
                       float *column)
{
    const int64_t channels = d->g.channels / d->offset_groups, first = group * channels;
    const int64_t place = pixel[1] * d->offset[2] + pixel[2] * d->offset[3] + pixel[0] * d->offset[0];
    const float *offset = (const float *)run->in[OFFSET] + place + 2 * (group * d->taps + tap) * d->offset[1];
    const int64_t i = tap / d->g.kernel[2], j = tap % d->g.kernel[2];
    const float y = (float)(pixel[1] * d->g.stride[1] - d->g.before[1] + i * d->g.dilation[1]) + offset[0];
    const float x = (float)(pixel[2] * d->g.stride[2] - d->g.before[2] + j * d->g.dilation[2]) + offset[d->offset[1]];
    int64_t at[4];
    float weight[4], mask = 1;
    if (d->mask)
        mask = ((const float *)run->in[MASK])[pixel[0] * d->m[0] + (group * d->taps + tap) * d->m[1] +
                                              pixel[1] * d->m[2] + pixel[2] * d->m[3]];
    corners(d, y, x, at, weight);
    const float *map = (const float *)run->in[X] + pixel[0] * d->x[0] + first * d->x[1];
    for (int64_t c = 0; c < channels; c++, map += d->x[1]) {
        float sum = weight[0] * map[at[0]];
        for (int k = 1; k < 4; k++) sum = fmaf(weight[k], map[at[k]], sum);
        column[(first + c) * d->taps + tap] = mask * sum;
    }
}

static void deform_run(const jm_plan *plan, const jm_run *run)
{
    const deform *d = plan->state;
    const int64_t filters = d->g.filters / d->g.group;
    float *column = run->scratch;
    const float *weights = run->in[W];
    int64_t begin, end;
    jm_chunk_range(d->g.batch * d->g.out[1], d->chunks, run->chunk, &begin, &end);
    if (begin == end) return;
    if (d->pack) {
        float *packed = column + d->g.channels * d->taps;
        const int64_t dims[] = {d->g.filters, d->g.channels / d->g.group, d->g.kernel[1], d->g.kernel[2]};
        jm_strided_gather(packed, weights, sizeof(float), 4, dims, d->w, 0, d->g.filters * d->columns);
        weights = packed;
    }
    for (int64_t i = begin * d->g.out[2]; i < end * d->g.out[2]; i++) {
        const int64_t row = i / d->g.out[2];
        const int64_t pixel[3] = {row / d->g.out[1], row % d->g.out[1], i % d->g.out[2]};
        for (int64_t k = 0; k < d->offset_groups * d->taps; k++)
            sample_tap(d, run, pixel, k / d->taps, k % d->taps, column);
        float *out = (float *)run->out[0] + pixel[0] * d->out[0] + pixel[1] * d->out[2] + pixel[2] * d->out[3];
        for (int64_t f = 0; f < d->g.filters; f++) {
            const float *own = weights + f * d->columns, *from = column + f / filters * d->columns;
            float sum = d->bias ? ((const float *)run->in[BIAS])[f * d->bias_step] : 0;
            for (int64_t k = 0; k < d->columns; k++) sum = fmaf(own[k], from[k], sum);
            out[f * d->out[1]] = sum;
        }
    }
}

static double deform_flops(const jm_call *call)
{
    jm_conv_geometry g;
    return resolve(call, &g) == JM_OK && jm_shape_known(&call->out[0].shape) ? jm_conv_flops(&g, false) : 0;
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, H, W]"},
    {"W", JM_PARAM_INPUT, 0, .doc = "[M, C / group, kernel]"},
    {"offset", JM_PARAM_INPUT, 0, .doc = "[N, offset_group * taps * 2, OH, OW], y and x of each tap"},
    {"B", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[M]"},
    {"mask", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[N, offset_group * taps, OH, OW], factor of each tap"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[N, M, OH, OW]"},
    {"dilations", JM_PARAM_INTS, JM_OPTIONAL, .doc = "of each spatial axis; absent: 1"},
    {"group", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "divides channels and filters"},
    {"kernel_shape", JM_PARAM_INTS, JM_OPTIONAL, .doc = "that of W"},
    {"offset_group", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "channels that share offsets; divides C"},
    {"pads", JM_PARAM_INTS, JM_OPTIONAL, .doc = "before, then after each axis; absent: 0"},
    {"strides", JM_PARAM_INTS, JM_OPTIONAL, .doc = "of each spatial axis; absent: 1"},
};

const jm_op jm_op_deform_conv = {
    .name = "DeformConv",
    .param = param,
    .params = JM_COUNT(param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = 1u << JM_F32,
    .formula = "Conv whose taps are moved by offset, sampled between pixels and multiplied by mask",
    .source = "ONNX DeformConv-22",
    .infer = deform_infer,
    .plan = deform_plan,
    .run = deform_run,
    .flops = deform_flops,
};
