/* SPDX-License-Identifier: Apache-2.0
 *
 * Brings everything that takes channels or rows apart and joins them into few shapes that the view pass understands:
 *   - Reshape, Transpose, Reshape of a ShuffleNet becomes ChannelShuffle; a Gather behind it becomes a strided Slice;
 *   - Split becomes one Slice per piece, so that each piece is decided on its own;
 *   - neighbouring slices of one value that meet again in a Concat become one piece, the value itself if they are all
 *     of it (the bottleneck of YOLOv8 then writes straight into the Concat).
 */
#include "compiler/passes.h"

#include <string.h>

#include "compiler/role.h"

static bool is(const jm_node *node, const char *op)
{
    return node && strcmp(node->op->name, op) == 0;
}

static jm_value *ints_constant(jm_graph *graph, const int64_t *data, int count)
{
    const jm_shape shape = {.rank = 1, .dim = {count}};
    return jm_graph_constant(graph, "", JM_I64, &shape, data, true);
}

/* out = x[start : start + step * count : step] along `axis`. */
static jm_status make_slice(jm_graph *graph, const char *name, jm_value *x, int axis, int64_t start, int64_t step,
                            jm_value *out)
{
    const jm_op *op = jm_op_find("Slice");
    if (!op) return jm_error(JM_INTERNAL, "there is no operator Slice");
    const int64_t end = start + step * (out->tensor.shape.dim[axis] - 1) + 1, axis64 = axis;
    jm_value *const in[] = {x, ints_constant(graph, &start, 1), ints_constant(graph, &end, 1),
                            ints_constant(graph, &axis64, 1), ints_constant(graph, &step, 1)};
    for (size_t i = 0; i < JM_COUNT(in); i++)
        if (!in[i]) return JM_OUT_OF_MEMORY;
    jm_node *node = jm_graph_node(graph, op, name, in, JM_COUNT(in), &out, 1);
    return node ? jm_node_infer(node) : JM_OUT_OF_MEMORY;
}

/* ---- Shuffles ---- */

static bool permutes(const jm_node *transpose, const int64_t *perm, int count)
{
    const jm_attr *attr = jm_node_attr(transpose, "perm");
    return attr->count == count && memcmp(attr->ints, perm, (size_t)count * sizeof *perm) == 0;
}

/* The node that produces the input of `node`, and its shape facts: x is reshaped to `middle`, then transposed. */
static bool reshape_transpose(const jm_node *transpose, jm_value **x, const jm_shape **middle)
{
    if (!is(transpose, "Transpose")) return false;
    const jm_node *reshape = transpose->in[0]->producer;
    if (!reshape || jm_node_role(reshape).kind != JM_ROLE_RESHAPE) return false;
    *x = reshape->in[0];
    *middle = &reshape->out[0]->tensor.shape;
    return (*x)->tensor.shape.rank >= 3;
}

static int64_t spatial_count(const jm_shape *shape)
{
    int64_t count = 1;
    for (int k = 2; k < shape->rank; k++) count *= shape->dim[k];
    return count;
}

/* [N,C,...] -> [N,g,C/g,...] -> swap 1 and 2 -> [N,C,...]. */
static jm_status match_shuffle(jm_graph *graph, jm_node *node)
{
    static const int64_t perm[JM_MAX_RANK] = {0, 2, 1, 3, 4, 5, 6, 7};
    jm_value *x, *out = node->out[0];
    const jm_shape *middle;
    const jm_op *op = jm_op_find("ChannelShuffle");
    if (!op || jm_node_role(node).kind != JM_ROLE_RESHAPE) return JM_OK;
    const jm_node *transpose = node->in[0]->producer;
    if (!reshape_transpose(transpose, &x, &middle) || !jm_shape_equal(&x->tensor.shape, &out->tensor.shape))
        return JM_OK;
    const jm_shape *shape = &x->tensor.shape;
    if (!permutes(transpose, perm, middle->rank) || middle->dim[0] != shape->dim[0] ||
        middle->dim[1] * middle->dim[2] != shape->dim[1])
        return JM_OK;
    const int64_t groups = middle->dim[1];
    jm_node_kill(node);
    jm_node *shuffle = jm_graph_node(graph, op, node->name, &x, 1, &out, 1);
    if (!shuffle) return JM_OUT_OF_MEMORY;
    return jm_node_set_int(graph, shuffle, "groups", groups);
}

