/* SPDX-License-Identifier: Apache-2.0
 *
 * Transpose and ChannelShuffle: permutations of dimensions.
 */
#include "ops/move.h"

/* ---- Transpose ---- */

/* perm[k]: the input dimension that becomes output dimension k. */
static jm_status read_perm(const jm_call *call, int perm[JM_MAX_RANK])
{
    const jm_attr *attr = &call->attr[0];
    int rank = call->in[0].shape.rank;
    if (attr->present && attr->count > 0 && attr->count != rank)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "perm has %d values and the input has rank %d",
                             (int)attr->count, rank);
    bool seen[JM_MAX_RANK] = {false};
    for (int k = 0; k < rank; k++) {
        int64_t axis = attr->present && attr->count > 0 ? attr->ints[k] : rank - 1 - k;
        if (axis < 0 || axis >= rank || seen[axis])
            return jm_call_error(call, JM_INVALID_ARGUMENT, "perm[%d] is %lld; perm must name every axis once", k,
                                 (long long)axis);
        seen[axis] = true;
        perm[k] = (int)axis;
    }
    return JM_OK;
}

static jm_status infer_transpose(jm_call *call)
{
    int perm[JM_MAX_RANK];
    JM_TRY(read_perm(call, perm));
    const jm_shape *from = &call->in[0].shape;
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape.rank = from->rank;
    for (int k = 0; k < from->rank; k++) call->out[0].shape.dim[k] = from->dim[perm[k]];
    return JM_OK;
}

static int forms_transpose(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (call->in[0].shape.rank < 3) return 1;
    form[1] = jm_move_form(call, 1, "c16 to plain", JM_C16, JM_PLAIN);
    form[2] = jm_move_form(call, 2, "plain to c16", JM_PLAIN, JM_C16);
    return 3;
}

static void permute(const jm_side *side, const int *from, int rank, jm_side *out)
{
    *out = *side;
    for (int k = 0; k < rank; k++) out->stride[k] = side->stride[from[k]];
}

/* At most one side is blocked: the copy runs in its order of dimensions, and the plain side is permuted. */
static jm_status plan_transpose(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                                jm_plan *plan)
{
    int perm[JM_MAX_RANK], inverse[JM_MAX_RANK], rank = call->in[0].shape.rank;
    JM_TRY(read_perm(call, perm));
    for (int k = 0; k < rank; k++) inverse[perm[k]] = k;
    jm_moves *moves = jm_moves_create(arena, call->in[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    jm_side from = jm_side_of(&call->in[0], 0), to = jm_side_of(&call->out[0], 0), plain;
    if (form->out == JM_C16) {
        permute(&from, perm, rank, &plain);
        JM_TRY(jm_moves_copy(moves, &call->out[0].shape, &plain, &to));
    } else {
        permute(&to, inverse, rank, &plain);
        JM_TRY(jm_moves_copy(moves, &call->in[0].shape, &from, &plain));
    }
    JM_TRY(jm_moves_clear_lanes(moves, &call->out[0], 0));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param transpose_param[] = {
    {"data", JM_PARAM_INPUT, 0, .doc = "tensor"},
    {"transposed", JM_PARAM_OUTPUT, 0, .doc = "the same elements with permuted dimensions"},
    {"perm", JM_PARAM_INTS, JM_OPTIONAL, .doc = "input dimension of each output dimension; reversed when absent"},
};

const jm_op jm_op_transpose = {
    .name = "Transpose",
    .param = transpose_param,
    .params = JM_COUNT(transpose_param),
    .dtypes = JM_DTYPES_ANY,
    .formula = "transposed[i(perm[0]), i(perm[1]), ...] = data[i0, i1, ...]",
    .source = "ONNX Transpose-13",
    .infer = infer_transpose,
    .forms = forms_transpose,
    .plan = plan_transpose,
    .run = jm_moves_run,
};

/* ---- ChannelShuffle ---- */

#define MAX_GROUPS 65536 /* each is a copy of its own in the plan */

static jm_status infer_shuffle(jm_call *call)
{
    const jm_shape *from = &call->in[0].shape;
    int64_t groups = call->attr[0].i;
    if (from->rank < 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must have channels", from->rank);
    if (groups < 1 || (from->dim[1] >= 0 && from->dim[1] % groups != 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "%lld channels cannot be shuffled in %lld groups",
                             (long long)from->dim[1], (long long)groups);
    if (groups > MAX_GROUPS)
        return jm_call_error(call, JM_UNSUPPORTED, "%lld groups; the limit is %d", (long long)groups, MAX_GROUPS);
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = *from;
    return JM_OK;
}

static int forms_shuffle(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (call->in[0].shape.rank < 3) return 1;
    form[1] = jm_move_form(call, 1, "c16", JM_C16, JM_C16);
    return 2;
}

/* Group g is contiguous in the input and every groups-th channel of the output, from g on. */
static jm_status plan_shuffle(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                              jm_plan *plan)
{
    (void)form;
    jm_moves *moves = jm_moves_create(arena, call->in[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    int64_t groups = call->attr[0].i;
    jm_shape shape = call->in[0].shape;
    int64_t each = shape.dim[1] / groups;
    shape.dim[1] = each;
    for (int64_t g = 0; each > 0 && g < groups; g++) {
        jm_side from = jm_side_of(&call->in[0], 0), to = jm_side_of(&call->out[0], 0);
        jm_side_slice(&from, 1, g * each, 1);
        jm_side_slice(&to, 1, g, groups);
        JM_TRY(jm_moves_copy(moves, &shape, &from, &to));
    }
    JM_TRY(jm_moves_clear_lanes(moves, &call->out[0], 0));
    jm_moves_finish(moves, machine, plan);
    return JM_OK;
}

static const jm_param shuffle_param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "[N, C, ...]"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "the same with permuted channels"},
    {"groups", JM_PARAM_INT, 0, .doc = "divides C"},
};

const jm_op jm_op_channel_shuffle = {
    .name = "ChannelShuffle",
    .param = shuffle_param,
    .params = JM_COUNT(shuffle_param),
    .formula = "output[n, j * groups + g] = input[n, g * C / groups + j]",
    .source = "internal: Reshape, Transpose, Reshape of ShuffleNet; a C16 view with another channel map",
    .view = true,
    .infer = infer_shuffle,
    .forms = forms_shuffle,
    .plan = plan_shuffle,
    .run = jm_moves_run,
};
