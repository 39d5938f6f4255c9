/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/fold.h"

#include <string.h>

#include "compiler/passes.h"
#include "ops/evaluate.h"

/* A constant result is kept when it is at most SMALL_BYTES, or neither larger than LARGE_BYTES nor than GROWTH times
 * what it is made from: otherwise an Expand of one number would fill the file. TOTAL_BYTES and FLOPS bound memory and
 * time that a hostile model can take; real models stay far below. */
#define SMALL_BYTES ((size_t)64 << 10)
#define LARGE_BYTES ((size_t)64 << 20)
#define TOTAL_BYTES ((size_t)512 << 20)
#define GROWTH 16
#define FLOPS 1e9

static double flops(const jm_node *node)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_node_call(node, &call, in, out);
    return jm_op_flops(&call);
}

static bool worth_folding(const jm_graph *graph, const jm_node *node)
{
    size_t from = 0, to = 0, bytes;
    for (int i = 0; i < node->inputs; i++) {
        const jm_value *in = node->in[i];
        if (!in) continue;
        if (!in->tensor.constant || in->tensor.layout != JM_PLAIN) return false;
        if (jm_tensor_bytes(&in->tensor, &bytes) != JM_OK) return false;
        from += bytes;
    }
    for (int i = 0; i < node->outputs; i++) {
        const jm_value *out = node->out[i];
        if (!out) continue;
        if (out->is_output || jm_tensor_bytes(&out->tensor, &bytes) != JM_OK || !jm_size_add(to, bytes, &to))
            return false;
    }
    const bool moderate = to <= SMALL_BYTES || (to <= LARGE_BYTES && to / GROWTH <= from);
    return node->op->plan && node->op->run && moderate && to <= TOTAL_BYTES - JM_MIN(graph->folded, TOTAL_BYTES) &&
           flops(node) <= FLOPS;
}

static jm_status fold(jm_graph *graph, jm_node *node)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    void *in_data[JM_MAX_ARGUMENTS] = {0}, *out_data[JM_MAX_ARGUMENTS] = {0};
    jm_call call;
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_infer(&call)); /* fills strides */
    for (int i = 0; i < node->inputs; i++) in_data[i] = in[i].data;
    for (int i = 0; i < node->outputs; i++) {
        size_t bytes;
        JM_TRY(jm_tensor_bytes(&out[i], &bytes));
        out_data[i] = jm_arena_alloc(graph->arena, JM_MAX(bytes, (size_t)64), 1);
        if (!out_data[i]) return JM_OUT_OF_MEMORY;
        graph->folded += bytes;
    }
    JM_TRY(jm_op_evaluate(&call, in_data, out_data));
    for (int i = 0; i < node->outputs; i++) {
        if (!node->out[i]) continue;
        node->out[i]->tensor = out[i];
        node->out[i]->tensor.data = out_data[i];
        node->out[i]->tensor.constant = true;
    }
    jm_node_kill(node);
    return JM_OK;
}

jm_status jm_node_settle(jm_graph *graph, jm_node *node)
{
    JM_TRY(jm_node_infer(node));
    for (int i = 0; i < node->outputs; i++) {
        if (!node->out[i] || jm_shape_known(&node->out[i]->tensor.shape)) continue;
        char text[JM_SHAPE_TEXT];
        return jm_error(JM_UNSUPPORTED, "%s '%s': the size of its output '%s' %s depends on data", node->op->name,
                        node->name, node->out[i]->name, jm_shape_text(&node->out[i]->tensor.shape, text));
    }
    if (jm_node_composite(node)) return jm_node_lower(graph, node);
    return worth_folding(graph, node) ? fold(graph, node) : JM_OK;
}

jm_status jm_pass_infer(jm_graph *graph)
{
    JM_TRY(jm_graph_sort(graph));
    for (size_t i = 0; i < graph->nodes; i++) {
        if (!graph->node[i]->dead) JM_TRY(jm_node_settle(graph, graph->node[i]));
    }
    return jm_graph_sweep(graph);
}
