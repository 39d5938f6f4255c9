/* SPDX-License-Identifier: Apache-2.0
 *
 * Places the values of elided nodes inside each other's storage. A value has at most one parent; every element of a
 * storage is written by one running node, except where an output lies over an input that dies there. So any order of
 * execution that respects the edges is right.
 *
 *   Concat          inputs are slices of the output; one that cannot be (a graph input or output, a constant, a value
 *                   joined twice or already inside another) is copied by a Reorder.
 *                   When the pieces are slices of one value at the same places, changed element by element or not,
 *                   that value lies over the output.
 *   Slice, Shuffle  the output is a slice of the input.
 *   Reshape         the output lies over the input, or, when the output already has a place, the input over the output;
 *                   a real Reshape where strides allow neither.
 */
#include "compiler/layout.h"

#include <string.h>

/* ---- Strides ---- */

/* Fills the strides of a value and of all it lies in; *good is false where a reshape has none. */
static jm_status resolve_strides(jm_value *value, bool *good)
{
    size_t depth = 1;
    for (const jm_value *v = value; v->view != JM_VIEW_NONE; v = v->parent) depth++;
    jm_value **chain = jm_alloc(depth, sizeof *chain);
    if (!chain) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < depth; i++, value = value->parent) chain[i] = value;
    int64_t start;
    *good = true;
    for (size_t i = depth; i-- > 0 && *good;) *good = jm_value_resolve(chain[i], &start) == JM_OK;
    jm_free(chain);
    return JM_OK;
}

/* Whether the producer can write the value with other strides than its own. */
static bool can_be_placed(const jm_value *value)
{
    const jm_node *producer = value->producer;
    if (!producer || value->is_input || value->is_output || value->view != JM_VIEW_NONE) return false;
    if (producer->elided) {
        const jm_role_kind kind = jm_node_role(producer).kind;
        return kind == JM_ROLE_CONCAT || kind == JM_ROLE_RESHAPE;
    }
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(producer, &call, in, out);
    return jm_op_form(&call, producer->form, &form) == JM_OK && form.out_strided;
}

static void place(jm_value *value, jm_view_kind kind, jm_value *parent, int axis, int64_t start)
{
    value->view = kind;
    value->parent = parent;
    value->axis = axis;
    value->start = start;
}

/* ---- Concat, Slice, Shuffle ---- */

/* The Slice that cuts elements start .. start + length - 1 along `axis` out of a value. */
static bool is_piece(const jm_node *node, int axis, int64_t start, int64_t length)
{
    const jm_role role = jm_node_role(node);
    return role.kind == JM_ROLE_SLICE && role.axis == axis && role.step == 1 && role.start == start &&
           node->out[0]->tensor.shape.dim[axis] == length;
}

/* The one node that reads the value, however often. */
static const jm_node *only_reader(const jm_value *value)
{
    if (!value->use || value->is_output) return NULL;
    for (const jm_use *u = value->use; u; u = u->next)
        if (u->node != value->use->node) return NULL;
    return value->use->node;
}

/* Whether `value` ends as this input of the Concat, by element-wise steps only that may write over what they read. */
static bool ends_in_place(const jm_value *value, const jm_node *concat, int input)
{
    enum { MAX_STEPS = 16 };
    for (int steps = 0; steps < MAX_STEPS; steps++) {
        const jm_node *reader = only_reader(value);
        if (!reader) return false;
        if (reader == concat) return concat->in[input] == value && value->uses == 1;
        jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
        jm_call call;
        jm_form form;
        jm_node_call(reader, &call, in, out);
        if (!reader->op->pointwise || reader->elided || reader->outputs != 1 ||
            jm_op_form(&call, reader->form, &form) != JM_OK || form.in_place < 0 ||
            reader->in[form.in_place] != value || !jm_shape_equal(&in[form.in_place].shape, &out[0].shape))
            return false;
        value = reader->out[0];
    }
    return false;
}

jm_value *jm_overlaid_value(const jm_node *concat)
{
    const jm_role role = jm_node_role(concat);
    const jm_value *whole = concat->out[0];
    const int axis = role.axis;
    if (role.kind != JM_ROLE_CONCAT || axis < 2 || axis != whole->tensor.shape.rank - 1) return NULL;
    jm_value *source = NULL;
    for (int i = 0; i < concat->inputs && !source; i++)
        if (concat->in[i]->producer && jm_node_role(concat->in[i]->producer).kind == JM_ROLE_SLICE)
            source = concat->in[i]->producer->in[0];
    if (!source || source->is_output || source->tensor.dtype != whole->tensor.dtype ||
        source->tensor.layout != JM_PLAIN || !jm_shape_equal(&source->tensor.shape, &whole->tensor.shape) ||
        source->uses != concat->inputs)
        return NULL;
    int64_t start = 0;
    for (int i = 0; i < concat->inputs; i++) {
        const int64_t length = concat->in[i]->tensor.shape.dim[axis];
        const jm_use *u = source->use;
        while (u && !is_piece(u->node, axis, start, length)) u = u->next;
        if (!u || !ends_in_place(u->node->out[0], concat, i)) return NULL;
        start += length;
    }
    return source;
}

