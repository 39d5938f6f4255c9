/* SPDX-License-Identifier: Apache-2.0
 *
 * Softmax over groups of channels and a convolution of one filter become SoftmaxDot: x [N, G, K, P], groups and
 * channels transposed, Softmax over K, 1x1 convolution with K constants to [N, 1, G, P]. The boxes of YOLOv8 and its
 * successors are written so. Nothing is transposed then.
 */
#include "compiler/passes.h"

#include <string.h>

static bool is(const jm_node *node, const char *op)
{
    return node && strcmp(node->op->name, op) == 0;
}

/* The producer of a value that only one node reads, when it is this operator. */
static const jm_node *inner(const jm_value *value, const char *op)
{
    const bool only = value && value->uses == 1 && !value->is_output;
    return only && is(value->producer, op) ? value->producer : NULL;
}

static bool swaps_groups(const jm_node *transpose)
{
    static const int64_t perm[4] = {0, 2, 1, 3};
    const jm_attr *attr = jm_node_attr(transpose, "perm");
    return attr->count == 4 && memcmp(attr->ints, perm, sizeof perm) == 0;
}

/* One filter over K channels of single points, without bias, padding, stride or epilogue. */
static bool is_dot(const jm_node *conv)
{
    const jm_shape *in = &conv->in[0]->tensor.shape, *out = &conv->out[0]->tensor.shape;
    const jm_tensor *w = &conv->in[1]->tensor;
    if (in->rank != 4 || out->dim[1] != 1 || in->dim[2] != out->dim[2] || in->dim[3] != out->dim[3]) return false;
    for (int i = 2; i < conv->inputs; i++)
        if (conv->in[i]) return false;
    return w->constant && w->layout == JM_PLAIN && w->dtype == JM_F32 && jm_tensor_contiguous(w) &&
           w->shape.dim[1] == in->dim[1] && w->shape.dim[2] == 1 && w->shape.dim[3] == 1 &&
           jm_node_attr(conv, "epilogue")->epilogue.activation == JM_ACT_NONE;
}

static jm_status make_dot(jm_graph *graph, jm_node *conv)
{
    if (!is(conv, "Conv") || !is_dot(conv)) return JM_OK;
    const jm_node *softmax = inner(conv->in[0], "Softmax");
    const jm_node *transpose = softmax ? inner(softmax->in[0], "Transpose") : NULL;
    int axis;
    if (!transpose || jm_axis_normalise(jm_node_attr(softmax, "axis")->i, 4, &axis) != JM_OK || axis != 1 ||
        !swaps_groups(transpose))
        return JM_OK;
    const jm_op *op = jm_op_find("SoftmaxDot"), *reshape = jm_op_find("Reshape");
    jm_value *out = conv->out[0], *x = transpose->in[0];
    const jm_shape count = {.rank = 1, .dim = {conv->in[0]->tensor.shape.dim[1]}}, list = {.rank = 1, .dim = {4}};
    jm_value *w = jm_graph_constant(graph, conv->in[1]->name, JM_F32, &count, conv->in[1]->tensor.data, true);
    jm_value *shape = jm_graph_constant(graph, "", JM_I64, &list, out->tensor.shape.dim, true);
    jm_value *dot = jm_graph_value(graph, conv->name);
    if (!op || !reshape || !w || !shape || !dot) return JM_OUT_OF_MEMORY;
    jm_node *node = jm_graph_node(graph, op, conv->name, (jm_value *[]){x, w}, 2, &dot, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_node_infer(node));
    jm_node_kill(conv);
    node = jm_graph_node(graph, reshape, conv->name, (jm_value *[]){dot, shape}, 2, &out, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_node_set_int(graph, node, "allowzero", 1));
    return jm_node_infer(node);
}

jm_status jm_pass_softmax_dot(jm_graph *graph)
{
    for (size_t i = 0, n = graph->nodes; i < n; i++)
        if (!graph->node[i]->dead) JM_TRY(make_dot(graph, graph->node[i]));
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}
