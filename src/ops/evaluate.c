/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/evaluate.h"

static jm_status run_plan(const jm_call *call, const jm_plan *plan, void *const *in, void *const *out)
{
    atomic_int fault = 0;
    void *scratch = jm_alloc(plan->scratch, 1);
    void *workspace = jm_alloc(plan->workspace, 1);
    jm_status status = scratch && workspace ? JM_OK : JM_OUT_OF_MEMORY;
    if (status == JM_OK) {
        jm_run run = {.in = in, .out = out, .scratch = scratch, .workspace = workspace, .fault = &fault};
        for (run.chunk = 0; run.chunk < plan->chunks; run.chunk++) call->op->run(plan, &run);
        if (atomic_load(&fault) != 0)
            status =
                jm_call_error(call, (jm_status)atomic_load(&fault), "an index in its constant inputs is out of range");
    }
    jm_free(scratch);
    jm_free(workspace);
    return status;
}

jm_status jm_op_evaluate(const jm_call *call, void *const *in, void *const *out)
{
    jm_form forms[JM_MAX_FORMS];
    jm_machine machine;
    jm_plan plan;
    jm_arena *arena;
    jm_op_forms(call, forms);
    JM_TRY(jm_machine_get(1, &machine));
    JM_TRY(jm_arena_create(&arena));
    jm_status status = jm_op_plan(call, &forms[0], &machine, arena, &plan);
    if (status == JM_OK) status = run_plan(call, &plan, in, out);
    jm_arena_destroy(arena);
    return status;
}
