/* SPDX-License-Identifier: Apache-2.0
 *
 * Channel maps for all C16 values at once.
 *
 * Values that must share a map (arguments of a JM_MAP_SAME form, a convolution's residual and output) form a group;
 * groups that an elided ChannelShuffle connects form a class: they lie in the same lanes, with permuted channels.
 * An elided Concat or Slice along the channels relates two classes: the part lies in whole blocks of the whole.
 *
 * Each class is cut into atoms, sets of channels that get blocks of their own, the last one padded. A relation splits
 * the atoms of either side until those of the part are atoms of the whole; splitting is repeated until nothing changes.
 * What is left is the order of the atoms: those of a part must be neighbours in the whole, in the same order. Sorting
 * by first channel does it for everything but shuffles; there, all orders of a few atoms are tried. A relation that
 * cannot hold is dropped: a Slice or ChannelShuffle really copies, and all starts again without it. Relations of a
 * Concat always hold in the natural order, so this ends.
 */
#include "compiler/layout.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TRIED 6 /* atoms whose orders are all tried: 6! = 720 */
/* Later rounds use the natural order only: then every round turns a Slice or a shuffle into a copy, or is the last. */
#define ROUNDS_OF_TRIALS 8

typedef struct relation {
    jm_node *node;
    const jm_value *part, *whole;
    int64_t start, step; /* channel c of the part is channel start + c * step of the whole */
} relation;

typedef struct maps {
    jm_graph *graph;
    size_t values; /* of the graph when the round began */
    /* Union-find over C16 values by id. Within a group permutation is NULL; a group's root may hang below another by a
     * shuffle: permutation[root][c] is channel c in the numbering of the parent. */
    int32_t *parent, **permutation;
    int64_t *base;  /* per class root: first of its channels; -1 elsewhere */
    int32_t *label; /* per channel of a class: its atom */
    int32_t *size;  /* per atom: channels */
    int32_t atoms;
    int32_t *image;                 /* per atom: scratch */
    int32_t *order, *first, *count; /* atoms of class r: order[first[r]] ... order[first[r] + count[r] - 1] */
    relation *relation;
    size_t relations, capacity;
    int64_t channels; /* of all classes */
} maps;

static bool blocked(const jm_value *value)
{
    return value && value->tensor.layout == JM_C16;
}

static int64_t channels_of(const jm_value *value)
{
    return value->tensor.shape.dim[1];
}

/* ---- Groups and classes ---- */

static int32_t group_of(maps *m, int32_t id)
{
    int32_t *parent = m->parent;
    while (parent[id] != id && !m->permutation[id]) {
        if (!m->permutation[parent[id]]) parent[id] = parent[parent[id]];
        id = parent[id];
    }
    return id;
}

static int32_t class_of(maps *m, const jm_value *value)
{
    int32_t id = group_of(m, value->id);
    while (m->parent[id] != id) id = group_of(m, m->parent[id]);
    return id;
}

/* Position of the value's channel among m->channels. */
static int64_t channel_at(maps *m, const jm_value *value, int64_t channel)
{
    int32_t id = group_of(m, value->id);
    while (m->parent[id] != id) {
        channel = m->permutation[id][channel];
        id = group_of(m, m->parent[id]);
    }
    return m->base[id] + channel;
}

/* Before any shuffle. The smaller id is the root, so that results do not depend on the order of calls. */
static void join(maps *m, const jm_value *x, const jm_value *y)
{
    const int32_t a = group_of(m, x->id), b = group_of(m, y->id);
    m->parent[JM_MAX(a, b)] = JM_MIN(a, b);
}

static void join_all(maps *m, const jm_node *node)
{
    const jm_value *first = NULL;
    for (int i = 0; i < node->inputs + node->outputs; i++) {
        const jm_value *value = i < node->inputs ? node->in[i] : node->out[i - node->inputs];
        if (!blocked(value)) continue;
        if (first)
            join(m, first, value);
        else
            first = value;
    }
}