/* [1,C,...] -> [C/g,g,S] -> swap 0 and 1 -> [g,1,C/g,...] -> Gather of entry i: channels i, i + g, ... */
static jm_status match_strided(jm_graph *graph, jm_node *node)
{
    static const int64_t perm[3] = {1, 0, 2};
    if (!is(node, "Gather") || jm_node_attr(node, "axis")->i != 0 || node->in[0]->tensor.shape.rank < 4) return JM_OK;
    const jm_node *reshape = node->in[0]->producer;
    jm_value *x, *out = node->out[0];
    const jm_shape *middle;
    if (!reshape || jm_node_role(reshape).kind != JM_ROLE_RESHAPE) return JM_OK;
    const jm_node *transpose = reshape->in[0]->producer;
    if (!reshape_transpose(transpose, &x, &middle) || middle->rank != 3 || !permutes(transpose, perm, 3)) return JM_OK;
    const jm_shape *shape = &x->tensor.shape;
    const int64_t each = middle->dim[0], groups = middle->dim[1];
    jm_shape piece = *shape;
    piece.dim[1] = each;
    if (shape->dim[0] != 1 || each * groups != shape->dim[1] || middle->dim[2] != spatial_count(shape) ||
        !jm_shape_equal(&piece, &out->tensor.shape))
        return JM_OK;
    jm_tensor in[JM_MAX_ARGUMENTS], outs[JM_MAX_ARGUMENTS];
    jm_call call;
    int64_t index;
    int count;
    jm_node_call(node, &call, in, outs);
    if (!in[1].constant || jm_call_host_ints(&call, 1, &index, 1, &count) != JM_OK || count != 1) return JM_OK;
    if (index < 0) index += groups;
    if (index < 0 || index >= groups) return JM_OK;
    jm_node_kill(node);
    return make_slice(graph, node->name, x, 1, index, groups, out);
}

/* ---- Split and Concat ---- */

static jm_status cut_split(jm_graph *graph, jm_node *node)
{
    const jm_role role = jm_node_role(node);
    if (role.kind != JM_ROLE_SPLIT) return JM_OK;
    jm_value *x = node->in[0];
    int64_t start = 0;
    jm_node_kill(node);
    for (int i = 0; i < node->outputs; i++) {
        jm_value *out = node->out[i];
        if (!out) return jm_error(JM_INTERNAL, "Split '%s': an output is missing", node->name);
        if (out->uses > 0) JM_TRY(make_slice(graph, node->name, x, role.axis, start, 1, out));
        start += out->tensor.shape.dim[role.axis];
    }
    return JM_OK;
}

/* The source of a value that is a Slice with step 1 along this axis; NULL for any other. */
static jm_value *sliced_from(const jm_value *value, int axis, int64_t *start)
{
    if (!value->producer) return NULL;
    const jm_role role = jm_node_role(value->producer);
    if (role.kind != JM_ROLE_SLICE || role.axis != axis || role.step != 1) return NULL;
    *start = role.start;
    return value->producer->in[0];
}

/* How many inputs from `first` on continue each other inside one value. */
static int run_of_pieces(const jm_node *node, int axis, int first, jm_value **source, int64_t *start, int64_t *length)
{
    *source = sliced_from(node->in[first], axis, start);
    *length = node->in[first]->tensor.shape.dim[axis];
    int count = 1;
    while (*source && first + count < node->inputs) {
        int64_t at = 0;
        const jm_value *next = node->in[first + count];
        if (sliced_from(next, axis, &at) != *source || at != *start + *length) break;
        *length += next->tensor.shape.dim[axis];
        count++;
    }
    return count;
}

static jm_status join_pieces(jm_graph *graph, jm_node *node)
{
    const jm_role role = jm_node_role(node);
    if (role.kind != JM_ROLE_CONCAT) return JM_OK;
    jm_value *piece[JM_MAX_ARGUMENTS];
    int pieces = 0;
    for (int i = 0; i < node->inputs;) {
        jm_value *source;
        int64_t start = 0, length = 0;
        const int count = run_of_pieces(node, role.axis, i, &source, &start, &length);
        if (source && start == 0 && length == source->tensor.shape.dim[role.axis]) {
            piece[pieces++] = source;
        } else if (count > 1) {
            jm_value *joined = jm_graph_value(graph, node->in[i]->name);
            if (!joined) return JM_OUT_OF_MEMORY;
            joined->tensor.dtype = source->tensor.dtype;
            joined->tensor.shape = source->tensor.shape;
            joined->tensor.shape.dim[role.axis] = length;
            JM_TRY(make_slice(graph, node->name, source, role.axis, start, 1, joined));
            piece[pieces++] = joined;
        } else {
            piece[pieces++] = node->in[i];
        }
        i += count;
    }
    if (pieces == node->inputs) return JM_OK;
    jm_value *out = node->out[0];
    if (pieces == 1 && jm_graph_replace(graph, out, piece[0])) {
        jm_node_kill(node);
        return JM_OK;
    }
    jm_node_kill(node);
    jm_node *concat = jm_graph_node(graph, node->op, node->name, piece, pieces, &out, 1);
    if (!concat) return JM_OUT_OF_MEMORY;
    return jm_node_set_int(graph, concat, "axis", role.axis);
}

static jm_status for_each(jm_graph *graph, jm_status (*apply)(jm_graph *, jm_node *))
{
    for (size_t i = 0, n = graph->nodes; i < n; i++)
        if (!graph->node[i]->dead) JM_TRY(apply(graph, graph->node[i]));
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}

jm_status jm_pass_pieces(jm_graph *graph)
{
    JM_TRY(for_each(graph, match_shuffle));
    JM_TRY(for_each(graph, match_strided));
    JM_TRY(for_each(graph, cut_split));
    return for_each(graph, join_pieces);
}
