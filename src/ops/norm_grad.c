/* SPDX-License-Identifier: Apache-2.0
 *
 * Gradients of LayerNormalization and GroupNormalization, made of other operators. With xhat = (X - mean) invstd and
 * g = dY scale, both are dX = invstd (g - mean g - xhat mean(g xhat)), the means over what was normalised together.
 * float16 and bfloat16 are computed in float32 and rounded once.
 */
#include "ops/compose.h"

#include <string.h>

static jm_dtype compute_type(const jm_call *call)
{
    return call->in[1].dtype == JM_F64 ? JM_F64 : JM_F32;
}

/* Input `i` in the type in which is computed. */
static jm_operand *compute_input(jm_compose *c, const jm_call *call, int i)
{
    return jm_compose_cast(c, jm_compose_input(c, i), compute_type(call));
}

static jm_operand *reshaped_input(jm_compose *c, const jm_call *call, int i, const jm_shape *shape)
{
    return jm_compose_reshape(c, compute_input(c, call, i), shape);
}

/* op(a, b) becomes output `i`, without a copy where no conversion is needed. */
static void result_2(jm_compose *c, int i, const char *op, jm_operand *a, jm_operand *b)
{
    jm_operand *out = jm_builder_output(c->builder, i);
    if (jm_compose_tensor(c, out)->dtype == jm_compose_tensor(c, a)->dtype)
        jm_compose_into(c, op, (jm_operand *[]){a, b}, 2, NULL, 0, &out, 1);
    else
        jm_compose_result(c, i, jm_compose_cast(c, jm_compose_2(c, op, a, b), jm_compose_tensor(c, out)->dtype));
}

static jm_operand *normalised(jm_compose *c, jm_operand *x, jm_operand *mean, jm_operand *invstd)
{
    return jm_compose_2(c, "Mul", jm_compose_2(c, "Sub", x, mean), invstd);
}

/* g - mean g - xhat mean(g xhat); the means keep their axes. */
static jm_operand *centred(jm_compose *c, jm_operand *g, jm_operand *xhat, const int64_t *axes, int count)
{
    jm_operand *mean = jm_compose_reduce(c, "ReduceMean", g, axes, count, true);
    jm_operand *slope = jm_compose_reduce(c, "ReduceMean", jm_compose_2(c, "Mul", g, xhat), axes, count, true);
    jm_operand *rest = jm_compose_2(c, "Sub", g, mean);
    return jm_compose_2(c, "Sub", rest, jm_compose_2(c, "Mul", xhat, slope));
}

enum { DY, X, MEAN, INVSTD, SCALE, BIAS };

/* Whether NormGradRows does it: in float32, and not for the sum of dY alone. */
static bool in_rows(const jm_call *call, const int64_t *mask)
{
    return compute_type(call) == JM_F32 && (mask[0] || mask[1]) && jm_tensor_elements(&call->in[X]) > 0;
}

/* All gradients, with X as [images, groups, channels / groups, points]. */
static void grad_rows(jm_compose *c, const jm_call *call, const int64_t *mask, int64_t images, int64_t groups,
                      int64_t points, const jm_shape *parameter)
{
    enum { CHUNKS = 32, CHUNK_ELEMENTS = 16384 };
    const int64_t work = jm_tensor_elements(&call->in[X]) / CHUNK_ELEMENTS;
    const int64_t parts = JM_MAX(JM_MIN(JM_MIN(images, CHUNKS / groups), work), 1);
    const jm_named_attr attr[] = {{"groups", {.count = 1, .i = groups}},
                                  {"points", {.count = 1, .i = points}},
                                  {"parts", {.count = 1, .i = parts}}};
    jm_operand *in[5] = {NULL}, *out[3] = {NULL};
    for (int i = DY; i <= SCALE; i++)
        if (jm_call_in(call, i)) in[i] = compute_input(c, call, i);
    const bool direct = mask[0] && call->in[X].dtype == JM_F32;
    jm_operand *sum[2] = {NULL};
    for (int i = 0; i < 2 && parameter->rank == 1; i++)
        if (mask[1 + i]) sum[i] = jm_builder_output(c->builder, 1 + i);
    if (direct) out[0] = jm_builder_output(c->builder, 0);
    if (parts == 1) memcpy(out + 1, sum, sizeof(sum));
    jm_compose_into(c, "NormGradRows", in, 5, attr, 3, out, 3);
    if (parts == 1)
        memcpy(sum, out + 1, sizeof(sum));
    else if (mask[1] || mask[2])
        jm_compose_into(c, "NormGradParts", out + 1, 2, NULL, 0, sum, 2);
    if (mask[0] && !direct) jm_compose_result(c, 0, jm_compose_cast(c, out[0], call->in[X].dtype));
    for (int i = 0; i < 2 && parameter->rank != 1; i++)
        if (mask[1 + i]) jm_compose_result(c, 1 + i, jm_compose_reshape(c, sum[i], parameter));
}