static jm_status join_computing(maps *m, const jm_node *node)
{
    jm_tensor in[JM_MAX_ARGUMENTS], out[JM_MAX_ARGUMENTS];
    jm_call call;
    jm_form form;
    jm_node_call(node, &call, in, out);
    JM_TRY(jm_op_form(&call, node->form, &form));
    if (form.map == JM_MAP_SAME) {
        join_all(m, node);
        return JM_OK;
    }
    for (int i = 0; i < node->inputs && i < jm_op_inputs(node->op); i++)
        if (strcmp(jm_op_input(node->op, i)->name, "residual") == 0 && blocked(node->in[i]) && blocked(node->out[0]))
            join(m, node->in[i], node->out[0]);
    return JM_OK;
}

static jm_status relate(maps *m, jm_node *node, const jm_value *part, const jm_value *whole, int64_t start,
                        int64_t step)
{
    JM_TRY(jm_array_reserve(&m->relation, &m->capacity, m->relations + 1, sizeof *m->relation));
    m->relation[m->relations++] = (relation){node, part, whole, start, step};
    return JM_OK;
}

static jm_status join_elided(maps *m, jm_node *node)
{
    const jm_role role = jm_node_role(node);
    if (role.kind == JM_ROLE_SHUFFLE || role.kind == JM_ROLE_RESHAPE) return JM_OK;
    if (role.axis != 1) {
        join_all(m, node);
        return JM_OK;
    }
    if (role.kind == JM_ROLE_SLICE) return relate(m, node, node->out[0], node->in[0], role.start, role.step);
    int64_t start = 0;
    for (int i = 0; i < node->inputs; i++) {
        JM_TRY(relate(m, node, node->in[i], node->out[0], start, 1));
        start += channels_of(node->in[i]);
    }
    return JM_OK;
}

static jm_status make_real(jm_node *node)
{
    node->elided = false;
    if (jm_find_form(node, JM_C16, JM_C16, &node->form)) return JM_OK;
    return jm_error(JM_INTERNAL, "%s '%s' has no form that copies blocks", node->op->name, node->name);
}

/* The output's group hangs below the input's class. A shuffle within one class is real. */
static jm_status join_shuffle(maps *m, jm_node *node)
{
    const jm_value *x = node->in[0], *y = node->out[0];
    const int32_t above = class_of(m, x), below = group_of(m, y->id);
    if (class_of(m, y) == above || m->parent[below] != below) return make_real(node);
    const int64_t channels = channels_of(x), groups = jm_node_role(node).groups;
    int32_t *permutation = jm_alloc((size_t)channels, sizeof *permutation);
    if (!permutation) return JM_OUT_OF_MEMORY;
    for (int64_t c = 0; c < channels; c++) {
        int64_t channel = c % groups * (channels / groups) + c / groups;
        for (int32_t id = group_of(m, x->id); m->parent[id] != id; id = group_of(m, m->parent[id]))
            channel = m->permutation[id][channel];
        permutation[c] = (int32_t)channel;
    }
    m->permutation[below] = permutation;
    m->parent[below] = above;
    return JM_OK;
}

static jm_status build_classes(maps *m)
{
    jm_graph *graph = m->graph;
    for (size_t i = 0; i < graph->values; i++) m->parent[i] = (int32_t)i;
    for (size_t i = 0; i < graph->nodes; i++) {
        jm_node *node = graph->node[i];
        if (!node->elided)
            JM_TRY(join_computing(m, node));
        else if (blocked(node->out[0]))
            JM_TRY(join_elided(m, node));
    }
    for (size_t i = 0; i < graph->nodes; i++) {
        jm_node *node = graph->node[i];
        if (node->elided && jm_node_role(node).kind == JM_ROLE_SHUFFLE) JM_TRY(join_shuffle(m, node));
    }
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *value = graph->value[i];
        m->base[i] = -1;
        if (!blocked(value)) continue;
        const jm_value *root = graph->value[class_of(m, value)];
        if (channels_of(root) != channels_of(value))
            return jm_error(JM_INTERNAL, "channel maps: '%s' and '%s' differ in channels", root->name, value->name);
        if (root != value) continue;
        m->base[i] = m->channels;
        m->channels += channels_of(value);
        if (m->channels > INT32_MAX / 2) return jm_error(JM_OUT_OF_RANGE, "the graph has more than 2^30 channels");
    }
    return JM_OK;
}

