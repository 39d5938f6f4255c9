/* SPDX-License-Identifier: Apache-2.0
 *
 * Normalisations that are made of other operators: RMSNormalization, GroupNormalization, LRN, LpNormalization,
 * MeanVarianceNormalization and Hardmax. float16 and bfloat16 are computed in float32 and rounded once.
 */
#include "ops/compose.h"

/* Result in the dtype of input 0. */
static jm_status finish(jm_compose *c, const jm_call *call, jm_operand *y)
{
    jm_compose_result(c, 0, jm_compose_cast(c, y, call->in[0].dtype));
    return jm_compose_end(c);
}

static jm_operand *scalar_like(jm_compose *c, const jm_operand *x, double value)
{
    return jm_compose_scalar(c, jm_compose_tensor(c, x)->dtype, value);
}

/* float32 of 16-bit types, others as they are. */
static jm_operand *compute_input(jm_compose *c, int i)
{
    jm_operand *x = jm_compose_input(c, i);
    const jm_dtype dtype = jm_compose_tensor(c, x)->dtype;
    return dtype == JM_F16 || dtype == JM_BF16 ? jm_compose_cast(c, x, JM_F32) : x;
}

/* ---- RMSNormalization ---- */

static jm_status rms_infer(jm_call *call)
{
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    jm_shape both;
    if (jm_shape_broadcast(&call->in[0].shape, &call->in[1].shape, &both) != JM_OK ||
        !jm_shape_equal(&both, &call->in[0].shape))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "scale does not fit the shape of X");
    return jm_infer_same(call);
}

static jm_status rms_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *x = compute_input(&c, 0);
    int axis, rank = call->in[0].shape.rank;
    int64_t axes[JM_MAX_RANK];
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    for (int k = axis; k < rank; k++) axes[k - axis] = k;
    jm_operand *square = jm_compose_reduce(&c, "ReduceMean", jm_compose_2(&c, "Mul", x, x), axes, rank - axis, true);
    jm_operand *root = jm_compose_1(&c, "Sqrt", jm_compose_2(&c, "Add", square, scalar_like(&c, x, call->attr[1].f)));
    jm_operand *y = jm_compose_2(&c, "Div", x, root);
    return finish(&c, call, jm_compose_2(&c, "Mul", y, compute_input(&c, 1)));
}

static const jm_param rms_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "any shape of rank 1 or more"},
    {"scale", JM_PARAM_INPUT, 0, .doc = "broadcasts to X"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "shape of X"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "first axis of a row"},
    {"epsilon", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1e-5, .doc = "added to the mean of the squares"},
    {"stash_type", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "computed in float32 whatever it says"},
};

