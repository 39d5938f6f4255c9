/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/verify.h"

#include <string.h>

/* What the scan of the node list knows about each value. */
typedef struct facts {
    int32_t *uses;
    bool *ready;         /* produced so far */
    jm_value **owner;    /* of the storage; NULL until known */
    unsigned char *lane; /* scratch of check_map */
    size_t lanes;
} facts;

static jm_status bad_value(const jm_value *value, const char *what)
{
    return jm_error(JM_CORRUPT, "graph: value '%s' (%d) %s", value->name, (int)value->id, what);
}

static jm_status bad_node(const jm_node *node, const char *what)
{
    return jm_error(JM_CORRUPT, "graph: %s '%s' %s", node->op->name, node->name, what);
}

static jm_status check_map(const jm_value *value, facts *f)
{
    const jm_channel_map *map = value->tensor.map;
    if (!map) return JM_OK;
    const int64_t channels = value->tensor.shape.dim[1];
    if (value->tensor.layout != JM_C16 || map->channels != channels || map->blocks < 1 || map->blocks > channels)
        return bad_value(value, "has a channel map that does not fit its shape");
    const size_t lanes = (size_t)map->blocks * JM_LANES;
    if (lanes > f->lanes) {
        jm_free(f->lane);
        f->lanes = 0;
        f->lane = jm_alloc(lanes, 1);
        if (!f->lane) return JM_OUT_OF_MEMORY;
        f->lanes = lanes;
    }
    memset(f->lane, 0, lanes);
    int64_t used = 0;
    for (int32_t b = 0; b < map->blocks; b++) {
        if (map->count[b] < 1 || map->count[b] > JM_LANES)
            return bad_value(value, "has a channel map with a bad count");
        used += map->count[b];
    }
    if (used != channels) return bad_value(value, "has a channel map whose counts do not add up");
    for (int64_t c = 0; c < channels; c++) {
        const int32_t lane = map->lane[c];
        if (lane < 0 || (size_t)lane >= lanes || lane % JM_LANES >= map->count[lane / JM_LANES] || f->lane[lane])
            return bad_value(value, "has a channel map with a bad lane");
        f->lane[lane] = 1;
    }
    return JM_OK;
}

static jm_status check_value(const jm_value *value, facts *f)
{
    const jm_tensor *tensor = &value->tensor;
    if (tensor->constant) {
        if (value->producer || value->is_input) return bad_value(value, "is a constant and something else");
        if (tensor->layout == JM_C16) return bad_value(value, "is a constant in blocks of channels");
        if (!tensor->data) return bad_value(value, "is a constant without data");
    } else if (tensor->layout == JM_PACKED) {
        return bad_value(value, "is packed but not constant");
    }
    if (tensor->layout == JM_C16) {
        if (tensor->shape.rank < 3 || !jm_shape_known(&tensor->shape))
            return bad_value(value, "cannot be in blocks of channels");
    } else if (tensor->map) {
        return bad_value(value, "has a channel map without blocks");
    }
    if (value->is_input || value->is_output) {
        if (value->is_input && value->is_output) return bad_value(value, "is both input and output");
        if (value->view != JM_VIEW_NONE) return bad_value(value, "is an input or output without storage of its own");
        if (tensor->layout != JM_PLAIN) return bad_value(value, "is an input or output that is not plain");
        if (value->is_input && value->producer) return bad_value(value, "is an input that a node writes");
        if (value->is_output && !value->producer) return bad_value(value, "is an output that no node writes");
    }
    return check_map(value, f);
}

/* The end of the view chain, found once per value; a chain longer than the graph is a ring. */
static jm_status find_owner(const jm_graph *graph, jm_value *value, facts *f)
{
    jm_value *end = value;
    for (size_t steps = 0; end->view != JM_VIEW_NONE && !f->owner[end->id]; steps++) {
        if (!end->parent || steps > graph->values) return bad_value(value, "is a view of nothing");
        end = end->parent;
    }
    jm_value *owner = f->owner[end->id] ? f->owner[end->id] : end;
    for (jm_value *v = value; v != end; v = v->parent) f->owner[v->id] = owner;
    f->owner[end->id] = owner;
    return JM_OK;
}

static jm_status check_elided(const jm_node *node, const facts *f)
{
    if (!node->op->view) return bad_node(node, "cannot be a view");
    if (node->inputs < 1 || node->outputs < 1 || !node->in[0] || !node->out[0])
        return bad_node(node, "is a view of nothing");
    const jm_value *owner = f->owner[node->in[0]->id];
    bool shared = true;
    for (int i = 0; i < node->outputs; i++) shared = shared && node->out[i] && f->owner[node->out[i]->id] == owner;
    for (int i = 0; i < node->inputs; i++) {
        const jm_param *param = jm_op_input(node->op, JM_MIN(i, jm_op_inputs(node->op) - 1));
        if (node->in[i] && !(param->flags & JM_HOST)) shared = shared && f->owner[node->in[i]->id] == owner;
    }
    return shared ? JM_OK : bad_node(node, "is a view whose arguments lie in different storages");
}