/* ---- Atoms ---- */

/* A channel of a relation: its places on the two sides, and the atoms there. */
typedef struct tie {
    int64_t from, to;
    int32_t from_label, to_label;
} tie;

static int by_label(const void *x, const void *y)
{
    const tie *a = x, *b = y;
    if (a->from_label != b->from_label) return a->from_label < b->from_label ? -1 : 1;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* Channels of the relation, grouped by the atoms of the side `from`: the part or the whole. */
static int64_t tie_relation(maps *m, const relation *r, bool from_part, tie *t)
{
    const int64_t channels = channels_of(r->part);
    for (int64_t c = 0; c < channels; c++) {
        const int64_t part = channel_at(m, r->part, c), whole = channel_at(m, r->whole, r->start + c * r->step);
        t[c] = (tie){.from = from_part ? part : whole, .to = from_part ? whole : part};
        t[c].from_label = m->label[t[c].from];
        t[c].to_label = m->label[t[c].to];
    }
    qsort(t, (size_t)channels, sizeof *t, by_label);
    return channels;
}

/* The channels tied to one atom of one side become whole atoms of the other side. `taken` is zero per atom and stays
 * so; `fresh` is scratch. */
static bool split_atoms(maps *m, const tie *t, int64_t count, int32_t *taken, int32_t *fresh)
{
    const int32_t before = m->atoms;
    for (int64_t k = 0; k < count; k++) {
        taken[t[k].to_label]++;
        fresh[t[k].to_label] = -1;
    }
    for (int64_t k = 0; k < count; k++) {
        const int32_t old = t[k].to_label;
        if (fresh[old] < 0) {
            if (taken[old] == m->size[old]) continue;
            fresh[old] = m->atoms;
            m->size[m->atoms++] = taken[old];
            m->size[old] -= taken[old];
        }
        m->label[t[k].to] = fresh[old];
    }
    for (int64_t k = 0; k < count; k++) taken[t[k].to_label] = 0;
    return m->atoms > before;
}

static bool refine_side(maps *m, const relation *r, bool from_part, tie *t, int32_t *taken, int32_t *fresh)
{
    bool changed = false;
    const int64_t count = tie_relation(m, r, from_part, t);
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && t[end].from_label == t[i].from_label; end++) {
        }
        /* An earlier split may have changed the labels of this side's channels. */
        for (int64_t k = i; k < end; k++) t[k].to_label = m->label[t[k].to];
        changed = split_atoms(m, t + i, end - i, taken, fresh) || changed;
    }
    return changed;
}

/* One atom per class, then split until the atoms of every part are atoms of its whole. */
static jm_status build_atoms(maps *m)
{
    const size_t limit = (size_t)m->channels + m->graph->values + 1;
    m->size = jm_alloc(limit, sizeof *m->size);
    tie *t = jm_alloc((size_t)m->channels + 1, sizeof *t);
    int32_t *taken = jm_alloc(limit, sizeof *taken), *fresh = jm_alloc(limit, sizeof *fresh);
    const jm_status status = m->size && t && taken && fresh ? JM_OK : JM_OUT_OF_MEMORY;
    if (status == JM_OK) {
        for (size_t i = 0; i < m->graph->values; i++) {
            if (m->base[i] < 0) continue;
            const int64_t channels = channels_of(m->graph->value[i]);
            for (int64_t c = 0; c < channels; c++) m->label[m->base[i] + c] = m->atoms;
            m->size[m->atoms++] = (int32_t)channels;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < m->relations; i++)
                for (int side = 0; side < 2; side++)
                    changed = refine_side(m, &m->relation[i], side, t, taken, fresh) || changed;
        }
    }
    jm_free(t);
    jm_free(taken);
    jm_free(fresh);
    return status;
}