const jm_op jm_op_rms_normalization = {
    .name = "RMSNormalization",
    .param = rms_param,
    .params = JM_COUNT(rms_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x / sqrt(mean x^2 + epsilon) * scale, mean over the axes from `axis` on",
    .source = "ONNX RMSNormalization-23",
    .infer = rms_infer,
    .lower = rms_lower,
};

/* ---- GroupNormalization ---- */

enum { GROUPS, GROUP_EPSILON, GROUP_STASH, GROUP_BATCH, GROUP_CHANNELS, GROUP_POINTS };

/* Input `i` holds a value for each channel or, in opset 18, for each group. */
static jm_status check_group_values(const jm_call *call, int i)
{
    const jm_tensor *own = jm_call_in(call, i);
    if (!own) return JM_OK;
    if (!(JM_DTYPES_F32 >> own->dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", jm_op_input(call->op, i)->name,
                             jm_dtype_text(own->dtype));
    const int64_t channels = call->in[0].shape.dim[1], dim = own->shape.rank == 1 ? own->shape.dim[0] : -2;
    if (dim == channels || dim == call->attr[GROUPS].i || dim == -1) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' must have one value for each channel or group",
                         jm_op_input(call->op, i)->name);
}

/* What a caller says besides about the shape of X must be so. */
static jm_status check_group_sizes(const jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    int64_t have[3] = {shape->dim[0], shape->dim[1], 1};
    for (int k = 2; k < shape->rank; k++) have[2] = shape->dim[k] < 0 || have[2] < 0 ? -1 : have[2] * shape->dim[k];
    for (int i = 0; i < 3; i++) {
        const int64_t said = call->attr[GROUP_BATCH + i].i;
        if (said >= 0 && have[i] >= 0 && said != have[i])
            return jm_call_error(call, JM_INVALID_ARGUMENT, "%s is %lld; X has %lld",
                                 jm_op_attr(call->op, GROUP_BATCH + i)->name, (long long)said, (long long)have[i]);
    }
    return JM_OK;
}

static jm_status group_infer(jm_call *call)
{
    const jm_shape *shape = &call->in[0].shape;
    const int64_t groups = call->attr[GROUPS].i;
    if (shape->rank < 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 2 or more", shape->rank);
    if (groups < 1 || (shape->dim[1] >= 0 && shape->dim[1] % groups != 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "num_groups %lld does not divide the %lld channels",
                             (long long)groups, (long long)shape->dim[1]);
    JM_TRY(check_group_values(call, 1));
    JM_TRY(check_group_values(call, 2));
    JM_TRY(check_group_sizes(call));
    for (int i = 1; i < call->outputs; i++) {
        call->out[i].dtype = JM_F32;
        call->out[i].shape = (jm_shape){.rank = 2, .dim = {shape->dim[0], groups}};
    }
    return jm_infer_same(call);
}

/* y * scale + bias with one value for each index of axis 1 of y; either may be absent. */
static jm_operand *affine(jm_compose *c, jm_operand *y, jm_operand *scale, jm_operand *bias)
{
    jm_shape column = {.rank = jm_compose_shape(c, y)->rank - 1};
    for (int k = 0; k < column.rank; k++) column.dim[k] = 1;
    column.dim[0] = jm_compose_shape(c, y)->rank > 1 ? jm_compose_shape(c, y)->dim[1] : 1;
    if (scale) y = jm_compose_2(c, "Mul", y, jm_compose_reshape(c, scale, &column));
    return bias ? jm_compose_2(c, "Add", y, jm_compose_reshape(c, bias, &column)) : y;
}

static jm_status group_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape *shape = &call->in[0].shape;
    const int64_t groups = call->attr[GROUPS].i;
    jm_shape rows = {.rank = 3, .dim = {shape->dim[0], groups, shape->dim[1] / groups}};
    for (int k = 2; k < shape->rank; k++) rows.dim[2] *= shape->dim[k];
    jm_operand *x = jm_compose_reshape(&c, compute_input(&c, 0), &rows), *out[3] = {NULL};
    const jm_named_attr attr[] = {{"axis", {.count = 1, .i = 2}},
                                  {"epsilon", {.count = 1, .f = call->attr[GROUP_EPSILON].f}}};
    jm_compose_into(&c, "LayerNormalization", &x, 1, attr, 2, out, call->outputs > 1 ? 3 : 1);
    jm_operand *scale = jm_call_in(call, 1) ? compute_input(&c, 1) : NULL;
    jm_operand *bias = jm_call_in(call, 2) ? compute_input(&c, 2) : NULL;
    const bool by_group =
        (!scale || call->in[1].shape.dim[0] == groups) && (!bias || call->in[2].shape.dim[0] == groups);
    jm_operand *y = jm_compose_reshape(&c, by_group ? affine(&c, out[0], scale, bias) : out[0], shape);
    if (!by_group) y = affine(&c, y, scale, bias);
    const jm_shape statistics = {.rank = 2, .dim = {shape->dim[0], groups}};
    for (int i = 1; i < call->outputs; i++) jm_compose_result(&c, i, jm_compose_reshape(&c, out[i], &statistics));
    return finish(&c, call, y);
}

static const jm_param group_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, ...]"},
    {"scale", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "[C], or [num_groups]; absent: 1"},
    {"bias", JM_PARAM_INPUT, JM_OPTIONAL, .doc = "like scale; absent: 0"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "shape of X"},
    {"mean", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "float32 [N, num_groups]"},
    {"invstd", JM_PARAM_OUTPUT, JM_OPTIONAL, .doc = "float32 [N, num_groups]: 1 / sqrt(var + epsilon)"},
    {"num_groups", JM_PARAM_INT, 0, .doc = "divides C"},
    {"epsilon", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1e-5, .doc = "added to the variance"},
    {"stash_type", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "computed in float32 whatever it says"},
    {"batch", JM_PARAM_INT, JM_OPTIONAL | JM_GRAPH_ONLY, .i = -1, .doc = "N; -1: as X has it"},
    {"channels", JM_PARAM_INT, JM_OPTIONAL | JM_GRAPH_ONLY, .i = -1, .doc = "C; -1: as X has it"},
    {"points", JM_PARAM_INT, JM_OPTIONAL | JM_GRAPH_ONLY, .i = -1, .doc = "elements of a channel; -1: as X has it"},
};