static jm_status check_types(const jm_call *call)
{
    for (int i = 0; i < call->inputs; i++) {
        const jm_tensor *own = jm_call_in(call, i);
        if (own && !(JM_DTYPES_FLOAT >> own->dtype & 1))
            return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", jm_op_input(call->op, i)->name,
                                 jm_dtype_text(own->dtype));
    }
    if (call->in[DY].dtype != call->in[X].dtype || !jm_shape_equal(&call->in[DY].shape, &call->in[X].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "inputs dY and X must have the same type and shape");
    return JM_OK;
}

/* Absent or `count` elements, in any shape. */
static jm_status check_count(const jm_call *call, int input, int64_t count)
{
    const jm_tensor *own = jm_call_in(call, input);
    if (!own || jm_tensor_elements(own) == count || !jm_shape_known(&own->shape)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' has %lld elements and must have %lld",
                         jm_op_input(call->op, input)->name, (long long)jm_tensor_elements(own), (long long)count);
}

/* An output, or [0] where it is not wanted. */
static jm_status infer_outputs(jm_call *call, const jm_attr *mask, const jm_shape *parameter)
{
    if (mask->count != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the mask has %d values and must have 3", (int)mask->count);
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = i == 0 ? call->in[X].dtype : compute_type(call);
        call->out[i].shape = i == 0 ? call->in[X].shape : *parameter;
        if (!mask->ints[i]) call->out[i].shape = (jm_shape){.rank = 1, .dim = {0}};
    }
    return JM_OK;
}

#define GRAD_INPUTS(statistics, parameter)                                                                             \
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of Y, shape of X"},                                        \
        {.name = "X", .kind = JM_PARAM_INPUT, .doc = "what was normalised"},                                           \
        {.name = "mean", .kind = JM_PARAM_INPUT, .doc = statistics},                                                   \
        {.name = "invstd", .kind = JM_PARAM_INPUT, .doc = "like mean: 1 / sqrt(var + epsilon)"},                       \
    {                                                                                                                  \
        .name = "scale", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = parameter                                \
    }
#define GRAD_OUTPUTS                                                                                                   \
    {.name = "dX", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "shape of X"},                                \
        {.name = "d_scale", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "float32, float64 for float64"},     \
    {                                                                                                                  \
        .name = "d_bias", .kind = JM_PARAM_OUTPUT, .flags = JM_SWITCHED, .doc = "like d_scale"                         \
    }
#define GRAD_MASK                                                                                                      \
    {                                                                                                                  \
        .name = "mask", .kind = JM_PARAM_INTS, .doc = "3 numbers: which outputs are wanted"                            \
    }

/* ---- LayerNormGrad ---- */

enum { LAYER_SHAPE, LAYER_MASK };