/* ---- Orders ---- */

static jm_status natural_order(maps *m)
{
    bool *seen = jm_alloc((size_t)m->atoms + 1, sizeof *seen);
    if (!seen) return JM_OUT_OF_MEMORY;
    int32_t at = 0;
    for (size_t i = 0; i < m->graph->values; i++) {
        if (m->base[i] < 0) continue;
        m->first[i] = at;
        for (int64_t c = 0; c < channels_of(m->graph->value[i]); c++) {
            const int32_t atom = m->label[m->base[i] + c];
            if (!seen[atom]) m->order[at++] = atom;
            seen[atom] = true;
        }
        m->count[i] = at - m->first[i];
    }
    jm_free(seen);
    return JM_OK;
}

/* m->image[atom of the part] is the atom of the whole. */
static void find_images(maps *m, const relation *r)
{
    for (int64_t c = 0; c < channels_of(r->part); c++)
        m->image[m->label[channel_at(m, r->part, c)]] = m->label[channel_at(m, r->whole, r->start + c * r->step)];
}

/* Channels of an atom lie in the order of their class: it must be the same on both sides. */
static bool holds_inside(maps *m, const relation *r, tie *t)
{
    const int64_t count = tie_relation(m, r, true, t);
    for (int64_t k = 1; k < count; k++)
        if (t[k].from_label == t[k - 1].from_label && t[k].to < t[k - 1].to) return false;
    return true;
}

/* Whether the part's atoms are neighbours in the whole, in the same order. */
static bool holds(maps *m, const relation *r)
{
    const int32_t part = class_of(m, r->part), whole = class_of(m, r->whole);
    const int32_t *p = m->order + m->first[part], *w = m->order + m->first[whole];
    find_images(m, r);
    int32_t start = 0;
    while (start < m->count[whole] && w[start] != m->image[p[0]]) start++;
    if (start + m->count[part] > m->count[whole]) return false;
    for (int32_t k = 1; k < m->count[part]; k++)
        if (w[start + k] != m->image[p[k]]) return false;
    return true;
}

/* Puts the part's atoms in the order that they have in the whole. */
static void follow_whole(maps *m, const relation *r)
{
    const int32_t part = class_of(m, r->part), whole = class_of(m, r->whole);
    int32_t *p = m->order + m->first[part], done = 0;
    const int32_t *w = m->order + m->first[whole];
    find_images(m, r);
    for (int32_t k = 0; k < m->count[whole]; k++) {
        for (int32_t i = done; i < m->count[part]; i++) {
            if (m->image[p[i]] != w[k]) continue;
            const int32_t found = p[i];
            p[i] = p[done];
            p[done++] = found;
        }
    }
}

/* The orders of one class's atoms are being tried; its parts follow it. */
typedef struct trial {
    maps *m;
    int32_t whole;
    int32_t atom[MAX_TRIED];
    bool used[MAX_TRIED];
} trial;

static bool try_orders(trial *t, int depth)
{
    maps *m = t->m;
    const int count = m->count[t->whole];
    if (depth == count) {
        bool good = true;
        for (size_t i = 0; i < m->relations && good; i++) {
            const relation *r = &m->relation[i];
            if (class_of(m, r->whole) != t->whole) continue;
            follow_whole(m, r);
            good = holds(m, r);
        }
        return good;
    }
    for (int a = 0; a < count; a++) {
        if (t->used[a]) continue;
        t->used[a] = true;
        m->order[m->first[t->whole] + depth] = t->atom[a];
        if (try_orders(t, depth + 1)) return true;
        t->used[a] = false;
    }
    return false;
}

