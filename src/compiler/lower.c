/* SPDX-License-Identifier: Apache-2.0
 *
 * Composite operators in a graph: op->lower() emits simpler nodes through a builder whose operands are values.
 */
#include <string.h>

#include "compiler/fold.h"
#include "compiler/passes.h"
#include "ops/builder.h"

typedef struct graph_builder {
    jm_builder base;
    jm_graph *graph;
    jm_node *node; /* being lowered */
} graph_builder;

static jm_value *value_of(const jm_operand *operand)
{
    return (jm_value *)operand;
}

static jm_operand *operand_of(jm_value *value)
{
    return (jm_operand *)value;
}

static jm_operand *builder_input(jm_builder *builder, int i)
{
    const jm_node *node = ((graph_builder *)builder)->node;
    return i < node->inputs ? operand_of(node->in[i]) : NULL;
}

static jm_operand *builder_output(jm_builder *builder, int i)
{
    const jm_node *node = ((graph_builder *)builder)->node;
    return i < node->outputs ? operand_of(node->out[i]) : NULL;
}

static const jm_tensor *builder_tensor(jm_builder *builder, const jm_operand *operand)
{
    (void)builder;
    return &value_of(operand)->tensor;
}

static jm_status builder_constant(jm_builder *builder, jm_dtype dtype, const jm_shape *shape, const void *data,
                                  jm_operand **out)
{
    graph_builder *b = (graph_builder *)builder;
    jm_value *value = jm_graph_constant(b->graph, b->node->name, dtype, shape, data, true);
    *out = operand_of(value);
    return value ? JM_OK : JM_OUT_OF_MEMORY;
}

static jm_status set_attr(jm_graph *graph, jm_node *node, const jm_named_attr *attr)
{
    int index = jm_op_attr_index(node->op, attr->name);
    if (index < 0) {
        return jm_error(JM_INTERNAL, "a composite operator sets '%s', which %s does not have", attr->name,
                        node->op->name);
    }
    switch (jm_op_attr(node->op, index)->kind) {
    case JM_PARAM_STRING:
        return jm_node_set_string(graph, node, attr->name, attr->value.s);
    case JM_PARAM_INTS:
        return jm_node_set_ints(graph, node, attr->name, attr->value.ints, attr->value.count);
    case JM_PARAM_FLOATS:
        return jm_node_set_floats(graph, node, attr->name, attr->value.floats, attr->value.count);
    default:
        node->attr[index] = attr->value;
        node->attr[index].present = true;
        return JM_OK;
    }
}

static jm_status builder_node(jm_builder *builder, const jm_op *op, jm_operand *const *in, int inputs,
                              const jm_named_attr *attr, int attrs, jm_operand **out, int outputs)
{
    graph_builder *b = (graph_builder *)builder;
    jm_value *in_value[JM_MAX_ARGUMENTS], *out_value[JM_MAX_ARGUMENTS];
    if (inputs > JM_MAX_ARGUMENTS || outputs > JM_MAX_ARGUMENTS) {
        return jm_error(JM_INTERNAL, "a composite operator emits %s with too many arguments", op->name);
    }
    for (int i = 0; i < inputs; i++) in_value[i] = value_of(in[i]);
    for (int i = 0; i < outputs; i++) {
        if (!out[i]) out[i] = operand_of(jm_graph_value(b->graph, b->node->name));
        if (!out[i]) return JM_OUT_OF_MEMORY;
        out_value[i] = value_of(out[i]);
    }
    jm_node *node = jm_graph_node(b->graph, op, b->node->name, in_value, inputs, out_value, outputs);
    if (!node) return JM_OUT_OF_MEMORY;
    for (int i = 0; i < attrs; i++) JM_TRY(set_attr(b->graph, node, &attr[i]));
    return jm_node_settle(b->graph, node);
}

bool jm_node_composite(const jm_node *node)
{
    return node->op->lower && !node->op->plan;
}

jm_status jm_node_lower(jm_graph *graph, jm_node *node)
{
    static const jm_builder_methods methods = {.input = builder_input,
                                               .output = builder_output,
                                               .tensor = builder_tensor,
                                               .constant = builder_constant,
                                               .node = builder_node};
    graph_builder builder = {.base = {&methods}, .graph = graph, .node = node};
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_node_call(node, &call, in, out);
    JM_TRY(node->op->lower(&call, &builder.base));
    jm_node_kill(node);
    return JM_OK;
}

jm_status jm_pass_lower(jm_graph *graph)
{
    for (size_t i = 0; i < graph->nodes; i++) {
        if (!graph->node[i]->dead && jm_node_composite(graph->node[i])) JM_TRY(jm_node_lower(graph, graph->node[i]));
    }
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}
