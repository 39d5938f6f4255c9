/* SPDX-License-Identifier: Apache-2.0
 *
 * Channel maps for all C16 values at once.
 *
 * Values that must share a map (arguments of a JM_MAP_SAME form, a convolution's residual and output) form a class.
 * An elided Concat, Slice or ChannelShuffle along the channels relates two classes: channel c of the part is channel
 * f(c) of the whole, in the same lane of the same block, counted from the part's first block.
 *
 * Channels that relations tie together are one track. Tracks that occur in the same classes form an atom: a set of
 * channels that nothing ever takes apart, so it gets whole blocks of its own (16 lanes, the last one padded). What is
 * left is the order of the atoms in each class: the atoms of a part must be neighbours in the whole, in the part's own
 * order. The natural order, by first channel, does it for everything but shuffles; for those, groups of few atoms try
 * all orders. A relation that cannot hold is dropped: the node really copies, or a Reorder stands in front of the
 * Concat, and the search starts again without it. Everything but the orders of few atoms is linear in the number of
 * channels.
 */
#include "compiler/layout.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TRIED 6 /* atoms whose orders are all tried: 6! = 720 */
#define MAX_TRIED_CLASSES 16

typedef struct relation {
    jm_node *node;
    int input; /* of a Concat */
    jm_value *part, *whole;
    jm_role role;
    int64_t offset; /* of a Concat's piece */
} relation;

typedef struct maps {
    jm_graph *graph;
    int32_t *class_of; /* per value id: union-find over C16 values */
    int64_t *base;     /* per value id: first track of the class (root), -1 elsewhere */
    int32_t *track;    /* union-find over channels of all classes */
    int32_t *atom;     /* per track root */
    int32_t atoms;
    relation *relation;
    size_t relations, capacity;
    int32_t *component; /* per value id (class root): union-find over classes */
    /* Atoms of each class in order: order[first[root]] ... order[first[root] + count[root] - 1]. */
    int32_t *order, *first, *count;
    int32_t *rank;    /* per atom: scratch of order checks */
    int32_t channels; /* of all classes */
} maps;