/* On failure the orders are as before. */
static bool order_whole(maps *m, int32_t whole, int32_t *saved)
{
    trial t = {.m = m, .whole = whole};
    if (m->count[whole] > MAX_TRIED) return false;
    memcpy(t.atom, m->order + m->first[whole], (size_t)m->count[whole] * sizeof *t.atom);
    memcpy(saved, m->order, (size_t)m->channels * sizeof *saved);
    if (try_orders(&t, 0)) return true;
    memcpy(m->order, saved, (size_t)m->channels * sizeof *saved);
    return false;
}

/* ---- Dropping what does not hold ---- */

static jm_status drop(maps *m, const relation *r)
{
    if (jm_node_role(r->node).kind == JM_ROLE_SLICE) return make_real(r->node);
    /* A Concat: shuffles that disturb its channels go first. */
    bool shuffled = false;
    for (size_t i = 0; i < m->graph->nodes; i++) {
        jm_node *node = m->graph->node[i];
        if (!node->elided || jm_node_role(node).kind != JM_ROLE_SHUFFLE) continue;
        const int32_t class = class_of(m, node->out[0]);
        if (class != class_of(m, r->part) && class != class_of(m, r->whole)) continue;
        JM_TRY(make_real(node));
        shuffled = true;
    }
    for (int i = 0; i < r->node->inputs && !shuffled; i++) {
        if (r->node->in[i] != r->part) continue;
        jm_value *copy = jm_insert_reorder(m->graph, r->node->in[i], JM_C16);
        if (!copy) return JM_OUT_OF_MEMORY;
        jm_node_set_input(r->node, i, copy);
    }
    return JM_OK;
}

/* Marks the relations that hold under no order found. */
static void find_bad(maps *m, bool trials, bool *bad, tie *t, int32_t *saved)
{
    for (size_t i = 0; i < m->relations; i++) {
        const relation *r = &m->relation[i];
        bad[i] = !holds_inside(m, r, t);
        if (!bad[i] && !holds(m, r)) bad[i] = !trials || !order_whole(m, class_of(m, r->whole), saved);
    }
    /* Ordering one class may have disturbed another. */
    for (size_t i = 0; i < m->relations; i++) bad[i] = bad[i] || !holds(m, &m->relation[i]);
}

/* *again: some relations were dropped, the graph has changed. */
static jm_status settle(maps *m, bool trials, bool *again)
{
    JM_TRY(natural_order(m));
    bool *bad = jm_alloc(m->relations, sizeof *bad);
    tie *t = jm_alloc((size_t)m->channels + 1, sizeof *t);
    int32_t *saved = jm_alloc((size_t)m->channels + 1, sizeof *saved);
    jm_status status = bad && t && saved ? JM_OK : JM_OUT_OF_MEMORY;
    if (status == JM_OK) find_bad(m, trials, bad, t, saved);
    for (size_t i = 0; i < m->relations && status == JM_OK; i++) {
        if (!bad[i]) continue;
        *again = true;
        status = drop(m, &m->relation[i]);
    }
    jm_free(bad);
    jm_free(t);
    jm_free(saved);
    return status;
}

/* ---- Maps ---- */

/* The map of a group; NULL when it is the identity. */
static jm_status make_map(maps *m, const jm_value *value, const jm_channel_map **map)
{
    const int64_t channels = channels_of(value);
    const int32_t root = class_of(m, value), *order = m->order + m->first[root];
    int32_t *lane = jm_arena_alloc(m->graph->arena, (size_t)channels, sizeof *lane);
    int32_t *class_lane = jm_alloc((size_t)channels, sizeof *class_lane), blocks = 0;
    *map = NULL;
    for (int32_t k = 0; k < m->count[root]; k++) blocks += (m->size[order[k]] + JM_LANES - 1) / JM_LANES;
    jm_channel_map *made = jm_arena_alloc(m->graph->arena, 1, sizeof *made);
    uint8_t *count = jm_arena_alloc(m->graph->arena, (size_t)blocks, 1);
    if (!lane || !class_lane || !made || !count) {
        jm_free(class_lane);
        return JM_OUT_OF_MEMORY;
    }
    int32_t *next = m->image; /* per atom: its next lane */
    for (int32_t k = 0, block = 0; k < m->count[root]; k++) {
        next[order[k]] = block * JM_LANES;
        for (int32_t left = m->size[order[k]]; left > 0; left -= JM_LANES)
            count[block++] = (uint8_t)JM_MIN(left, JM_LANES);
    }
    for (int64_t c = 0; c < channels; c++) class_lane[c] = next[m->label[m->base[root] + c]]++;
    for (int64_t c = 0; c < channels; c++) lane[c] = class_lane[channel_at(m, value, c) - m->base[root]];
    jm_free(class_lane);
    *made = (jm_channel_map){.channels = (int32_t)channels, .blocks = blocks, .lane = lane, .count = count};
    if (!jm_channel_map_equal(made, NULL, channels)) *map = made;
    return JM_OK;
}

