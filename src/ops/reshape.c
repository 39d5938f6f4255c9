/* SPDX-License-Identifier: Apache-2.0
 *
 * Reshape, Flatten, Squeeze and Unsqueeze: the same elements in the same order under another shape.
 */
#include "ops/move.h"

#include <string.h>

/* dims[] of the host input `shape`, with 0 and -1 resolved as ONNX says. */
static jm_status infer_reshape(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    bool allow_zero = call->attr[0].i != 0;
    int64_t dims[JM_MAX_RANK];
    jm_shape shape = {0};
    JM_TRY(jm_call_host_ints(call, 1, dims, JM_MAX_RANK, &shape.rank));
    int wild = -1;
    for (int k = 0; k < shape.rank; k++) {
        int64_t dim = dims[k];
        if (dim == 0 && !allow_zero) {
            if (k >= from->rank)
                return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is 0 and the input has no dimension %d", k,
                                     k);
            dim = from->dim[k];
        } else if (dim == -1) {
            if (wild >= 0) return jm_call_error(call, JM_INVALID_ARGUMENT, "more than one dimension of shape is -1");
            wild = k;
        } else if (dim < 0) {
            return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is %lld", k, (long long)dim);
        }
        shape.dim[k] = dim;
    }
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = shape;
    if (!jm_shape_known(from)) return JM_OK;

    int64_t count, rest = 1;
    JM_TRY(jm_shape_count(from, &count));
    jm_shape fixed = shape;
    if (wild >= 0) fixed.dim[wild] = 1;
    JM_TRY(jm_shape_count(&fixed, &rest));
    if (wild >= 0) {
        /* Zero elements over zero elements says nothing about the unknown dimension; numpy and ONNX refuse too. */
        if (rest == 0 || count % rest != 0)
            rest = count + 1;
        else
            shape.dim[wild] = count / rest, rest = count;
    }
    if (rest != count) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%s cannot be reshaped to %s", jm_shape_text(from, a),
                             jm_shape_text(&shape, b));
    }
    call->out[0].shape = shape;
    return JM_OK;
}

static jm_status infer_flatten(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    int64_t axis = call->attr[0].i;
    if (axis < 0) axis += from->rank;
    if (axis < 0 || axis > from->rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "axis is %lld and the input has rank %d",
                             (long long)call->attr[0].i, from->rank);
    jm_shape halves[2] = {{.rank = (int)axis}, {.rank = from->rank - (int)axis}};
    jm_shape *out = &call->out[0].shape;
    out->rank = 2;
    for (int k = 0; k < from->rank; k++) halves[k >= axis].dim[k >= axis ? k - axis : k] = from->dim[k];
    for (int h = 0; h < 2; h++) {
        out->dim[h] = -1;
        if (jm_shape_known(&halves[h])) JM_TRY(jm_shape_count(&halves[h], &out->dim[h]));
    }
    call->out[0].dtype = call->in[0].dtype;
    return JM_OK;
}

/* Marks the axes of the host input `axes` in a shape of `rank`. */
static jm_status mark_axes(const jm_call *call, int rank, bool marked[JM_MAX_RANK], int *count)
{
    int64_t axes[JM_MAX_RANK];
    JM_TRY(jm_call_host_ints(call, 1, axes, JM_MAX_RANK, count));
    for (int i = 0; i < *count; i++) {
        int axis;
        JM_TRY(jm_axis_normalise(axes[i], rank, &axis));
        if (marked[axis]) return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is named twice", axis);
        marked[axis] = true;
    }
    return JM_OK;
}

static jm_status infer_squeeze(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    bool marked[JM_MAX_RANK] = {false};
    int count;
    if (jm_call_in(call, 1)) {
        JM_TRY(mark_axes(call, from->rank, marked, &count));
    } else {
        if (!jm_shape_known(from))
            return jm_call_error(call, JM_INVALID_ARGUMENT, "axes are missing and the input's shape is not known");
        for (int k = 0; k < from->rank; k++) marked[k] = from->dim[k] == 1;
    }
    jm_shape *out = &call->out[0].shape;
    for (int k = 0; k < from->rank; k++) {
        if (!marked[k])
            out->dim[out->rank++] = from->dim[k];
        else if (from->dim[k] != 1 && from->dim[k] != -1)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "dimension %d is %lld and must be 1", k,
                                 (long long)from->dim[k]);
    }
    call->out[0].dtype = call->in[0].dtype;
    return JM_OK;
}

