/* SPDX-License-Identifier: Apache-2.0 */
#include "small_run.h"

#include <stdlib.h>

#include "model/model.h"

enum { TENSORS = 8, LIMIT = 1 << 24 };

static void run(const jm_graph *graph, jm_program *program, void *memory[2][TENSORS])
{
    for (size_t i = 0; i < graph->inputs + graph->outputs; i++) {
        size_t output = i >= graph->inputs, at = output ? i - graph->inputs : i, bytes;
        const jm_value *value = output ? graph->output[at] : graph->input[at];
        if (jm_tensor_bytes(&value->tensor, &bytes) != JM_OK || bytes >= LIMIT) return;
        memory[output][at] = calloc(bytes + !bytes, 1);
        if (!memory[output][at]) return;
    }
    jm_program_bind(program, memory[0], memory[1]);
    (void)!jm_program_run(program);
}

void small_run(jm_graph *graph)
{
    jm_machine machine;
    jm_program *program;
    jm_program_info info;
    void *memory[2][TENSORS] = {{NULL}};
    if (graph->inputs > TENSORS || graph->outputs > TENSORS) return;
    if (jm_machine_get(2, &machine) != JM_OK || jm_program_create(graph, &machine, &program) != JM_OK) return;
    jm_program_get_info(program, &info);
    if (info.arena_bytes < LIMIT && info.scratch_bytes < LIMIT && info.flops < LIMIT) run(graph, program, memory);
    for (int i = 0; i < 2 * TENSORS; i++) free(memory[i / TENSORS][i % TENSORS]);
    jm_program_destroy(program);
}
