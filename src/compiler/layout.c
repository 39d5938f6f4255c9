/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses forms and layouts. The cost of a choice is the sum of the forms' costs and, for every value that some reader
 * wants in another layout than its producer writes, the cost of one Reorder.
 *
 * Minimising it is a labelling problem on a graph; local search is enough here, because layouts differ at few places
 * (the graph's edges and shape operators) and convolutions, which weigh most, hardly ever prefer plain. From two
 * starts, everything plain and everything in blocks, nodes in turn take the form that is cheapest given their
 * neighbours, forwards and backwards, until nothing changes; views of one value, and the pieces of a Concat, also move
 * together. The cheaper result wins. A tie goes to plain, so that an island in blocks that saves nothing is eaten from
 * its edge. A sweep takes time linear in nodes and edges and the number of sweeps is bounded, so the whole is linear.
 */
#include "compiler/layout.h"

#include <string.h>

#include "compiler/passes.h"

#define MAX_SWEEPS 12
#define MAX_OPTIONS (JM_MAX_FORMS + 2)
#define REORDER_START 1000.0   /* nanoseconds to start a step */
#define REORDER_ELEMENT 0.25   /* nanoseconds to read an element or to write one, padding included */
#define REAL_VIEW_START 1000.0 /* a copying node is a step, a view is not */

/* One way to run a node. */
typedef struct option {
    jm_layout in, out;
    uint64_t in_plain;
    double cost;
    uint8_t form;
    bool view;
} option;

typedef struct choice {
    option option[MAX_OPTIONS];
    int options;
    int now;
} choice;

typedef struct search {
    jm_graph *graph;
    choice *choice;     /* per node */
    int32_t (*want)[2]; /* per value: readers that want it plain, in blocks */
    double *reorder;    /* per value: cost of a Reorder; 0 when its layout cannot vary */
} search;

/* ---- Options ---- */

static bool varies(const jm_value *value)
{
    return value && !value->tensor.constant && value->tensor.shape.rank >= 3;
}

/* Only Concats along `axis` read the value: then it is written straight into one of them. */
static bool only_joined(const jm_value *value, int axis)
{
    if (value->is_output || !value->use) return false;
    for (const jm_use *u = value->use; u; u = u->next) {
        const jm_role role = jm_node_role(u->node);
        if (role.kind != JM_ROLE_CONCAT || role.axis != axis) return false;
    }
    return true;
}

/* Channels that the pieces take in whole blocks stay within twice what the whole takes. */
static bool pieces_pad_little(jm_value *const *piece, int count, int64_t channels)
{
    int64_t lanes = 0;
    for (int i = 0; i < count; i++) lanes += jm_channel_blocks(piece[i]->tensor.shape.dim[1], NULL) * JM_LANES;
    return lanes <= 2 * channels + 2 * JM_LANES;
}

/* [N,C,1...] in blocks is [N,C] or [N,C,1...] plain. */
static bool flattens(const jm_node *node)
{
    const jm_shape *in = &node->in[0]->tensor.shape, *out = &node->out[0]->tensor.shape;
    if (in->rank < 3 || out->rank < 2 || in->dim[0] != out->dim[0] || in->dim[1] != out->dim[1]) return false;
    for (int k = 2; k < in->rank; k++)
        if (in->dim[k] != 1) return false;
    return !node->out[0]->is_output && node->in[0]->tensor.dtype == JM_F32;
}

static void add_view(choice *c, jm_layout in, jm_layout out)
{
    c->option[c->options++] = (option){.in = in, .out = out, .view = true};
}

/* Ways in which the node can be a view. Returns whether it always is one. */
static bool view_options(const jm_node *node, choice *c)
{
    const jm_role role = jm_node_role(node);
    const jm_value *out = node->out[0];
    const bool blocks = out->tensor.dtype == JM_F32 && out->tensor.shape.rank >= 3 && out->tensor.shape.dim[1] > 0;
    const bool channels = role.axis == 1;
    switch (role.kind) {
    case JM_ROLE_CONCAT: {
        bool constants = false;
        for (int i = 0; i < node->inputs; i++) constants = constants || node->in[i]->tensor.constant;
        add_view(c, JM_PLAIN, JM_PLAIN);
        if (blocks && !constants && (!channels || pieces_pad_little(node->in, node->inputs, out->tensor.shape.dim[1])))
            add_view(c, JM_C16, JM_C16);
        return true;
    }
    case JM_ROLE_SLICE: {
        if (out->is_output || node->in[0]->tensor.constant) return false;
        if (only_joined(out, role.axis)) {
            /* A piece that only goes into a Concat is copied there by the Slice itself, or lies there already. */
            if (out->uses != 1 || jm_overlaid_value(out->use->node) != node->in[0]) return false;
            add_view(c, JM_PLAIN, JM_PLAIN);
            return true;
        }
        if (role.step == 1) add_view(c, JM_PLAIN, JM_PLAIN);
        if (blocks && (channels ? pieces_pad_little(node->out, 1, out->tensor.shape.dim[1]) : role.step == 1))
            add_view(c, JM_C16, JM_C16);
        return role.step == 1;
    }
    case JM_ROLE_SHUFFLE:
        if (blocks) add_view(c, JM_C16, JM_C16);
        return false;
    case JM_ROLE_RESHAPE:
        if (node->in[0]->tensor.constant) return false;
        add_view(c, JM_PLAIN, JM_PLAIN);
        if (flattens(node)) add_view(c, JM_C16, JM_PLAIN);
        return true;
    default:
        return false;
    }
}

static void node_options(const jm_graph *graph, const jm_node *node, choice *c)
{
    if (view_options(node, c)) return;
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form[JM_MAX_FORMS];
    jm_node_call(node, &call, in, out);
    const int count = jm_op_forms(&call, form);
    for (int i = 0; i < count; i++) {
        if (graph->no_winograd && form[i].flop_share > 0 && form[i].flop_share < 1) continue;
        c->option[c->options++] = (option){.in = form[i].in,
                                           .out = form[i].out,
                                           .in_plain = form[i].in_plain,
                                           .form = form[i].id,
                                           .cost = form[i].cost + (node->op->view ? REAL_VIEW_START : 0.0)};
    }
}

/* ---- Search ---- */

static jm_layout wanted(const option *o, int input)
{
    return input < 64 && (o->in_plain >> input & 1) ? JM_PLAIN : o->in;
}

static jm_layout layout_of(const search *s, const jm_value *value)
{
    if (!value->producer || !varies(value)) return JM_PLAIN;
    const choice *c = &s->choice[value->producer->order];
    return c->option[c->now].out;
}

/* Adds `count` (1 or -1) to what the node wants of its inputs. */
static void count_wants(search *s, const jm_node *node, int count)
{
    const choice *c = &s->choice[node->order];
    for (int i = 0; i < node->inputs; i++)
        if (varies(node->in[i])) s->want[node->in[i]->id][wanted(&c->option[c->now], i)] += count;
}

/* What the option costs beyond the choices of the other nodes; the node's own wants are not counted now. */
static double marginal_cost(search *s, const jm_node *node, const option *o)
{
    double cost = o->cost;
    for (int i = 0; i < node->inputs; i++) {
        const jm_value *value = node->in[i];
        if (!varies(value)) continue;
        const jm_layout want = wanted(o, i);
        bool counted = false;
        for (int k = 0; k < i; k++) counted = counted || (node->in[k] == value && wanted(o, k) == want);
        if (!counted && want != layout_of(s, value) && s->want[value->id][want] == 0) cost += s->reorder[value->id];
    }
    for (int i = 0; i < node->outputs; i++) {
        const jm_value *value = node->out[i];
        if (!varies(value)) continue;
        const jm_layout other = o->out == JM_PLAIN ? JM_C16 : JM_PLAIN;
        if (s->want[value->id][other] > 0) cost += s->reorder[value->id];
    }
    return cost;
}

/* The layouts that an option touches, to prefer plain at equal cost. */
static int blocks_touched(const option *o)
{
    return (o->in == JM_C16) + (o->out == JM_C16);
}

static bool improve_node(search *s, const jm_node *node)
{
    choice *c = &s->choice[node->order];
    if (c->options < 2) return false;
    count_wants(s, node, -1);
    int best = c->now;
    double best_cost = marginal_cost(s, node, &c->option[best]);
    for (int i = 0; i < c->options; i++) {
        if (i == c->now) continue;
        const double cost = marginal_cost(s, node, &c->option[i]), slack = 1e-9 * best_cost;
        const bool plainer = blocks_touched(&c->option[i]) < blocks_touched(&c->option[best]);
        if (cost < best_cost - slack || (cost <= best_cost + slack && plainer)) best = i, best_cost = cost;
    }
    const bool changed = best != c->now;
    c->now = best;
    count_wants(s, node, 1);
    return changed;
}

/* Changes the node's option; returns by how much the total cost grows. */
static double change_option(search *s, const jm_node *node, int to)
{
    choice *c = &s->choice[node->order];
    count_wants(s, node, -1);
    const double before = marginal_cost(s, node, &c->option[c->now]);
    c->now = to;
    const double after = marginal_cost(s, node, &c->option[to]);
    count_wants(s, node, 1);
    return after - before;
}

static int view_option(const choice *c, jm_layout in)
{
    for (int i = 0; i < c->options; i++)
        if (c->option[i].view && c->option[i].in == in) return i;
    return -1;
}

/* Slices of one value share its Reorder, so they move together: all its views take the layout if that is cheaper. */
static jm_status improve_views(search *s, const jm_value *value, jm_layout layout, bool *changed)
{
    size_t count = 0;
    for (const jm_use *u = value->use; u; u = u->next) count++;
    int *old = jm_alloc(count, sizeof *old);
    if (!old) return JM_OUT_OF_MEMORY;
    double growth = 0.0;
    size_t i = 0;
    for (const jm_use *u = value->use; u; u = u->next, i++) {
        const choice *c = &s->choice[u->node->order];
        const int to = view_option(c, layout);
        old[i] = c->now;
        if (to >= 0 && c->option[c->now].view && to != c->now) growth += change_option(s, u->node, to);
    }
    i = 0;
    if (growth < -1.0)
        *changed = true;
    else
        for (const jm_use *u = value->use; u; u = u->next, i++)
            if (s->choice[u->node->order].now != old[i]) (void)change_option(s, u->node, old[i]);
    jm_free(old);
    return JM_OK;
}

/* The option of a node that is cheapest given its neighbours. */
static int cheapest_option(search *s, const jm_node *node)
{
    const choice *c = &s->choice[node->order];
    count_wants(s, node, -1);
    int best = c->now;
    for (int i = 0; i < c->options; i++)
        if (marginal_cost(s, node, &c->option[i]) < marginal_cost(s, node, &c->option[best])) best = i;
    count_wants(s, node, 1);
    return best;
}

/* The pieces of a Concat share the Reorder of the whole, so their producers move together with it: all write the other
 * layout if that is cheaper. */
static bool improve_concat(search *s, const jm_node *node, jm_layout layout)
{
    int old[JM_MAX_ARGUMENTS];
    const choice *c = &s->choice[node->order];
    const int before = c->now, to = view_option(c, layout);
    if (to < 0 || to == before || jm_node_role(node).kind != JM_ROLE_CONCAT) return false;
    double growth = change_option(s, node, to);
    for (int i = 0; i < node->inputs; i++) {
        const jm_node *producer = node->in[i]->producer;
        if (!producer) continue;
        old[i] = s->choice[producer->order].now;
        growth += change_option(s, producer, cheapest_option(s, producer));
    }
    if (growth < -1.0) return true;
    for (int i = node->inputs; i-- > 0;)
        if (node->in[i]->producer) (void)change_option(s, node->in[i]->producer, old[i]);
    (void)change_option(s, node, before);
    return false;
}

static double total_cost(search *s)
{
    double cost = 0.0;
    for (size_t i = 0; i < s->graph->nodes; i++) cost += s->choice[i].option[s->choice[i].now].cost;
    for (size_t i = 0; i < s->graph->values; i++) {
        const jm_value *value = s->graph->value[i];
        if (varies(value) && s->want[i][layout_of(s, value) == JM_PLAIN ? JM_C16 : JM_PLAIN] > 0) cost += s->reorder[i];
    }
    return cost;
}

/* Every node at the cheapest of its options that touch most (or least) blocks. */
static void start_from(search *s, bool blocks)
{
    jm_graph *graph = s->graph;
    memset(s->want, 0, graph->values * sizeof *s->want);
    for (size_t i = 0; i < graph->nodes; i++) {
        choice *c = &s->choice[i];
        c->now = 0;
        for (int k = 1; k < c->options; k++) {
            const option *o = &c->option[k], *best = &c->option[c->now];
            const int more = (blocks_touched(o) - blocks_touched(best)) * (blocks ? 1 : -1);
            if (more > 0 || (more == 0 && o->cost < best->cost)) c->now = k;
        }
        count_wants(s, graph->node[i], 1);
    }
    for (size_t i = 0; i < graph->outputs; i++)
        if (varies(graph->output[i])) s->want[graph->output[i]->id][JM_PLAIN]++;
}

static jm_status descend(search *s)
{
    jm_graph *graph = s->graph;
    const size_t n = graph->nodes;
    bool changed = true;
    for (int sweep = 0; changed && sweep < MAX_SWEEPS; sweep++) {
        changed = false;
        for (size_t i = 0; i < n; i++) changed = improve_node(s, graph->node[sweep % 2 ? i : n - 1 - i]) || changed;
        for (size_t i = 0; i < n; i++) {
            changed = improve_concat(s, graph->node[i], JM_PLAIN) || changed;
            changed = improve_concat(s, graph->node[i], JM_C16) || changed;
        }
        for (size_t i = 0; i < graph->values; i++) {
            if (!varies(graph->value[i]) || graph->value[i]->uses < 2) continue;
            JM_TRY(improve_views(s, graph->value[i], JM_PLAIN, &changed));
            JM_TRY(improve_views(s, graph->value[i], JM_C16, &changed));
        }
    }
    return JM_OK;
}

static jm_status run_search(search *s)
{
    const size_t n = s->graph->nodes;
    start_from(s, true);
    JM_TRY(descend(s));
    const double blocked_cost = total_cost(s);
    int *blocked = jm_alloc(n, sizeof *blocked);
    if (!blocked) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) blocked[i] = s->choice[i].now;
    start_from(s, false);
    const jm_status status = descend(s);
    if (status == JM_OK && blocked_cost <= total_cost(s))
        for (size_t i = 0; i < n; i++) s->choice[i].now = blocked[i];
    jm_free(blocked);
    return status;
}