const jm_op jm_op_group_normalization = {
    .name = "GroupNormalization",
    .param = group_param,
    .params = JM_COUNT(group_param),
    .dtypes = JM_DTYPES_F32,
    .formula = "(x - mean) / sqrt(var + epsilon) * scale + bias, mean and var over the channels of a group",
    .source = "ONNX GroupNormalization-21",
    .infer = group_infer,
    .lower = group_lower,
};

/* ---- LRN ---- */

static jm_status lrn_infer(jm_call *call)
{
    const int64_t size = call->attr[0].i;
    if (call->in[0].shape.rank < 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X has rank %d and must have 3 or more",
                             call->in[0].shape.rank);
    if (size < 1 || size > 1 << 20)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "size is %lld and must be 1 or more", (long long)size);
    return jm_infer_same(call);
}

/* The mean of squares over neighbouring channels is an AveragePool along the channels. */
static jm_status lrn_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape *shape = &call->in[0].shape;
    const int64_t size = call->attr[0].i;
    jm_operand *x = compute_input(&c, 0);
    jm_shape image = {.rank = 4, .dim = {shape->dim[0], 1, shape->dim[1], 1}};
    for (int k = 2; k < shape->rank; k++) image.dim[3] *= shape->dim[k];
    jm_operand *square = jm_compose_reshape(&c, jm_compose_2(&c, "Mul", x, x), &image);
    const jm_named_attr attr[] = {
        {"kernel_shape", {.count = 2, .ints = (int64_t[]){size, 1}}},
        {"pads", {.count = 4, .ints = (int64_t[]){(size - 1) / 2, 0, size - 1 - (size - 1) / 2, 0}}},
        {"count_include_pad", {.count = 1, .i = 1}}};
    jm_operand *mean = jm_compose_node(&c, "AveragePool", &square, 1, attr, JM_COUNT(attr));
    mean = jm_compose_2(&c, "Mul", jm_compose_reshape(&c, mean, shape), scalar_like(&c, x, call->attr[1].f));
    mean = jm_compose_2(&c, "Add", mean, scalar_like(&c, x, call->attr[3].f));
    jm_operand *divisor = jm_compose_2(&c, "Pow", mean, scalar_like(&c, x, call->attr[2].f));
    return finish(&c, call, jm_compose_2(&c, "Div", x, divisor));
}

static const jm_param lrn_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, ...]"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "shape of X"},
    {"size", JM_PARAM_INT, 0, .doc = "channels of a window around each channel"},
    {"alpha", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 0.0001, .doc = "weight of the mean of squares"},
    {"beta", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 0.75, .doc = "exponent"},
    {"bias", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1, .doc = "added to the weighted mean"},
};

const jm_op jm_op_lrn = {
    .name = "LRN",
    .param = lrn_param,
    .params = JM_COUNT(lrn_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_F32,
    .formula = "x / (bias + alpha / size * sum of x^2 over `size` neighbouring channels)^beta",
    .source = "ONNX LRN-13",
    .infer = lrn_infer,
    .lower = lrn_lower,
};

/* ---- LpNormalization ---- */

static jm_status lp_infer(jm_call *call)
{
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    if (call->attr[1].i != 1 && call->attr[1].i != 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "p is %lld and must be 1 or 2", (long long)call->attr[1].i);
    return jm_infer_same(call);
}

static jm_status lp_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    jm_operand *x = compute_input(&c, 0), *zero = scalar_like(&c, x, 0);
    const char *reduce = call->attr[1].i == 1 ? "ReduceL1" : "ReduceL2";
    jm_operand *norm = jm_compose_reduce(&c, reduce, x, &(int64_t){axis}, 1, true);
    jm_operand *y =
        jm_compose_3(&c, "Where", jm_compose_2(&c, "Equal", norm, zero), zero, jm_compose_2(&c, "Div", x, norm));
    return finish(&c, call, y);
}

static const jm_param lp_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "any shape of rank 1 or more"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "shape of the input"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "rows along it get the norm 1"},
    {"p", JM_PARAM_INT, JM_OPTIONAL, .i = 2, .doc = "1: sum of magnitudes; 2: Euclidean norm"},
};