static bool layout_fits(const jm_value *value, jm_layout want)
{
    if (!value) return true;
    if (value->tensor.constant || value->tensor.shape.rank < 3) want = JM_PLAIN;
    return value->tensor.layout == want;
}

static jm_status check_layouts(const jm_node *node, const jm_form *form)
{
    for (int i = 0; i < node->inputs; i++) {
        const uint64_t bit = i < 64 ? (uint64_t)1 << i : 0;
        const jm_value *in = node->in[i];
        if (in && in->tensor.layout == JM_PACKED) {
            if (!(form->in_packed & bit)) return bad_node(node, "reads a packed constant that its form does not know");
        } else if (!layout_fits(in, form->in_plain & bit ? JM_PLAIN : form->in)) {
            return bad_node(node, "has an input in another layout than its form wants");
        }
    }
    for (int i = 0; i < node->outputs; i++)
        if (!layout_fits(node->out[i], form->out))
            return bad_node(node, "has an output in another layout than its form");
    return JM_OK;
}

static jm_status check_running(const jm_node *node, const facts *f)
{
    bool known = node->op->plan != NULL;
    for (int i = 0; i < node->outputs; i++) {
        if (!node->out[i]) continue;
        const jm_value *owner = f->owner[node->out[i]->id];
        if (owner->tensor.constant || owner->is_input) return bad_node(node, "writes an input or a constant");
        known = known && jm_shape_known(&node->out[i]->tensor.shape);
    }
    for (int i = 0; i < node->inputs; i++)
        if (node->in[i]) known = known && jm_shape_known(&node->in[i]->tensor.shape);
    if (!known) return JM_OK;
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_form(&call, node->form, &form));
    return check_layouts(node, &form);
}

static jm_status check_node(const jm_graph *graph, const jm_node *node, facts *f)
{
    if (node->dead) return bad_node(node, "is dead");
    for (int i = 0; i < node->inputs; i++) {
        const jm_value *in = node->in[i];
        if (!in) continue;
        if (in->id < 0 || (size_t)in->id >= graph->values || graph->value[in->id] != in)
            return bad_node(node, "reads a value that is not in the graph");
        if (!f->ready[in->id]) return bad_node(node, "reads a value before it is produced");
        f->uses[in->id]++;
    }
    for (int i = 0; i < node->outputs; i++) {
        const jm_value *out = node->out[i];
        if (!out) continue;
        if (out->id < 0 || (size_t)out->id >= graph->values || graph->value[out->id] != out)
            return bad_node(node, "writes a value that is not in the graph");
        if (out->producer != node || f->ready[out->id]) return bad_node(node, "writes a value that is another node's");
        f->ready[out->id] = true;
    }
    return node->elided ? check_elided(node, f) : check_running(node, f);
}

static jm_status check_list(const jm_graph *graph, jm_value *const *list, size_t count, bool output, facts *f)
{
    size_t flagged = 0;
    for (size_t i = 0; i < graph->values; i++)
        flagged += output ? graph->value[i]->is_output : graph->value[i]->is_input;
    if (flagged != count) return jm_error(JM_CORRUPT, "graph: the list of inputs or outputs repeats or lacks a value");
    for (size_t i = 0; i < count; i++) {
        const jm_value *value = list[i];
        if (!(output ? value->is_output : value->is_input)) return bad_value(value, "is listed but not marked");
        if (output) f->uses[value->id]++;
    }
    return JM_OK;
}

static jm_status verify(const jm_graph *graph, facts *f)
{
    for (size_t i = 0; i < graph->values; i++) {
        jm_value *value = graph->value[i];
        if ((size_t)value->id != i) return bad_value(value, "is not at its place in the list");
        JM_TRY(check_value(value, f));
        JM_TRY(find_owner(graph, value, f));
        f->ready[i] = value->tensor.constant || value->is_input;
    }
    for (size_t i = 0; i < graph->nodes; i++) JM_TRY(check_node(graph, graph->node[i], f));
    JM_TRY(check_list(graph, graph->input, graph->inputs, false, f));
    JM_TRY(check_list(graph, graph->output, graph->outputs, true, f));
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *value = graph->value[i];
        if (value->uses != f->uses[i]) return bad_value(value, "counts its readers wrongly");
        if (value->uses > 0 && !f->ready[i]) return bad_value(value, "is read but never produced");
    }
    return JM_OK;
}

jm_status jm_graph_verify(const jm_graph *graph)
{
    facts f = {.uses = jm_alloc(graph->values, sizeof *f.uses),
               .ready = jm_alloc(graph->values, sizeof *f.ready),
               .owner = jm_alloc(graph->values, sizeof *f.owner)};
    const jm_status status = f.uses && f.ready && f.owner ? verify(graph, &f) : JM_OUT_OF_MEMORY;
    jm_free(f.uses);
    jm_free(f.ready);
    jm_free(f.owner);
    jm_free(f.lane);
    return status;
}