/* ---- Applying ---- */

bool jm_find_form(const jm_node *node, jm_layout in, jm_layout out, uint8_t *id)
{
    jm_tensor ins[JM_MAX_ARGUMENTS], outs[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form[JM_MAX_FORMS];
    jm_node_call(node, &call, ins, outs);
    const int count = jm_op_forms(&call, form);
    for (int i = 0; i < count; i++) {
        if (form[i].in != in || form[i].out != out) continue;
        *id = form[i].id;
        return true;
    }
    return false;
}

jm_value *jm_insert_reorder(jm_graph *graph, jm_value *value, jm_layout layout)
{
    const jm_op *op = jm_op_find("Reorder");
    jm_value *copy = jm_graph_value(graph, value->name);
    jm_node *node = op && copy ? jm_graph_node(graph, op, value->name, &value, 1, &copy, 1) : NULL;
    if (!node) return NULL;
    copy->tensor = value->tensor;
    copy->tensor.constant = false;
    copy->tensor.data = NULL;
    copy->tensor.layout = layout;
    copy->tensor.map = layout == JM_C16 && value->tensor.layout == JM_C16 ? value->tensor.map : NULL;
    if (jm_find_form(node, value->tensor.layout, layout, &node->form)) return copy;
    (void)!jm_error(JM_INTERNAL, "Reorder has no form for '%s'", value->name);
    return NULL;
}

/* A graph output that its producer writes in blocks: the producer gets a value of its own. */
static jm_status detach_output(jm_graph *graph, jm_value *output)
{
    const jm_op *op = jm_op_find("Reorder");
    jm_node *producer = output->producer;
    jm_value *blocks = jm_graph_value(graph, output->name);
    if (!op || !blocks) return JM_OUT_OF_MEMORY;
    blocks->tensor = output->tensor;
    output->tensor.layout = JM_PLAIN;
    for (int i = 0; i < producer->outputs; i++)
        if (producer->out[i] == output) producer->out[i] = blocks;
    blocks->producer = producer;
    jm_node *node = jm_graph_node(graph, op, output->name, &blocks, 1, &output, 1);
    if (!node) return JM_OUT_OF_MEMORY;
    return jm_find_form(node, JM_C16, JM_PLAIN, &node->form) ? JM_OK
                                                             : jm_error(JM_INTERNAL, "Reorder has no form to plain");
}

static void apply_choice(search *s)
{
    for (size_t i = 0; i < s->graph->nodes; i++) {
        jm_node *node = s->graph->node[i];
        const option *o = &s->choice[i].option[s->choice[i].now];
        node->form = o->form;
        node->elided = o->view;
        for (int k = 0; k < node->outputs; k++)
            if (varies(node->out[k])) node->out[k]->tensor.layout = o->out;
    }
}

/* Gives the readers of `value` that want the other layout a copy. `want` says so per node that existed before. */
static jm_status serve_readers(search *s, jm_value *value, size_t old_nodes)
{
    jm_value *copy = NULL;
    for (jm_use *u = value->use, *next; u; u = next) {
        next = u->next;
        if ((size_t)u->node->order >= old_nodes) continue; /* a Reorder of this step */
        const choice *c = &s->choice[u->node->order];
        const jm_layout want = wanted(&c->option[c->now], u->input);
        if (want == value->tensor.layout) continue;
        if (!copy) copy = jm_insert_reorder(s->graph, value, want);
        if (!copy) return JM_OUT_OF_MEMORY;
        jm_node_set_input(u->node, u->input, copy);
    }
    return JM_OK;
}

static jm_status insert_reorders(search *s)
{
    jm_graph *graph = s->graph;
    const size_t old_nodes = graph->nodes, old_values = graph->values;
    for (size_t i = 0; i < old_values; i++) {
        jm_value *value = graph->value[i];
        if (!varies(value)) continue;
        if (value->is_output && value->tensor.layout == JM_C16) {
            JM_TRY(detach_output(graph, value));
            /* Readers in blocks read the producer's value, which is the last one made. */
            jm_value *blocks = graph->value[graph->values - 1];
            for (jm_use *u = value->use, *next; u; u = next) {
                next = u->next;
                const choice *c = &s->choice[u->node->order];
                if (wanted(&c->option[c->now], u->input) == JM_C16) jm_node_set_input(u->node, u->input, blocks);
            }
            continue;
        }
        JM_TRY(serve_readers(s, value, old_nodes));
    }
    JM_TRY(jm_graph_sweep(graph));
    return jm_graph_sort(graph);
}

static jm_status reorder_cost(const jm_shape *shape, double *cost)
{
    int64_t count;
    JM_TRY(jm_shape_count(shape, &count));
    const double padded = shape->dim[1] > 0 ? (double)count / (double)shape->dim[1] *
                                                  (double)jm_channel_blocks(shape->dim[1], NULL) * JM_LANES
                                            : 0.0;
    *cost = REORDER_START + REORDER_ELEMENT * ((double)count + padded);
    return JM_OK;
}

jm_status jm_choose_forms(jm_graph *graph)
{
    search s = {.graph = graph,
                .choice = jm_alloc(graph->nodes, sizeof *s.choice),
                .want = jm_alloc(graph->values, sizeof *s.want),
                .reorder = jm_alloc(graph->values, sizeof *s.reorder)};
    jm_status status = s.choice && s.want && s.reorder ? JM_OK : JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < graph->values && status == JM_OK; i++) {
        if (varies(graph->value[i])) status = reorder_cost(&graph->value[i]->tensor.shape, &s.reorder[i]);
    }
    if (status == JM_OK) {
        for (size_t i = 0; i < graph->nodes; i++) node_options(graph, graph->node[i], &s.choice[i]);
        status = run_search(&s);
    }
    if (status == JM_OK) {
        apply_choice(&s);
        status = insert_reorders(&s);
    }
    jm_free(s.choice);
    jm_free(s.want);
    jm_free(s.reorder);
    return status;
}

jm_status jm_pass_layout(jm_graph *graph)
{
    JM_TRY(jm_choose_forms(graph));
    JM_TRY(jm_assign_channel_maps(graph));
    return jm_arrange_views(graph);
}
