/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of a graph's inputs and outputs that differ from those of the model.
 */
#include "compiler/compiler.h"

/* A Cast of `from` to `to`. */
static jm_status add_cast(jm_graph *graph, jm_value *from, jm_value *to, jm_dtype dtype)
{
    const jm_op *op = jm_op_find("Cast");
    if (!op) return jm_error(JM_INTERNAL, "there is no operator Cast");
    jm_node *node = jm_graph_node(graph, op, to->name, &from, 1, &to, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_node_set_int(graph, node, "to", dtype));
    return jm_node_infer(node);
}

jm_status jm_graph_cast_input(jm_graph *graph, size_t index, jm_dtype dtype)
{
    jm_value *old = graph->input[index];
    if (old->tensor.dtype == dtype) return JM_OK;
    jm_value *input = jm_graph_value(graph, old->name);
    if (!input) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_tensor_init(&input->tensor, dtype, &old->tensor.shape, JM_PLAIN, NULL));
    graph->input[index] = input;
    input->is_input = true;
    old->is_input = false;
    return add_cast(graph, input, old, old->tensor.dtype);
}

jm_status jm_graph_cast_output(jm_graph *graph, size_t index, jm_dtype dtype)
{
    jm_value *old = graph->output[index];
    if (old->tensor.dtype == dtype) return JM_OK;
    jm_value *output = jm_graph_value(graph, old->name);
    if (!output) return JM_OUT_OF_MEMORY;
    graph->output[index] = output;
    output->is_output = true;
    output->uses++;
    old->is_output = false;
    old->uses--;
    return add_cast(graph, old, output, dtype);
}