const jm_op jm_op_lp_normalization = {
    .name = "LpNormalization",
    .param = lp_param,
    .params = JM_COUNT(lp_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x / norm of x along the axis; 0 where the norm is 0",
    .source = "ONNX LpNormalization-22",
    .infer = lp_infer,
    .lower = lp_lower,
};

/* ---- MeanVarianceNormalization ---- */

static jm_status mvn_axes(const jm_call *call, int64_t axes[JM_MAX_RANK], int *count)
{
    static const int64_t usual[] = {0, 2, 3};
    const jm_attr *attr = &call->attr[0];
    const int64_t *list = attr->present ? attr->ints : usual;
    *count = attr->present ? attr->count : (int)JM_COUNT(usual);
    if (*count > call->in[0].shape.rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%d axes of a rank %d input", *count, call->in[0].shape.rank);
    for (int i = 0; i < *count; i++) {
        int axis;
        JM_TRY(jm_call_axis(call, list[i], &axis));
        axes[i] = axis;
    }
    return JM_OK;
}

static jm_status mvn_infer(jm_call *call)
{
    int64_t axes[JM_MAX_RANK];
    int count;
    JM_TRY(mvn_axes(call, axes, &count));
    return jm_infer_same(call);
}

static jm_status mvn_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    int64_t axes[JM_MAX_RANK];
    int count;
    JM_TRY(mvn_axes(call, axes, &count));
    jm_operand *x = compute_input(&c, 0);
    jm_operand *center = jm_compose_2(&c, "Sub", x, jm_compose_reduce(&c, "ReduceMean", x, axes, count, true));
    jm_operand *variance =
        jm_compose_reduce(&c, "ReduceMean", jm_compose_2(&c, "Mul", center, center), axes, count, true);
    jm_operand *deviation = jm_compose_2(&c, "Add", jm_compose_1(&c, "Sqrt", variance), scalar_like(&c, x, 1e-9));
    return finish(&c, call, jm_compose_2(&c, "Div", center, deviation));
}

static const jm_param mvn_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "any shape"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "shape of X"},
    {"axes", JM_PARAM_INTS, JM_OPTIONAL, .doc = "of mean and variance; absent: 0, 2 and 3"},
};

const jm_op jm_op_mean_variance_normalization = {
    .name = "MeanVarianceNormalization",
    .param = mvn_param,
    .params = JM_COUNT(mvn_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "(x - mean) / (sqrt(var) + 1e-9)",
    .source = "ONNX MeanVarianceNormalization-13",
    .infer = mvn_infer,
    .lower = mvn_lower,
};

/* ---- Hardmax ---- */

static jm_status hardmax_infer(jm_call *call)
{
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    return jm_infer_same(call);
}

static jm_status hardmax_lower(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    jm_operand *x = jm_compose_input(&c, 0);
    const jm_named_attr find[] = {{"axis", {.count = 1, .i = axis}}, {"keepdims", {.count = 1, .i = 0}}};
    const jm_named_attr place = {"axis", {.count = 1, .i = axis}};
    jm_operand *values[] = {jm_compose_scalar(&c, call->in[0].dtype, 0), jm_compose_scalar(&c, call->in[0].dtype, 1)};
    const jm_shape one = {.rank = 1, .dim = {1}};
    for (int i = 0; i < 2; i++) values[i] = jm_compose_reshape(&c, values[i], &one);
    jm_operand *in[] = {jm_compose_node(&c, "ArgMax", &x, 1, find, JM_COUNT(find)),
                        jm_compose_ints(&c, &call->in[0].shape.dim[axis], 1), jm_compose_concat(&c, values, 2, 0)};
    jm_compose_result(&c, 0, jm_compose_node(&c, "OneHot", in, 3, &place, 1));
    return jm_compose_end(&c);
}

static const jm_param hardmax_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "any shape of rank 1 or more"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "shape of the input"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "axis of the maximum"},
};

const jm_op jm_op_hardmax = {
    .name = "Hardmax",
    .param = hardmax_param,
    .params = JM_COUNT(hardmax_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "1 at the first maximum along the axis, 0 elsewhere",
    .source = "ONNX Hardmax-13",
    .infer = hardmax_infer,
    .lower = hardmax_lower,
};