static jm_status arrange_concat(jm_graph *graph, jm_node *node, const jm_role *role)
{
    jm_value *whole = node->out[0], *source = jm_overlaid_value(node);
    int64_t start = 0;
    if (source && can_be_placed(source))
        place(source, JM_VIEW_SLICE, whole, role->axis, 0);
    else
        source = NULL;
    for (int i = 0; i < node->inputs; i++) {
        jm_value *piece = node->in[i];
        if (source && piece->producer->elided && piece->producer->in[0] == source) {
            start += piece->tensor.shape.dim[role->axis]; /* lies there as it is */
            continue;
        }
        if (!can_be_placed(piece)) {
            piece = jm_insert_reorder(graph, piece, whole->tensor.layout);
            if (!piece) return JM_OUT_OF_MEMORY;
            jm_node_set_input(node, i, piece);
        }
        place(piece, JM_VIEW_SLICE, whole, role->axis, start);
        const int64_t length = piece->tensor.shape.dim[role->axis];
        const bool blocks = piece->tensor.layout == JM_C16 && role->axis == 1;
        start += blocks ? jm_channel_blocks(length, piece->tensor.map) : length;
    }
    /* In blocks the pieces lie in the order of the whole's map, which need not be that of the channels. */
    if (whole->tensor.layout != JM_C16 || role->axis != 1) return JM_OK;
    int64_t channel = 0;
    for (int i = 0; i < node->inputs; i++) {
        const int64_t channels = node->in[i]->tensor.shape.dim[1];
        if (channels > 0)
            node->in[i]->start =
                (jm_channel_lane(whole->tensor.map, channel) - jm_channel_lane(node->in[i]->tensor.map, 0)) / JM_LANES;
        channel += channels;
    }
    return JM_OK;
}

static void arrange_slice(jm_node *node, const jm_role *role)
{
    jm_value *part = node->out[0], *whole = node->in[0];
    int64_t start = role->kind == JM_ROLE_SHUFFLE ? 0 : role->start;
    const int axis = role->kind == JM_ROLE_SHUFFLE ? 1 : role->axis;
    if (part->tensor.layout == JM_C16 && axis == 1)
        start = (jm_channel_lane(whole->tensor.map, start) - jm_channel_lane(part->tensor.map, 0)) / JM_LANES;
    place(part, JM_VIEW_SLICE, whole, axis, start);
}

/* Readers first, so that a piece knows its place before what it is made of. */
static jm_status arrange_pieces(jm_graph *graph)
{
    for (size_t i = graph->nodes; i-- > 0;) {
        jm_node *node = graph->node[i];
        if (!node->elided) continue;
        const jm_role role = jm_node_role(node);
        if (role.kind == JM_ROLE_CONCAT) JM_TRY(arrange_concat(graph, node, &role));
        if (role.kind == JM_ROLE_SLICE || role.kind == JM_ROLE_SHUFFLE) arrange_slice(node, &role);
    }
    return JM_OK;
}

/* ---- Reshape ---- */

/* A placed piece whose Reshape cannot write there: a Reorder does. */
static jm_status copy_into_place(jm_graph *graph, jm_value *piece)
{
    jm_value *whole = piece->parent;
    jm_use *use = piece->use;
    while (use && !(use->node->elided && use->node->out[0] == whole)) use = use->next;
    if (!use) return jm_error(JM_INTERNAL, "views: nothing joins '%s'", piece->name);
    jm_value *copy = jm_insert_reorder(graph, piece, piece->tensor.layout);
    if (!copy) return JM_OUT_OF_MEMORY;
    jm_node_set_input(use->node, use->input, copy);
    place(copy, piece->view, whole, piece->axis, piece->start);
    place(piece, JM_VIEW_NONE, NULL, 0, 0);
    return JM_OK;
}

/* The output has a place already: the input goes there. */
static jm_status arrange_backwards(jm_graph *graph, jm_node *node)
{
    jm_value *x = node->in[0], *y = node->out[0];
    int64_t stride[JM_MAX_RANK];
    bool good;
    JM_TRY(resolve_strides(y, &good));
    if (good && x->tensor.layout == JM_PLAIN && can_be_placed(x) &&
        jm_reshape_strides(&y->tensor, &x->tensor.shape, stride)) {
        place(x, JM_VIEW_RESHAPE, y, 0, 0);
        return JM_OK;
    }
    if (!y->is_output) return copy_into_place(graph, y);
    node->elided = false;
    return JM_OK;
}

