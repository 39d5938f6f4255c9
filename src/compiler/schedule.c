/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders nodes so that little memory is alive at a time. Of the nodes that could run next, the one that lets most bytes
 * die (fewest come to life) runs first; among equals the one enabled last, which goes depth first. The given order
 * stays when it needs no more. Views count with the storage they lie in.
 */
#include "compiler/passes.h"

#include <string.h>

#define WINDOW 64 /* ready nodes looked at, the latest ones: keeps the time linear */

typedef struct schedule {
    jm_graph *graph;
    int32_t *owner;   /* per value id */
    int64_t *bytes;   /* per owner id; 0 for constants and the caller's storage */
    int32_t *touches; /* per owner id: arguments of nodes not yet run that lie in it */
    bool *alive;      /* per owner id */
    int32_t *waiting; /* per node: inputs not yet produced */
    size_t *ready;    /* stack of node orders */
    size_t ready_count;
} schedule;

static int arguments(const jm_node *node)
{
    return node->inputs + node->outputs;
}

static const jm_value *argument(const jm_node *node, int i)
{
    return i < node->inputs ? node->in[i] : node->out[i - node->inputs];
}

static void reset(schedule *s)
{
    const jm_graph *graph = s->graph;
    memset(s->touches, 0, graph->values * sizeof *s->touches);
    memset(s->alive, 0, graph->values * sizeof *s->alive);
    for (size_t i = 0; i < graph->nodes; i++) {
        const jm_node *node = graph->node[i];
        for (int k = 0; k < arguments(node); k++)
            if (argument(node, k)) s->touches[s->owner[argument(node, k)->id]]++;
    }
}

/* Bytes that come to life when the node runs, minus those that die after it. */
static int64_t growth(const schedule *s, const jm_node *node, int64_t *born)
{
    int64_t dead = 0;
    *born = 0;
    for (int k = 0; k < arguments(node); k++) {
        if (!argument(node, k)) continue;
        const int32_t owner = s->owner[argument(node, k)->id];
        int32_t mine = 0;
        bool first = true;
        for (int j = 0; j < arguments(node); j++) {
            if (!argument(node, j) || s->owner[argument(node, j)->id] != owner) continue;
            first = first && j >= k;
            mine++;
        }
        if (!first) continue;
        if (!s->alive[owner]) *born += s->bytes[owner];
        if (s->touches[owner] == mine) dead += s->bytes[owner];
    }
    return *born - dead;
}

static void run_node(schedule *s, const jm_node *node)
{
    for (int k = 0; k < arguments(node); k++) {
        if (!argument(node, k)) continue;
        const int32_t owner = s->owner[argument(node, k)->id];
        s->touches[owner]--;
        s->alive[owner] = true;
    }
}

static int64_t peak_of(schedule *s, jm_node *const *order)
{
    int64_t live = 0, peak = 0, born;
    reset(s);
    for (size_t i = 0; i < s->graph->nodes; i++) {
        const int64_t change = growth(s, order[i], &born);
        peak = JM_MAX(peak, live + born);
        live += change;
        run_node(s, order[i]);
    }
    return peak;
}

static jm_node *take_best(schedule *s)
{
    jm_node *const *node = s->graph->node;
    const size_t low = s->ready_count > WINDOW ? s->ready_count - WINDOW : 0;
    size_t best = s->ready_count - 1;
    int64_t born, best_growth = INT64_MAX;
    for (size_t i = s->ready_count; i-- > low;) {
        /* A view takes no time and may let its input die: at once. */
        const int64_t change = node[s->ready[i]]->elided ? INT64_MIN : growth(s, node[s->ready[i]], &born);
        if (change < best_growth) best = i, best_growth = change;
    }
    jm_node *taken = node[s->ready[best]];
    memmove(&s->ready[best], &s->ready[best + 1], (--s->ready_count - best) * sizeof *s->ready);
    return taken;
}

static void make_order(schedule *s, jm_node **order)
{
    const jm_graph *graph = s->graph;
    reset(s);
    s->ready_count = 0;
    for (size_t i = graph->nodes; i-- > 0;) {
        const jm_node *node = graph->node[i];
        s->waiting[i] = 0;
        for (int k = 0; k < node->inputs; k++) s->waiting[i] += node->in[k] && node->in[k]->producer;
        if (s->waiting[i] == 0) s->ready[s->ready_count++] = i;
    }
    for (size_t n = 0; s->ready_count > 0; n++) {
        jm_node *node = take_best(s);
        order[n] = node;
        run_node(s, node);
        for (int k = 0; k < node->outputs; k++)
            for (const jm_use *u = node->out[k] ? node->out[k]->use : NULL; u; u = u->next)
                if (--s->waiting[u->node->order] == 0) s->ready[s->ready_count++] = (size_t)u->node->order;
    }
}

static jm_status measure(schedule *s)
{
    jm_graph_owners(s->graph, s->owner);
    for (size_t i = 0; i < s->graph->values; i++) {
        const jm_value *value = s->graph->value[i];
        size_t bytes = 0;
        if (s->owner[i] != value->id || value->tensor.constant || value->is_input || value->is_output) continue;
        JM_TRY(jm_tensor_bytes(&value->tensor, &bytes));
        s->bytes[i] = (int64_t)bytes;
    }
    return JM_OK;
}

static jm_status reorder(schedule *s, jm_node **order)
{
    jm_graph *graph = s->graph;
    JM_TRY(measure(s));
    make_order(s, order);
    if (peak_of(s, order) >= peak_of(s, graph->node)) return JM_OK;
    memcpy(graph->node, order, graph->nodes * sizeof *order);
    for (size_t i = 0; i < graph->nodes; i++) graph->node[i]->order = (int32_t)i;
    return JM_OK;
}

jm_status jm_pass_schedule(jm_graph *graph)
{
    schedule s = {.graph = graph,
                  .owner = jm_alloc(graph->values, sizeof *s.owner),
                  .bytes = jm_alloc(graph->values, sizeof *s.bytes),
                  .touches = jm_alloc(graph->values, sizeof *s.touches),
                  .alive = jm_alloc(graph->values, sizeof *s.alive),
                  .waiting = jm_alloc(graph->nodes, sizeof *s.waiting),
                  .ready = jm_alloc(graph->nodes, sizeof *s.ready)};
    jm_node **order = jm_alloc(graph->nodes, sizeof *order);
    const bool memory = s.owner && s.bytes && s.touches && s.alive && s.waiting && s.ready && order;
    const jm_status status = memory ? reorder(&s, order) : JM_OUT_OF_MEMORY;
    jm_free(s.owner);
    jm_free(s.bytes);
    jm_free(s.touches);
    jm_free(s.alive);
    jm_free(s.waiting);
    jm_free(s.ready);
    jm_free(order);
    return status;
}
