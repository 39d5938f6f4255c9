/* SPDX-License-Identifier: Apache-2.0
 *
 * Concat and Split: pieces of one tensor along an axis, joined or taken apart.
 */
#include "ops/move.h"

#include <string.h>

/* The axis of either operator: attribute 0, for the rank of input 0. */
static jm_status axis_of(const jm_call *call, int *axis)
{
    return jm_axis_normalise(call->attr[0].i, call->in[0].shape.rank, axis);
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (call->in[0].shape.rank < 3) return 1;
    form[1] = jm_move_form(call, 1, "c16", JM_C16, JM_C16);
    return 2;
}

/* ---- Concat ---- */

static jm_status infer_concat(jm_call *call)
{
    int axis;
    if (call->inputs < 1 || !jm_call_in(call, 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "there is nothing to join");
    JM_TRY(axis_of(call, &axis));
    jm_shape shape = call->in[0].shape;
    for (int i = 1; i < call->inputs; i++) {
        const jm_tensor *in = jm_call_in(call, i);
        if (!in) return jm_call_error(call, JM_INVALID_ARGUMENT, "input %d is missing", i);
        bool fits = in->shape.rank == shape.rank;
        for (int k = 0; fits && k < shape.rank; k++) {
            int64_t *dim = &shape.dim[k], other = in->shape.dim[k];
            if (k == axis)
                *dim = *dim < 0 || other < 0 ? -1 : *dim + other;
            else if (*dim < 0)
                *dim = other;
            else
                fits = other < 0 || other == *dim;
        }
        if (!fits) {
            char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
            return jm_call_error(call, JM_INVALID_ARGUMENT, "inputs of shape %s and %s cannot be joined on axis %d",
                                 jm_shape_text(&call->in[0].shape, a), jm_shape_text(&in->shape, b), axis);
        }
    }
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = shape;
    return JM_OK;
}

static jm_status plan_concat(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    int axis;
    JM_TRY(axis_of(call, &axis));
    jm_moves *moves = jm_moves_create(arena, call->out[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    int64_t start = 0;
    for (int i = 0; i < call->inputs; i++) {
        jm_side from = jm_side_of(&call->in[i], i), to = jm_side_of(&call->out[0], 0);
        jm_side_slice(&to, axis, start, 1);
        JM_TRY(jm_moves_copy(moves, &call->in[i].shape, &from, &to));
        start += call->in[i].shape.dim[axis];
    }
    JM_TRY(jm_moves_clear_lanes(moves, &call->out[0], 0));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param concat_param[] = {
    {"inputs", JM_PARAM_INPUT, JM_VARIADIC, .doc = "tensors that differ along the axis only"},
    {"concat_result", JM_PARAM_OUTPUT, 0, .doc = "the inputs one after the other"},
    {"axis", JM_PARAM_INT, 0, .doc = "in [-rank, rank)"},
};

const jm_op jm_op_concat = {
    .name = "Concat",
    .param = concat_param,
    .params = JM_COUNT(concat_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "concat_result = inputs one after the other along axis",
    .source = "ONNX Concat-13",
    .view = true,
    .infer = infer_concat,
    .forms = forms,
    .plan = plan_concat,
    .run = jm_moves_run,
};

/* ---- Split ---- */

/* Sizes of the pieces; all -1 when they depend on an unknown dimension. */
static jm_status split_sizes(const jm_call *call, int axis, int64_t size[JM_MAX_ARGUMENTS])
{
    int64_t dim = call->in[0].shape.dim[axis], sum = 0;
    int count = call->outputs;
    if (jm_call_in(call, 1)) {
        JM_TRY(jm_call_host_ints(call, 1, size, JM_MAX_ARGUMENTS, &count));
        if (count != call->outputs)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "split has %d sizes for %d outputs", count, call->outputs);
        for (int i = 0; i < count; i++) {
            if (size[i] < 0 || size[i] > INT64_MAX - sum)
                return jm_call_error(call, JM_INVALID_ARGUMENT, "split[%d] is %lld", i, (long long)size[i]);
            sum += size[i];
        }
        if (dim >= 0 && sum != dim)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "the sizes add up to %lld and axis %d has %lld elements",
                                 (long long)sum, axis, (long long)dim);
        return JM_OK;
    }
    int64_t wanted = call->attr[1].i;
    if (wanted != 0 && wanted != count)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "num_outputs is %lld for %d outputs", (long long)wanted, count);
    int64_t each = dim < 0 ? -1 : (dim + count - 1) / count;
    for (int i = 0; i < count; i++) size[i] = each;
    if (dim < 0) return JM_OK;
    size[count - 1] = dim - each * (count - 1);
    if (size[count - 1] < 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld elements cannot be split into %d outputs", (long long)dim,
                             count);
    return JM_OK;
}

static jm_status infer_split(jm_call *call)
{
    int axis;
    int64_t size[JM_MAX_ARGUMENTS];
    JM_TRY(axis_of(call, &axis));
    if (call->outputs < 1) return jm_call_error(call, JM_INVALID_ARGUMENT, "there are no outputs");
    JM_TRY(split_sizes(call, axis, size));
    for (int i = 0; i < call->outputs; i++) {
        call->out[i].dtype = call->in[0].dtype;
        call->out[i].shape = call->in[0].shape;
        call->out[i].shape.dim[axis] = size[i];
    }
    return JM_OK;
}

static jm_status plan_split(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    int axis;
    JM_TRY(axis_of(call, &axis));
    jm_moves *moves = jm_moves_create(arena, call->in[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    int64_t start = 0;
    for (int i = 0; i < call->outputs; i++) {
        jm_side from = jm_side_of(&call->in[0], 0), to = jm_side_of(&call->out[i], i);
        jm_side_slice(&from, axis, start, 1);
        JM_TRY(jm_moves_copy(moves, &call->out[i].shape, &from, &to));
        JM_TRY(jm_moves_clear_lanes(moves, &call->out[i], i));
        start += call->out[i].shape.dim[axis];
    }
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param split_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"split", JM_PARAM_INPUT, JM_HOST | JM_OPTIONAL, .doc = "size of each piece; equal pieces when absent"},
    {"outputs", JM_PARAM_OUTPUT, JM_VARIADIC, .doc = "the pieces"},
    {"axis", JM_PARAM_INT, JM_OPTIONAL, .doc = "in [-rank, rank)"},
    {"num_outputs", JM_PARAM_INT, JM_OPTIONAL,
     .doc = "number of pieces without `split`, the last may be smaller; 0: as many as there are outputs"},
};

const jm_op jm_op_split = {
    .name = "Split",
    .param = split_param,
    .params = JM_COUNT(split_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "outputs = consecutive pieces of input along axis",
    .source = "ONNX Split-18",
    .view = true,
    .infer = infer_split,
    .forms = forms,
    .plan = plan_split,
    .run = jm_moves_run,
};