static int32_t find(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* The smaller root wins, so that results do not depend on the order of unions. */
static void join(int32_t *parent, int32_t a, int32_t b)
{
    a = find(parent, a), b = find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static bool blocked(const jm_value *value)
{
    return value && value->tensor.layout == JM_C16;
}

static int64_t channels_of(const jm_value *value)
{
    return value->tensor.shape.dim[1];
}

/* ---- Classes ---- */

static void join_all(maps *m, const jm_node *node)
{
    const jm_value *first = NULL;
    for (int i = 0; i < node->inputs + node->outputs; i++) {
        const jm_value *value = i < node->inputs ? node->in[i] : node->out[i - node->inputs];
        if (!blocked(value)) continue;
        if (first)
            join(m->class_of, first->id, value->id);
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
            join(m->class_of, node->in[i]->id, node->out[0]->id);
    return JM_OK;
}

static jm_status add_relation(maps *m, relation r)
{
    JM_TRY(jm_array_reserve(&m->relation, &m->capacity, m->relations + 1, sizeof *m->relation));
    m->relation[m->relations++] = r;
    return JM_OK;
}

static jm_status relate(maps *m, jm_node *node)
{
    const jm_role role = jm_node_role(node);
    if (role.kind == JM_ROLE_SHUFFLE || (role.kind == JM_ROLE_SLICE && role.axis == 1))
        return add_relation(m, (relation){.node = node, .part = node->out[0], .whole = node->in[0], .role = role});
    if (role.kind != JM_ROLE_CONCAT || role.axis != 1) {
        if (role.kind != JM_ROLE_RESHAPE) join_all(m, node);
        return JM_OK;
    }
    int64_t offset = 0;
    for (int i = 0; i < node->inputs; i++) {
        JM_TRY(add_relation(
            m,
            (relation){
                .node = node, .input = i, .part = node->in[i], .whole = node->out[0], .role = role, .offset = offset}));
        offset += channels_of(node->in[i]);
    }
    return JM_OK;
}

/* Channel of the whole that is channel c of the part. */
static int64_t channel_in_whole(const relation *r, int64_t c)
{
    switch (r->role.kind) {
    case JM_ROLE_CONCAT:
        return r->offset + c;
    case JM_ROLE_SLICE:
        return r->role.start + c * r->role.step;
    default:
        return c % r->role.groups * (channels_of(r->part) / r->role.groups) + c / r->role.groups;
    }
}

static jm_status build_classes(maps *m)
{
    jm_graph *graph = m->graph;
    m->relations = 0;
    for (size_t i = 0; i < graph->values; i++) m->class_of[i] = m->component[i] = (int32_t)i;
    for (size_t i = 0; i < graph->nodes; i++) {
        jm_node *node = graph->node[i];
        if (node->elided && blocked(node->out[0]))
            JM_TRY(relate(m, node));
        else if (!node->elided)
            JM_TRY(join_computing(m, node));
    }
    int64_t total = 0;
    for (size_t i = 0; i < graph->values; i++) {
        const jm_value *value = graph->value[i];
        m->base[i] = -1;
        if (!blocked(value)) continue;
        const jm_value *root = graph->value[find(m->class_of, (int32_t)i)];
        if (channels_of(root) != channels_of(value))
            return jm_error(JM_INTERNAL, "channel maps: '%s' and '%s' differ in channels", root->name, value->name);
        if (root != value) continue;
        m->base[i] = total;
        total += channels_of(value);
        if (total > INT32_MAX) return jm_error(JM_OUT_OF_RANGE, "the graph has more than 2^31 channels");
    }
    m->channels = (int32_t)total;
    return JM_OK;
}

static int32_t class_root(maps *m, const jm_value *value)
{
    return find(m->class_of, value->id);
}

/* ---- Tracks and atoms ---- */

static int32_t track_of(maps *m, const jm_value *value, int64_t channel)
{
    return find(m->track, (int32_t)(m->base[class_root(m, value)] + channel));
}

static void build_tracks(maps *m)
{
    for (int32_t i = 0; i < m->channels; i++) m->track[i] = i;
    for (size_t i = 0; i < m->relations; i++) {
        const relation *r = &m->relation[i];
        const int64_t part = m->base[class_root(m, r->part)], whole = m->base[class_root(m, r->whole)];
        for (int64_t c = 0; c < channels_of(r->part); c++)
            join(m->track, (int32_t)(part + c), (int32_t)(whole + channel_in_whole(r, c)));
        join(m->component, class_root(m, r->part), class_root(m, r->whole));
    }
}

/* Splits atoms by membership in each class in turn: tracks with the same old atom that are in the class share a new
 * one. A class makes at most as many new numbers as it has channels. */
static jm_status build_atoms(maps *m)
{
    const size_t limit = (size_t)m->channels + 1;
    int32_t *renamed = jm_alloc(limit, sizeof *renamed); /* new number of an old atom in the class at hand */
    if (!renamed) return JM_OUT_OF_MEMORY;
    memset(m->atom, 0, (size_t)m->channels * sizeof *m->atom);
    m->atoms = 1;
    for (size_t i = 0; i < m->graph->values; i++) {
        if (m->base[i] < 0) continue;
        const jm_value *value = m->graph->value[i];
        const int32_t fresh = m->atoms; /* numbers from here on belong to this class */
        for (int64_t c = 0; c < channels_of(value); c++) {
            int32_t *atom = &m->atom[track_of(m, value, c)];
            if (*atom >= fresh) continue; /* two channels of the class on one track: a conflict, found later */
            if (renamed[*atom] < fresh) renamed[*atom] = m->atoms++;
            *atom = renamed[*atom];
        }
    }
    jm_free(renamed);
    return JM_OK;
}

/* ---- Orders ---- */

/* The class's atoms by first channel. */
static void natural_order(maps *m)
{
    int32_t *seen = m->rank, at = 0;
    memset(seen, 0, (size_t)m->atoms * sizeof *seen);
    for (size_t i = 0; i < m->graph->values; i++) {
        if (m->base[i] < 0) continue;
        const jm_value *value = m->graph->value[i];
        m->first[i] = at;
        for (int64_t c = 0; c < channels_of(value); c++) {
            const int32_t atom = m->atom[track_of(m, value, c)];
            if (seen[atom] == (int32_t)i + 1) continue;
            seen[atom] = (int32_t)i + 1;
            m->order[at++] = atom;
        }
        m->count[i] = at - m->first[i];
    }
}

/* Whether the part's atoms are neighbours in the whole, in the same order. */
static bool holds(maps *m, const relation *r)
{
    const int32_t part = class_root(m, r->part), whole = class_root(m, r->whole);
    const int32_t *p = m->order + m->first[part], *w = m->order + m->first[whole];
    int32_t start = 0;
    while (start < m->count[whole] && w[start] != p[0]) start++;
    return start + m->count[part] <= m->count[whole] && memcmp(p, w + start, (size_t)m->count[part] * sizeof *p) == 0;
}

/* A component whose natural order fails, while all orders of its few atoms are tried. */
typedef struct trial {
    maps *m;
    int32_t class_id[MAX_TRIED_CLASSES], atom[MAX_TRIED];
    int classes, atoms;
    bool used[MAX_TRIED];
} trial;

static bool collect_trial(trial *t, int32_t component)
{
    maps *m = t->m;
    for (size_t i = 0; i < m->graph->values; i++) {
        if (m->base[i] < 0 || find(m->component, (int32_t)i) != component) continue;
        if (t->classes == MAX_TRIED_CLASSES) return false;
        t->class_id[t->classes++] = (int32_t)i;
        for (int32_t k = 0; k < m->count[i]; k++) {
            const int32_t atom = m->order[m->first[i] + k];
            bool known = false;
            for (int a = 0; a < t->atoms; a++) known = known || t->atom[a] == atom;
            if (known) continue;
            if (t->atoms == MAX_TRIED) return false;
            t->atom[t->atoms++] = atom;
        }
    }
    return true;
}

/* Orders the atoms of every class of the component by m->rank. */
static void order_by_rank(const trial *t)
{
    maps *m = t->m;
    for (int i = 0; i < t->classes; i++) {
        int32_t *order = m->order + m->first[t->class_id[i]];
        for (int32_t a = 1; a < m->count[t->class_id[i]]; a++) {
            for (int32_t b = a; b > 0 && m->rank[order[b - 1]] > m->rank[order[b]]; b--) {
                const int32_t swapped = order[b];
                order[b] = order[b - 1];
                order[b - 1] = swapped;
            }
        }
    }
}

static bool component_holds(maps *m, int32_t component)
{
    for (size_t i = 0; i < m->relations; i++) {
        const relation *r = &m->relation[i];
        if (find(m->component, class_root(m, r->part)) == component && !holds(m, r)) return false;
    }
    return true;
}

/* Gives rank `depth` and later ones to the unused atoms in every way until all relations of the component hold. */
static bool try_orders(trial *t, int32_t component, int depth)
{
    if (depth == t->atoms) {
        order_by_rank(t);
        return component_holds(t->m, component);
    }
    for (int a = 0; a < t->atoms; a++) {
        if (t->used[a]) continue;
        t->used[a] = true;
        t->m->rank[t->atom[a]] = depth;
        if (try_orders(t, component, depth + 1)) return true;
        t->used[a] = false;
    }
    return false;
}

static bool order_component(maps *m, int32_t component)
{
    trial t = {.m = m};
    return collect_trial(&t, component) && try_orders(&t, component, 0);
}

/* ---- Dropping relations ---- */

static jm_status drop(maps *m, const relation *r)
{
    if (r->role.kind == JM_ROLE_CONCAT) {
        jm_value *copy = jm_insert_reorder(m->graph, r->part, JM_C16);
        if (!copy) return JM_OUT_OF_MEMORY;
        jm_node_set_input(r->node, r->input, copy);
        return JM_OK;
    }
    r->node->elided = false;
    if (jm_find_form(r->node, JM_C16, JM_C16, &r->node->form)) return JM_OK;
    return jm_error(JM_INTERNAL, "%s '%s' has no form that copies blocks", r->node->op->name, r->node->name);
}

/* Marks the components in which two channels of one class share a track: those can have no map. */
static jm_status find_conflicts(maps *m, bool *wrong, bool *any)
{
    int32_t *stamp = jm_alloc((size_t)m->channels + 1, sizeof *stamp);
    if (!stamp) return JM_OUT_OF_MEMORY;
    *any = false;
    for (size_t i = 0; i < m->graph->values; i++) {
        if (m->base[i] < 0) continue;
        const jm_value *value = m->graph->value[i];
        for (int64_t c = 0; c < channels_of(value); c++) {
            const int32_t track = track_of(m, value, c);
            if (stamp[track] == (int32_t)i + 1) *any = wrong[find(m->component, (int32_t)i)] = true;
            stamp[track] = (int32_t)i + 1;
        }
    }
    jm_free(stamp);
    return JM_OK;
}

/* Finds orders under which all relations hold. Those that cannot are dropped; *again: so the graph has changed. */
static jm_status settle(maps *m, bool *wrong, bool *again)
{
    bool conflicts;
    JM_TRY(find_conflicts(m, wrong, &conflicts));
    natural_order(m);
    for (size_t i = 0; i < m->relations && !conflicts; i++) {
        const relation *r = &m->relation[i];
        const int32_t component = find(m->component, class_root(m, r->part));
        if (wrong[component] || holds(m, r) || order_component(m, component)) continue;
        *again = wrong[component] = true;
    }
    *again = *again || conflicts;
    if (!*again) return JM_OK;
    natural_order(m); /* trying has changed it */
    for (size_t i = 0; i < m->relations; i++) {
        const relation *r = &m->relation[i];
        if (wrong[find(m->component, class_root(m, r->part))] && (conflicts || !holds(m, r))) JM_TRY(drop(m, r));
    }
    return JM_OK;
}

/* ---- Maps ---- */

typedef struct lane_key {
    int32_t track, channel;
} lane_key;

static int by_track(const void *x, const void *y)
{
    const lane_key *a = x, *b = y;
    return a->track < b->track ? -1 : a->track > b->track;
}

/* Lanes of the class: atoms in order, each in whole blocks from m->rank[atom] on, its channels in the order of tracks,
 * which is the same in every class. */
static jm_status fill_lanes(maps *m, const jm_value *value, int32_t *lane)
{
    const int64_t channels = channels_of(value);
    lane_key *key = jm_alloc((size_t)channels, sizeof *key);
    if (!key) return JM_OUT_OF_MEMORY;
    for (int64_t c = 0; c < channels; c++) key[c] = (lane_key){track_of(m, value, c), (int32_t)c};
    qsort(key, (size_t)channels, sizeof *key, by_track);
    for (int64_t i = 0; i < channels; i++) lane[key[i].channel] = m->rank[m->atom[key[i].track]]++;
    jm_free(key);
    return JM_OK;
}

/* *map is NULL when it is the identity. */
static jm_status make_map(maps *m, int32_t root, const jm_channel_map **map)
{
    const jm_value *value = m->graph->value[root];
    const int64_t channels = channels_of(value);
    const int32_t *order = m->order + m->first[root];
    int32_t *size = m->rank, blocks = 0; /* channels of each atom; then its first lane */
    *map = NULL;
    for (int32_t k = 0; k < m->count[root]; k++) size[order[k]] = 0;
    for (int64_t c = 0; c < channels; c++) size[m->atom[track_of(m, value, c)]]++;
    for (int32_t k = 0; k < m->count[root]; k++) blocks += (size[order[k]] + JM_LANES - 1) / JM_LANES;

    jm_channel_map *made = jm_arena_alloc(m->graph->arena, 1, sizeof *made);
    int32_t *lane = jm_arena_alloc(m->graph->arena, (size_t)channels, sizeof *lane);
    uint8_t *count = jm_arena_alloc(m->graph->arena, (size_t)blocks, 1);
    if (!made || !lane || !count) return JM_OUT_OF_MEMORY;
    int32_t block = 0;
    for (int32_t k = 0; k < m->count[root]; k++) {
        int32_t left = size[order[k]];
        m->rank[order[k]] = block * JM_LANES;
        for (; left > 0; left -= JM_LANES) count[block++] = (uint8_t)JM_MIN(left, JM_LANES);
    }
    JM_TRY(fill_lanes(m, value, lane));
    *made = (jm_channel_map){.channels = (int32_t)channels, .blocks = blocks, .lane = lane, .count = count};
    if (!jm_channel_map_equal(made, NULL, channels)) *map = made;
    return JM_OK;
}

static jm_status store_maps(maps *m)
{
    jm_graph *graph = m->graph;
    for (size_t i = 0; i < graph->values; i++)
        if (m->base[i] >= 0) JM_TRY(make_map(m, (int32_t)i, &graph->value[i]->tensor.map));
    for (size_t i = 0; i < graph->values; i++)
        if (blocked(graph->value[i]))
            graph->value[i]->tensor.map = graph->value[class_root(m, graph->value[i])]->tensor.map;
    return JM_OK;
}

/* ---- All of it ---- */

static void maps_clear(maps *m)
{
    jm_free(m->class_of);
    jm_free(m->base);
    jm_free(m->component);
    jm_free(m->first);
    jm_free(m->count);
    jm_free(m->track);
    jm_free(m->atom);
    jm_free(m->order);
    jm_free(m->rank);
    jm_free(m->relation);
}

static jm_status try_round(maps *m, bool *again)
{
    const size_t n = m->graph->values;
    m->class_of = jm_alloc(n, sizeof *m->class_of);
    m->base = jm_alloc(n, sizeof *m->base);
    m->component = jm_alloc(n, sizeof *m->component);
    m->first = jm_alloc(n, sizeof *m->first);
    m->count = jm_alloc(n, sizeof *m->count);
    if (!m->class_of || !m->base || !m->component || !m->first || !m->count) return JM_OUT_OF_MEMORY;
    JM_TRY(build_classes(m));
    const size_t channels = (size_t)m->channels + 1;
    m->track = jm_alloc(channels, sizeof *m->track);
    m->atom = jm_alloc(channels, sizeof *m->atom);
    m->order = jm_alloc(channels, sizeof *m->order);
    m->rank = jm_alloc(channels, sizeof *m->rank);
    if (!m->track || !m->atom || !m->order || !m->rank) return JM_OUT_OF_MEMORY;
    build_tracks(m);
    JM_TRY(build_atoms(m));

    bool *wrong = jm_alloc(n, sizeof *wrong); /* per component */
    jm_status status = wrong ? settle(m, wrong, again) : JM_OUT_OF_MEMORY;
    jm_free(wrong);
    if (status == JM_OK && !*again) status = store_maps(m);
    return status;
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
    while (again) {
        again = false;
        maps m = {.graph = graph};
        const jm_status status = try_round(&m, &again);
        maps_clear(&m);
        JM_TRY(status);
    }
    JM_TRY(straighten_flattened(graph));
    return jm_graph_sort(graph);
}
