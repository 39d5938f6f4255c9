/* SPDX-License-Identifier: Apache-2.0
 *
 * Expand and Tile: elements repeated.
 */
#include "ops/move.h"

static jm_status infer_expand(jm_call *call)
{
    jm_shape shape = {0};
    JM_TRY(jm_call_host_ints(call, 1, shape.dim, JM_MAX_RANK, &shape.rank));
    for (int k = 0; k < shape.rank; k++)
        if (shape.dim[k] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "shape[%d] is %lld", k, (long long)shape.dim[k]);
    call->out[0].dtype = call->in[0].dtype;
    return jm_shape_broadcast(&call->in[0].shape, &shape, &call->out[0].shape);
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    return 1;
}

static jm_status plan_expand(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                             jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    jm_moves *moves = jm_moves_create(arena, in->dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    jm_side from = jm_side_of(in, 0), to = jm_side_of(out, 0);
    int lead = out->shape.rank - in->shape.rank;
    for (int k = out->shape.rank - 1; k >= 0; k--)
        from.stride[k] = k < lead || in->shape.dim[k - lead] == 1 ? 0 : in->stride[k - lead];
    JM_TRY(jm_moves_copy(moves, &out->shape, &from, &to));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param expand_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"shape", JM_PARAM_INPUT, JM_HOST, .doc = "shape to broadcast with"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "input, repeated along dimensions of 1"},
};

const jm_op jm_op_expand = {
    .name = "Expand",
    .param = expand_param,
    .params = JM_COUNT(expand_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "output = input broadcast with shape",
    .source = "ONNX Expand-13",
    .infer = infer_expand,
    .forms = forms,
    .plan = plan_expand,
    .run = jm_moves_run,
};

static jm_status infer_tile(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    int64_t repeat[JM_MAX_RANK];
    int count;
    JM_TRY(jm_call_host_ints(call, 1, repeat, JM_MAX_RANK, &count));
    if (count != from->rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "repeats has %d values and the input has rank %d", count,
                             from->rank);
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = *from;
    for (int k = 0; k < count; k++) {
        int64_t *dim = &call->out[0].shape.dim[k];
        if (repeat[k] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "repeats[%d] is %lld", k, (long long)repeat[k]);
        if (*dim >= 0 && __builtin_mul_overflow(*dim, repeat[k], dim))
            return jm_call_error(call, JM_OUT_OF_RANGE, "repeats[%d] is %lld; the output is too large", k,
                                 (long long)repeat[k]);
    }
    return JM_OK;
}

/* Each dimension is two loops: repeats, which stand still in the input, and its elements. */
static jm_status plan_tile(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form;
    const jm_tensor *in = &call->in[0], *out = &call->out[0];
    jm_moves *moves = jm_moves_create(arena, in->dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    int64_t element = (int64_t)moves->element;
    jm_move move = {.rank = 2 * in->shape.rank};
    for (int k = 0; k < in->shape.rank; k++) {
        int64_t dim = in->shape.dim[k];
        move.dim[2 * k] = dim ? out->shape.dim[k] / dim : 0;
        move.out_stride[2 * k] = dim * out->stride[k] * element;
        move.dim[2 * k + 1] = dim;
        move.in_stride[2 * k + 1] = in->stride[k] * element;
        move.out_stride[2 * k + 1] = out->stride[k] * element;
    }
    JM_TRY(jm_moves_add(moves, &move));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param tile_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"repeats", JM_PARAM_INPUT, JM_HOST, .doc = "number of copies along each dimension"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "input, side by side"},
};

const jm_op jm_op_tile = {
    .name = "Tile",
    .param = tile_param,
    .params = JM_COUNT(tile_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "output[i] = input[i mod d]",
    .source = "ONNX Tile-13",
    .infer = infer_tile,
    .forms = forms,
    .plan = plan_tile,
    .run = jm_moves_run,
};
