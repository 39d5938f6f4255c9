/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/onnx/scope.h"

#include <string.h>

const char *onnx_node_text(const onnx_node *node)
{
    return *node->name ? node->name : node->outputs ? node->output[0] : "";
}

/* ---- Names ---- */

static jm_status name_entry(jm_arena *arena, onnx_scope *scope, const char *text, onnx_name **out)
{
    *out = jm_map_get(&scope->names, text);
    if (*out) return JM_OK;
    onnx_name *name = jm_arena_alloc(arena, 1, sizeof *name);
    if (!name) return JM_OUT_OF_MEMORY;
    *out = name;
    return jm_map_put(&scope->names, text, name);
}

static jm_status collect_names(jm_arena *arena, onnx_scope *scope)
{
    const onnx_graph *graph = scope->graph;
    onnx_name *name = NULL;
    for (size_t i = 0; i < graph->initializers; i++) {
        JM_TRY(name_entry(arena, scope, graph->initializer[i].name, &name));
        if (name->initializer) {
            return jm_error(JM_INVALID_ARGUMENT, "two initializers have the name '%s'", graph->initializer[i].name);
        }
        name->initializer = &graph->initializer[i];
    }
    for (size_t i = 0; i < graph->inputs; i++) {
        JM_TRY(name_entry(arena, scope, graph->input[i].name, &name));
        if (name->input) {
            return jm_error(JM_INVALID_ARGUMENT, "two graph inputs have the name '%s'", graph->input[i].name);
        }
        name->input = &graph->input[i];
    }
    for (size_t n = 0; n < graph->nodes; n++) {
        const onnx_node *node = &graph->node[n];
        for (size_t i = 0; i < node->outputs; i++) {
            if (!node->output[i][0]) continue;
            JM_TRY(name_entry(arena, scope, node->output[i], &name));
            if (name->producer || name->input || name->initializer) {
                return jm_error(JM_INVALID_ARGUMENT, "%s '%s' produces '%s', a name that is already taken", node->op,
                                onnx_node_text(node), node->output[i]);
            }
            name->producer = node;
        }
    }
    return JM_OK;
}

jm_status onnx_scope_open(jm_arena *arena, const onnx_graph *graph, const onnx_scope *outer, onnx_scope *scope)
{
    *scope = (onnx_scope){.graph = graph, .outer = outer};
    if (outer) {
        scope->opset = outer->opset;
        scope->depth = outer->depth + 1;
    }
    return collect_names(arena, scope);
}

void onnx_scope_close(onnx_scope *scope)
{
    jm_map_clear(&scope->names);
}

onnx_name *onnx_scope_find(const onnx_scope *scope, const char *text)
{
    onnx_name *name = NULL;
    for (; scope && !name; scope = scope->outer) name = jm_map_get(&scope->names, text);
    return name;
}

/* ---- Order of execution ---- */

typedef enum visit_state { NOT_NEEDED, NEEDED, ON_STACK, PLACED } visit_state;

typedef struct visit {
    const onnx_node *node;
    size_t next; /* what it reads to look at next */
} visit;

const onnx_node *onnx_scope_producer(const onnx_scope *scope, const char *text)
{
    const onnx_name *name = *text ? jm_map_get(&scope->names, text) : NULL;
    return name ? name->producer : NULL;
}

/* Marks the nodes that outputs depend on; `stack` has room for every node. */
static void mark_needed(const onnx_scope *scope, visit *stack, unsigned char *state)
{
    const onnx_graph *graph = scope->graph;
    size_t depth = 0;
    for (size_t i = 0; i < graph->outputs; i++) {
        const onnx_node *node = onnx_scope_producer(scope, graph->output[i].name);
        if (!node || state[node - graph->node] == NEEDED) continue;
        state[node - graph->node] = NEEDED;
        stack[depth++].node = node;
    }
    while (depth > 0) {
        const onnx_node *node = stack[--depth].node;
        for (size_t i = 0; i < node->reads; i++) {
            const onnx_node *producer = onnx_scope_producer(scope, node->read[i]);
            if (!producer || state[producer - graph->node] == NEEDED) continue;
            state[producer - graph->node] = NEEDED;
            stack[depth++].node = producer;
        }
    }
}

/* Places `root` behind everything it needs. */
static jm_status place(const onnx_scope *scope, const onnx_node *root, visit *stack, unsigned char *state,
                       const onnx_node **order, size_t *count)
{
    const onnx_node *first = scope->graph->node;
    size_t depth = 0;
    stack[depth++] = (visit){root, 0};
    state[root - first] = ON_STACK;
    while (depth > 0) {
        visit *top = &stack[depth - 1];
        if (top->next == top->node->reads) {
            state[top->node - first] = PLACED;
            order[(*count)++] = top->node;
            depth--;
            continue;
        }
        const char *input = top->node->read[top->next++];
        const onnx_node *producer = onnx_scope_producer(scope, input);
        if (!producer || state[producer - first] == PLACED) continue;
        if (state[producer - first] == ON_STACK) {
            return jm_error(JM_INVALID_ARGUMENT, "the graph has a cycle: %s '%s' needs '%s', which depends on it",
                            top->node->op, onnx_node_text(top->node), input);
        }
        state[producer - first] = ON_STACK;
        stack[depth++] = (visit){producer, 0};
    }
    return JM_OK;
}

/* The needed nodes, producers first; else as in the file. */
jm_status onnx_scope_order(jm_arena *arena, const onnx_scope *scope, const onnx_node ***order, size_t *count)
{
    const onnx_graph *graph = scope->graph;
    visit *stack = jm_arena_alloc(arena, graph->nodes, sizeof *stack);
    unsigned char *state = jm_arena_alloc(arena, graph->nodes, sizeof *state);
    *order = jm_arena_alloc(arena, graph->nodes, sizeof **order);
    *count = 0;
    if (!stack || !state || !*order) return JM_OUT_OF_MEMORY;
    mark_needed(scope, stack, state);
    for (size_t i = 0; i < graph->nodes; i++) {
        if (state[i] == NEEDED) JM_TRY(place(scope, &graph->node[i], stack, state, *order, count));
    }
    return JM_OK;
}