static jm_status infer_unsqueeze(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    int64_t axes[JM_MAX_RANK];
    bool marked[JM_MAX_RANK] = {false};
    int count;
    JM_TRY(jm_call_host_ints(call, 1, axes, JM_MAX_RANK, &count));
    jm_shape *out = &call->out[0].shape;
    int rank = from->rank + count;
    if (rank > JM_MAX_RANK)
        return jm_call_error(call, JM_UNSUPPORTED, "the output has rank %d; the limit is %d", rank, JM_MAX_RANK);
    JM_TRY(mark_axes(call, rank, marked, &count));
    out->rank = rank;
    for (int k = 0, j = 0; k < rank; k++) out->dim[k] = marked[k] ? 1 : from->dim[j++];
    call->out[0].dtype = call->in[0].dtype;
    return JM_OK;
}

static int forms_reshape(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    forms[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    forms[0].out_strided = false;
    return 1;
}

/* The output has no gaps, so it can be written in the shape of the input. */
static jm_status plan_reshape(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0];
    jm_tensor out;
    JM_TRY(jm_tensor_init(&out, in->dtype, &in->shape, JM_PLAIN, NULL));
    jm_moves *moves = jm_moves_create(arena, in->dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    jm_side from = jm_side_of(in, 0), to = jm_side_of(&out, 0);
    JM_TRY(jm_moves_copy(moves, &in->shape, &from, &to));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param reshape_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"shape", JM_PARAM_INPUT, JM_HOST, .doc = "new dimensions; 0 keeps the input's, one may be -1"},
    {"reshaped", JM_PARAM_OUTPUT, 0, .doc = "the same elements in row-major order"},
    {"allowzero", JM_PARAM_INT, JM_OPTIONAL, .doc = "1: a 0 in shape means 0"},
};

const jm_op jm_op_reshape = {
    .name = "Reshape",
    .param = reshape_param,
    .params = JM_COUNT(reshape_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "reshaped = data in row-major order",
    .source = "ONNX Reshape-14",
    .view = true,
    .infer = infer_reshape,
    .forms = forms_reshape,
    .plan = plan_reshape,
    .run = jm_moves_run,
};

static const jm_param flatten_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "matrix of the same elements in row-major order"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "dimensions before it become rows, in [-rank, rank]"},
};

const jm_op jm_op_flatten = {
    .name = "Flatten",
    .param = flatten_param,
    .params = JM_COUNT(flatten_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "output = input as [d0*..*d(axis-1), d(axis)*..]",
    .source = "ONNX Flatten-13",
    .view = true,
    .infer = infer_flatten,
    .forms = forms_reshape,
    .plan = plan_reshape,
    .run = jm_moves_run,
};

static const jm_param squeeze_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"axes", JM_PARAM_INPUT, JM_HOST | JM_OPTIONAL, .doc = "dimensions to drop; every dimension of 1 when absent"},
    {"squeezed", JM_PARAM_OUTPUT, 0, .doc = "the same elements without these dimensions"},
};

const jm_op jm_op_squeeze = {
    .name = "Squeeze",
    .param = squeeze_param,
    .params = JM_COUNT(squeeze_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "squeezed = data without dimensions `axes`, which are 1",
    .source = "ONNX Squeeze-13",
    .view = true,
    .infer = infer_squeeze,
    .forms = forms_reshape,
    .plan = plan_reshape,
    .run = jm_moves_run,
};

static const jm_param unsqueeze_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"axes", JM_PARAM_INPUT, JM_HOST, .doc = "dimensions of the output that are new"},
    {"expanded", JM_PARAM_OUTPUT, 0, .doc = "the same elements with dimensions of 1 at `axes`"},
};

const jm_op jm_op_unsqueeze = {
    .name = "Unsqueeze",
    .param = unsqueeze_param,
    .params = JM_COUNT(unsqueeze_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "expanded = data with dimensions of 1 at `axes`",
    .source = "ONNX Unsqueeze-13",
    .view = true,
    .infer = infer_unsqueeze,
    .forms = forms_reshape,
    .plan = plan_reshape,
    .run = jm_moves_run,
};
