/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/move.h"

static jm_status infer(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

static int forms(const jm_call *call, jm_form form[JM_MAX_FORMS])
{
    form[0] = jm_move_form(call, 0, "plain", JM_PLAIN, JM_PLAIN);
    if (call->in[0].shape.rank < 3) return 1;
    form[1] = jm_move_form(call, 1, "c16 to plain", JM_C16, JM_PLAIN);
    form[2] = jm_move_form(call, 2, "plain to c16", JM_PLAIN, JM_C16);
    form[3] = jm_move_form(call, 3, "c16", JM_C16, JM_C16);
    return 4;
}

static jm_status plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                      jm_plan *result)
{
    (void)form;
    jm_moves *moves = jm_moves_create(arena, call->in[0].dtype);
    if (!moves) return JM_OUT_OF_MEMORY;
    jm_side from = jm_side_of(&call->in[0], 0), to = jm_side_of(&call->out[0], 0);
    JM_TRY(jm_moves_copy(moves, &call->in[0].shape, &from, &to));
    JM_TRY(jm_moves_clear_lanes(moves, &call->out[0], 0));
    jm_moves_finish(moves, machine, result);
    return JM_OK;
}

static const jm_param param[] = {
    {"input", JM_PARAM_INPUT, 0, .doc = "tensor in any layout"},
    {"output", JM_PARAM_OUTPUT, 0, .doc = "the same elements in any other layout, strides or channel map"},
};

const jm_op jm_op_reorder = {
    .name = "Reorder",
    .param = param,
    .params = JM_COUNT(param),
    .formula = "output = input",
    .source = "internal: inserted where layouts differ",
    .infer = infer,
    .forms = forms,
    .plan = plan,
    .run = jm_moves_run,
};