/* The shape of a row; *axis is its first in X. */
static jm_status layer_row(const jm_call *call, jm_shape *row, int *axis)
{
    const jm_attr *attr = &call->attr[LAYER_SHAPE];
    const jm_shape *shape = &call->in[X].shape;
    *axis = shape->rank - attr->count;
    *row = (jm_shape){.rank = attr->count};
    bool fits = attr->count > 0 && *axis >= 0;
    for (int k = 0; fits && k < attr->count; k++) {
        fits = shape->dim[*axis + k] == attr->ints[k] || shape->dim[*axis + k] < 0;
        row->dim[k] = attr->ints[k];
    }
    if (fits) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "normalized_shape must be the last dimensions of X");
}

static jm_status layer_infer(jm_call *call)
{
    jm_shape row;
    int axis;
    int64_t rows = 1;
    JM_TRY(check_types(call));
    JM_TRY(layer_row(call, &row, &axis));
    for (int k = 0; k < axis; k++) rows *= call->in[X].shape.dim[k];
    JM_TRY(check_count(call, MEAN, rows));
    JM_TRY(check_count(call, INVSTD, rows));
    for (int i = SCALE; i <= BIAS; i++)
        if (jm_call_in(call, i) && !jm_shape_equal(&call->in[i].shape, &row))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' must have the shape of a row",
                                 jm_op_input(call->op, i)->name);
    return infer_outputs(call, &call->attr[LAYER_MASK], &row);
}

static jm_status layer_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const int64_t *mask = call->attr[LAYER_MASK].ints;
    jm_shape row, statistics = call->in[X].shape;
    int axis;
    int64_t axes[JM_MAX_RANK];
    JM_TRY(layer_row(call, &row, &axis));
    if (in_rows(call, mask)) {
        int64_t rows = 1;
        for (int k = 0; k < axis; k++) rows *= statistics.dim[k];
        grad_rows(&c, call, mask, rows, 1, 1, &row);
        return jm_compose_end(&c);
    }
    for (int k = 0; k < statistics.rank; k++) axes[k] = k;
    for (int k = axis; k < statistics.rank; k++) statistics.dim[k] = 1;
    jm_operand *dy = compute_input(&c, call, DY), *invstd = reshaped_input(&c, call, INVSTD, &statistics), *xhat = NULL;
    if (mask[0] || mask[1])
        xhat = normalised(&c, compute_input(&c, call, X), reshaped_input(&c, call, MEAN, &statistics), invstd);
    if (mask[0]) {
        jm_operand *g = jm_call_in(call, SCALE) ? jm_compose_2(&c, "Mul", dy, compute_input(&c, call, SCALE)) : dy;
        result_2(&c, 0, "Mul", centred(&c, g, xhat, axes + axis, row.rank), invstd);
    }
    if (mask[1])
        jm_compose_result(&c, 1,
                          jm_compose_reduce(&c, "ReduceSum", jm_compose_2(&c, "Mul", dy, xhat), axes, axis, false));
    if (mask[2]) jm_compose_result(&c, 2, jm_compose_reduce(&c, "ReduceSum", dy, axes, axis, false));
    return jm_compose_end(&c);
}

static const jm_param layer_param[] = {
    GRAD_INPUTS("one element for each row", "shape of a row; absent: 1"),
    {.name = "bias", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "shape of a row; its values do not matter"},
    GRAD_OUTPUTS,
    {.name = "normalized_shape", .kind = JM_PARAM_INTS, .doc = "the dims of a row"},
    GRAD_MASK,
};

