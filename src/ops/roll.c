/* SPDX-License-Identifier: Apache-2.0
 *
 * Flip, Roll, Cross and TensorEqual, made of other operators.
 */
#include "ops/compose.h"

/* ---- Flip ---- */

static jm_status infer_flip(jm_call *call)
{
    bool seen[JM_MAX_RANK] = {false};
    for (int i = 0; i < call->attr[0].count; i++) {
        int axis;
        JM_TRY(jm_call_axis(call, call->attr[0].ints[i], &axis));
        if (seen[axis]) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is there twice", axis);
        seen[axis] = true;
    }
    return jm_infer_same(call);
}

static jm_status lower_flip(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *x = jm_compose_input(&c, 0);
    for (int i = 0; i < call->attr[0].count; i++) {
        int axis;
        JM_TRY(jm_call_axis(call, call->attr[0].ints[i], &axis));
        x = jm_compose_slice(&c, x, axis, -1, INT64_MIN, -1);
    }
    jm_compose_result(&c, 0, x);
    return jm_compose_end(&c);
}

static const jm_param flip_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "X backwards along the axes"},
    {"axes", JM_PARAM_INTS, 0, .doc = "in [-rank, rank), each once"},
};

const jm_op jm_op_flip = {
    .name = "Flip",
    .param = flip_param,
    .params = JM_COUNT(flip_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "y[i] = x[n - 1 - i]",
    .source = "PyTorch flip",
    .infer = infer_flip,
    .lower = lower_flip,
};

/* ---- Roll ---- */

static jm_status infer_roll(jm_call *call)
{
    const int shifts = call->attr[0].count, axes = call->attr[1].count;
    if (shifts < 1 || (axes ? axes != shifts : shifts != 1))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "there are %d shifts for %d axes", shifts, axes);
    for (int i = 0; i < axes; i++) {
        int axis;
        JM_TRY(jm_call_axis(call, call->attr[1].ints[i], &axis));
    }
    return jm_infer_same(call);
}

static jm_operand *roll(jm_compose *c, jm_operand *x, int axis, int64_t shift)
{
    const int64_t length = jm_compose_shape(c, x)->dim[axis];
    if (length <= 1 || shift % length == 0) return x;
    const int64_t cut = shift % length > 0 ? length - shift % length : -(shift % length);
    jm_operand *part[] = {jm_compose_slice(c, x, axis, cut, length, 1), jm_compose_slice(c, x, axis, 0, cut, 1)};
    return jm_compose_concat(c, part, 2, axis);
}

static jm_status lower_roll(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *x = jm_compose_input(&c, 0);
    const jm_shape *shape = &call->in[0].shape;
    jm_shape flat = {.rank = 1};
    for (int i = 0; i < call->attr[1].count; i++) {
        int axis;
        JM_TRY(jm_call_axis(call, call->attr[1].ints[i], &axis));
        x = roll(&c, x, axis, call->attr[0].ints[i]);
    }
    if (!call->attr[1].count) {
        JM_TRY(jm_shape_count(shape, &flat.dim[0]));
        x = jm_compose_reshape(&c, roll(&c, jm_compose_reshape(&c, x, &flat), 0, call->attr[0].ints[0]), shape);
    }
    jm_compose_result(&c, 0, x);
    return jm_compose_end(&c);
}

static const jm_param roll_param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "X moved in circles"},
    {"shifts", JM_PARAM_INTS, 0, .doc = "how far, for each axis"},
    {"axes", JM_PARAM_INTS, JM_OPTIONAL, .doc = "in [-rank, rank); absent: elements in row-major order"},
};

const jm_op jm_op_roll = {
    .name = "Roll",
    .param = roll_param,
    .params = JM_COUNT(roll_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "y[(i + shift) mod n] = x[i]",
    .source = "PyTorch roll",
    .infer = infer_roll,
    .lower = lower_roll,
};

/* ---- Cross ---- */

static jm_status infer_cross(jm_call *call)
{
    const jm_shape *a = &call->in[0].shape, *b = &call->in[1].shape;
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    if (a->rank != b->rank || a->dim[axis] != 3 || b->dim[axis] != 3)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "both need the same rank and 3 elements along axis %d", axis);
    call->out[0].dtype = call->in[0].dtype;
    if (jm_shape_broadcast(a, b, &call->out[0].shape) == JM_OK) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "the shapes do not broadcast");
}

static jm_status lower_cross(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *a = jm_compose_input(&c, 0), *b = jm_compose_input(&c, 1);
    int axis;
    JM_TRY(jm_call_axis(call, call->attr[0].i, &axis));
    jm_operand *first = jm_compose_2(&c, "Mul", roll(&c, a, axis, -1), roll(&c, b, axis, -2));
    jm_operand *second = jm_compose_2(&c, "Mul", roll(&c, a, axis, -2), roll(&c, b, axis, -1));
    jm_compose_result(&c, 0, jm_compose_2(&c, "Sub", first, second));
    return jm_compose_end(&c);
}

static const jm_param cross_param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "vectors of 3 along the axis"},
    {"B", JM_PARAM_INPUT, 0, .doc = "the same, of the type of A; broadcasts"},
    {"C", JM_PARAM_OUTPUT, 0, .doc = "cross products"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = -1, .doc = "in [-rank, rank)"},
};

const jm_op jm_op_cross = {
    .name = "Cross",
    .param = cross_param,
    .params = JM_COUNT(cross_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT,
    .formula = "c[i] = a[i + 1] b[i + 2] - a[i + 2] b[i + 1], indices mod 3",
    .source = "PyTorch linalg.cross",
    .infer = infer_cross,
    .lower = lower_cross,
};

/* ---- TensorEqual ---- */

static jm_status infer_equal(jm_call *call)
{
    if (call->in[0].dtype != call->in[1].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the inputs are %s and %s and must have the same type",
                             jm_dtype_text(call->in[0].dtype), jm_dtype_text(call->in[1].dtype));
    call->out[0].dtype = JM_BOOL;
    return JM_OK;
}

static jm_status lower_equal(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *same = jm_compose_scalar(&c, JM_BOOL, 0);
    if (jm_shape_equal(&call->in[0].shape, &call->in[1].shape)) {
        const jm_named_attr keepdims = {"keepdims", {.count = 1, .i = 0}};
        same = jm_compose_2(&c, "Equal", jm_compose_input(&c, 0), jm_compose_input(&c, 1));
        same = jm_compose_node(&c, "ReduceMin", &same, 1, &keepdims, 1);
    }
    jm_compose_result(&c, 0, same);
    return jm_compose_end(&c);
}

static const jm_param equal_param[] = {
    {"A", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"B", JM_PARAM_INPUT, 0, .doc = "tensor of the same type"},
    {"C", JM_PARAM_OUTPUT, 0, .doc = "one bool"},
};

const jm_op jm_op_tensor_equal = {
    .name = "TensorEqual",
    .param = equal_param,
    .params = JM_COUNT(equal_param),
    .dtypes = JM_DTYPES_FLOAT | JM_DTYPES_INT | 1u << JM_U64 | 1u << JM_BOOL,
    .formula = "the shapes are equal and so are all elements",
    .source = "PyTorch equal",
    .infer = infer_equal,
    .lower = lower_equal,
};