static jm_status store_maps(maps *m)
{
    jm_graph *graph = m->graph;
    for (size_t i = 0; i < graph->values; i++) {
        jm_value *value = graph->value[i];
        if (blocked(value) && group_of(m, value->id) == value->id) JM_TRY(make_map(m, value, &value->tensor.map));
    }
    for (size_t i = 0; i < graph->values; i++) {
        jm_value *value = graph->value[i];
        if (blocked(value)) value->tensor.map = graph->value[group_of(m, value->id)]->tensor.map;
    }
    return JM_OK;
}

/* ---- All of it ---- */

static void maps_clear(maps *m)
{
    for (size_t i = 0; m->permutation && i < m->values; i++) jm_free(m->permutation[i]);
    jm_free(m->permutation);
    jm_free(m->parent);
    jm_free(m->base);
    jm_free(m->first);
    jm_free(m->count);
    jm_free(m->label);
    jm_free(m->size);
    jm_free(m->order);
    jm_free(m->image);
    jm_free(m->relation);
}

static jm_status try_round(maps *m, bool trials, bool *again)
{
    const size_t n = m->values = m->graph->values;
    m->parent = jm_alloc(n, sizeof *m->parent);
    m->permutation = jm_alloc(n, sizeof *m->permutation);
    m->base = jm_alloc(n, sizeof *m->base);
    m->first = jm_alloc(n, sizeof *m->first);
    m->count = jm_alloc(n, sizeof *m->count);
    if (!m->parent || !m->permutation || !m->base || !m->first || !m->count) return JM_OUT_OF_MEMORY;
    JM_TRY(build_classes(m));
    const size_t channels = (size_t)m->channels + 1;
    m->label = jm_alloc(channels, sizeof *m->label);
    m->order = jm_alloc(channels, sizeof *m->order);
    m->image = jm_alloc(channels + n, sizeof *m->image);
    if (!m->label || !m->order || !m->image) return JM_OUT_OF_MEMORY;
    JM_TRY(build_atoms(m));
    JM_TRY(settle(m, trials, again));
    return *again ? JM_OK : store_maps(m);
}

/* [N,C] over [N,C,1,1] needs channels in order without gaps. */
static jm_status straighten_flattened(jm_graph *graph)
{
    for (size_t i = 0, n = graph->nodes; i < n; i++) {
        jm_node *node = graph->node[i];
        if (!node->elided || !blocked(node->in[0]) || blocked(node->out[0]) || !node->in[0]->tensor.map) continue;
        jm_value *copy = jm_insert_reorder(graph, node->in[0], JM_C16);
        if (!copy) return JM_OUT_OF_MEMORY;
        copy->tensor.map = NULL;
        jm_node_set_input(node, 0, copy);
    }
    return JM_OK;
}

jm_status jm_assign_channel_maps(jm_graph *graph)
{
    bool again = true;
    for (int round = 0; again; round++) {
        again = false;
        maps m = {.graph = graph};
        const jm_status status = try_round(&m, round < ROUNDS_OF_TRIALS, &again);
        maps_clear(&m);
        JM_TRY(status);
    }
    JM_TRY(straighten_flattened(graph));
    return jm_graph_sort(graph);
}