const jm_op jm_op_layer_norm_grad = {
    .name = "LayerNormGrad",
    .param = layer_param,
    .params = JM_COUNT(layer_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "gradients of LayerNormalization by X, scale and bias",
    .source = "PyTorch native_layer_norm_backward",
    .infer = layer_infer,
    .lower = layer_lower,
};

/* ---- GroupNormGrad ---- */

enum { GROUP_BATCH, GROUP_CHANNELS, GROUP_POINTS, GROUP_GROUPS, GROUP_MASK };

static jm_status group_infer(jm_call *call)
{
    const int64_t n = call->attr[GROUP_BATCH].i, channels = call->attr[GROUP_CHANNELS].i;
    const int64_t points = call->attr[GROUP_POINTS].i, groups = call->attr[GROUP_GROUPS].i;
    const jm_shape sizes = {.rank = 3, .dim = {n, channels, points}}, parameter = {.rank = 1, .dim = {channels}};
    int64_t count;
    JM_TRY(check_types(call));
    if (n < 0 || channels < 0 || points < 0 || jm_shape_count(&sizes, &count) != JM_OK || groups < 1 ||
        channels % groups)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "batch %lld, channels %lld, points %lld, groups %lld: groups must divide the channels",
                             (long long)n, (long long)channels, (long long)points, (long long)groups);
    JM_TRY(check_count(call, X, count));
    JM_TRY(check_count(call, MEAN, n * groups));
    JM_TRY(check_count(call, INVSTD, n * groups));
    JM_TRY(check_count(call, SCALE, channels));
    return infer_outputs(call, &call->attr[GROUP_MASK], &parameter);
}

static jm_status group_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const int64_t *mask = call->attr[GROUP_MASK].ints, over_batch[] = {0, 3}, over_group[] = {2, 3};
    const int64_t n = call->attr[GROUP_BATCH].i, channels = call->attr[GROUP_CHANNELS].i;
    const int64_t groups = call->attr[GROUP_GROUPS].i, own = channels / groups;
    const jm_shape whole = {.rank = 4, .dim = {n, groups, own, call->attr[GROUP_POINTS].i}};
    const jm_shape statistics = {.rank = 4, .dim = {n, groups, 1, 1}}, scales = {.rank = 4, .dim = {1, groups, own, 1}};
    const jm_shape parameter = {.rank = 1, .dim = {channels}};
    if (in_rows(call, mask)) {
        grad_rows(&c, call, mask, n, groups, call->attr[GROUP_POINTS].i, &parameter);
        return jm_compose_end(&c);
    }
    jm_operand *dy = reshaped_input(&c, call, DY, &whole), *invstd = reshaped_input(&c, call, INVSTD, &statistics);
    jm_operand *xhat = NULL;
    if (mask[0] || mask[1])
        xhat = normalised(&c, reshaped_input(&c, call, X, &whole), reshaped_input(&c, call, MEAN, &statistics), invstd);
    if (mask[0]) {
        jm_operand *g = dy;
        if (jm_call_in(call, SCALE)) g = jm_compose_2(&c, "Mul", dy, reshaped_input(&c, call, SCALE, &scales));
        jm_operand *dx = jm_compose_2(&c, "Mul", centred(&c, g, xhat, over_group, 2), invstd);
        dx = jm_compose_reshape(&c, dx, &call->in[X].shape);
        jm_compose_result(&c, 0, jm_compose_cast(&c, dx, call->in[X].dtype));
    }
    jm_operand *term[2] = {mask[1] ? jm_compose_2(&c, "Mul", dy, xhat) : NULL, dy};
    for (int i = 0; i < 2; i++) {
        if (!mask[1 + i]) continue;
        jm_operand *sum = jm_compose_reduce(&c, "ReduceSum", term[i], over_batch, 2, false);
        jm_compose_result(&c, 1 + i, jm_compose_reshape(&c, sum, &parameter));
    }
    return jm_compose_end(&c);
}

static const jm_param group_param[] = {
    GRAD_INPUTS("one element for each group of each image", "one element for each channel; absent: 1"),
    GRAD_OUTPUTS,
    {.name = "batch", .kind = JM_PARAM_INT, .doc = "N: images"},
    {.name = "channels", .kind = JM_PARAM_INT, .doc = "C: channels"},
    {.name = "points", .kind = JM_PARAM_INT, .doc = "elements of a channel"},
    {.name = "groups", .kind = JM_PARAM_INT, .doc = "divides the channels"},
    GRAD_MASK,
};

const jm_op jm_op_group_norm_grad = {
    .name = "GroupNormGrad",
    .param = group_param,
    .params = JM_COUNT(group_param),
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "gradients of GroupNormalization by X, scale and bias",
    .source = "PyTorch native_group_norm_backward",
    .infer = group_infer,
    .lower = group_lower,
};