static jm_status arrange_forwards(jm_graph *graph, jm_node *node)
{
    jm_value *y = node->out[0];
    bool good;
    place(y, JM_VIEW_RESHAPE, node->in[0], 0, 0);
    JM_TRY(resolve_strides(y, &good));
    if (good) return JM_OK;
    place(y, JM_VIEW_NONE, NULL, 0, 0);
    node->elided = false;
    if (node->in[0]->tensor.layout == JM_PLAIN) return JM_OK;
    jm_value *x = jm_insert_reorder(graph, node->in[0], JM_PLAIN);
    if (!x) return JM_OUT_OF_MEMORY;
    jm_node_set_input(node, 0, x);
    place(y, JM_VIEW_RESHAPE, x, 0, 0);
    node->elided = true;
    return JM_OK;
}

static jm_status arrange_reshapes(jm_graph *graph)
{
    const size_t nodes = graph->nodes;
    for (size_t i = nodes; i-- > 0;) {
        jm_node *node = graph->node[i];
        if (!node->elided || jm_node_role(node).kind != JM_ROLE_RESHAPE) continue;
        if (node->out[0]->view != JM_VIEW_NONE || node->out[0]->is_output) JM_TRY(arrange_backwards(graph, node));
    }
    for (size_t i = 0; i < nodes; i++) {
        jm_node *node = graph->node[i];
        if (!node->elided || jm_node_role(node).kind != JM_ROLE_RESHAPE) continue;
        const jm_value *x = node->in[0], *y = node->out[0];
        if (y->view == JM_VIEW_NONE && !y->is_output && x->parent != y) JM_TRY(arrange_forwards(graph, node));
    }
    return JM_OK;
}

/* A slice of a slice along the same axis is a slice of the latter's parent: chains stay short. */
static void shorten(jm_value *value)
{
    if (!value || value->view != JM_VIEW_SLICE) return;
    const jm_value *parent = value->parent;
    if (parent->view != JM_VIEW_SLICE || parent->axis != value->axis) return;
    value->start += parent->start;
    value->parent = parent->parent;
}

/* Parents first: a piece of a Concat comes before its parent in the node list, the output of a Slice after it. */
static void shorten_chains(jm_graph *graph)
{
    for (size_t i = graph->nodes; i-- > 0;)
        for (int k = 0; k < graph->node[i]->outputs; k++) shorten(graph->node[i]->out[k]);
    for (size_t i = 0; i < graph->nodes; i++)
        for (int k = 0; k < graph->node[i]->outputs; k++) shorten(graph->node[i]->out[k]);
}

/* ---- Outputs over inputs ---- */

/* Whether the value is all of its parent. */
static bool covers_parent(const jm_value *value)
{
    return value->view == JM_VIEW_SLICE && value->start == 0 &&
           jm_shape_equal(&value->tensor.shape, &value->parent->tensor.shape);
}

/* Rows of less than a cache line with gaps between them: what is computed there costs several times its size. */
static bool has_short_rows(const jm_value *value)
{
    const jm_shape *shape = &value->tensor.shape;
    const int last = shape->rank - 1;
    return value->view == JM_VIEW_SLICE && value->tensor.layout == JM_PLAIN && value->axis == last &&
           shape->dim[last] < 16 && shape->dim[last] < value->parent->tensor.shape.dim[last];
}

static void arrange_in_place(const jm_node *node, const bool *has_views)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(node, &call, in, out);
    if (jm_op_form(&call, node->form, &form) != JM_OK || form.in_place < 0 || form.in_place >= node->inputs) return;
    jm_value *x = node->in[form.in_place], *y = node->out[0];
    if (!x || x->tensor.constant || x->uses != 1 || has_views[x->id] || !can_be_placed(x)) return;
    if (x->tensor.dtype != y->tensor.dtype || x->tensor.layout != y->tensor.layout ||
        !jm_shape_equal(&x->tensor.shape, &y->tensor.shape) || y->tensor.shape.rank == 0)
        return;
    if (x->tensor.layout == JM_C16 && !jm_channel_map_equal(x->tensor.map, y->tensor.map, x->tensor.shape.dim[1]))
        return;
    if (has_short_rows(y)) return;
    /* Straight into what y lies over: chains stay short, however many nodes work in one place. */
    place(x, JM_VIEW_SLICE, covers_parent(y) ? y->parent : y, 0, 0);
}

static jm_status arrange_all_in_place(jm_graph *graph)
{
    bool *has_views = jm_alloc(graph->values, sizeof *has_views);
    if (!has_views) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < graph->values; i++)
        if (graph->value[i]->view != JM_VIEW_NONE) has_views[graph->value[i]->parent->id] = true;
    for (size_t i = graph->nodes; i-- > 0;)
        if (!graph->node[i]->elided) arrange_in_place(graph->node[i], has_views);
    jm_free(has_views);
    return JM_OK;
}

jm_status jm_arrange_views(jm_graph *graph)
{
    JM_TRY(arrange_pieces(graph));
    JM_TRY(arrange_reshapes(graph));
    JM_TRY(jm_graph_sort(graph)); /* new Reorders stand in their places */
    shorten_chains(graph);
    return arrange_all_in_place(graph);
}
