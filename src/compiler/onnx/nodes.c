/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/onnx/nodes.h"

#include <stdio.h>
#include <string.h>

#define MOST_INLINED 200000 /* nodes and names of graphs inside of nodes and of functions, counted at every use */

jm_status onnx_value_of(onnx_import *import, const onnx_scope *scope, const onnx_node *node, const char *text,
                        jm_value **out)
{
    onnx_name *name = onnx_scope_find(scope, text);
    if (!name) {
        return jm_error(JM_INVALID_ARGUMENT, "%s '%s' reads '%s', which nothing produces", node->op,
                        onnx_node_text(node), text);
    }
    if (!name->value && name->initializer) {
        JM_TRY(onnx_tensor_constant(import->graph, &import->files, name->initializer, text, &name->value));
    }
    *out = name->value;
    return JM_OK;
}

static jm_status note_unknown(onnx_import *import, const onnx_scope *scope, const onnx_node *node)
{
    const char *text = *node->domain
                           ? jm_arena_printf(import->scratch, "%s.%s (a custom operator)", node->domain, node->op)
                           : jm_arena_printf(import->scratch, "%s (opset %lld)", node->op, (long long)scope->opset);
    return text ? onnx_unsupported_add(&import->unsupported, text, onnx_node_text(node)) : JM_OUT_OF_MEMORY;
}

/* Notes the last error, which says what of a known operator is missing. Its prefix names the node: kinds leave that. */
static jm_status note_error(onnx_import *import, const onnx_node *node)
{
    char prefix[512];
    const char *reason = jm_last_error();
    int length = snprintf(prefix, sizeof prefix, "%s '%s': ", node->op, onnx_node_text(node));
    if (length > 0 && (size_t)length < sizeof prefix && strncmp(reason, prefix, (size_t)length) == 0) reason += length;
    const char *text = jm_arena_printf(import->scratch, "%s: %s", node->op, reason);
    return text ? onnx_unsupported_add(&import->unsupported, text, onnx_node_text(node)) : JM_OUT_OF_MEMORY;
}

static jm_status with_inputs(const onnx_call *call, jm_status status)
{
    char text[512] = "none";
    size_t length = 0;
    for (size_t i = 0; i < call->inputs && length < sizeof text; i++) {
        char shape[JM_SHAPE_TEXT] = "absent";
        const jm_value *in = call->in[i];
        if (in) jm_shape_text(&in->tensor.shape, shape);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s%s", i ? ", " : "",
                                   in ? jm_dtype_text(in->tensor.dtype) : "", in ? " " : "", shape);
    }
    return jm_error_context(status, "importing %s '%s' (inputs: %s)", call->node->op, call->name, text);
}

static bool is_absent(const onnx_scope *scope, const char *text)
{
    const onnx_name *name = onnx_scope_find(scope, text);
    return name && name->absent;
}

/* ---- Graphs inside of nodes, and functions ---- */

/* The nodes of a scope whose inputs have values; *blocked when an output depends on an unsupported node. */
static jm_status inline_scope(onnx_import *import, onnx_scope *scope, jm_value **out, bool *blocked)
{
    static const onnx_node whole = {.op = "a graph inside of a node", .name = "output"};
    if (scope->depth > ONNX_MOST_DEPTH)
        return jm_error(JM_UNSUPPORTED, "graphs and functions inside of each other are more than %d deep",
                        ONNX_MOST_DEPTH);
    if (scope->graph->sparse_initializers) return jm_error(JM_UNSUPPORTED, "sparse initializers are not supported");
    import->inlined += scope->graph->nodes + scope->graph->initializers + scope->graph->inputs + 1;
    if (import->inlined > MOST_INLINED)
        return jm_error(JM_UNSUPPORTED, "loops and functions make more than %d nodes and names", MOST_INLINED);
    JM_TRY(onnx_import_nodes(import, scope));
    for (size_t i = 0; i < scope->graph->outputs; i++) {
        const char *text = scope->graph->output[i].name;
        JM_TRY(onnx_value_of(import, scope, &whole, text, &out[i]));
        if (is_absent(scope, text))
            return jm_error(JM_INVALID_ARGUMENT, "the output '%s' of a function is an input that is not given", text);
        *blocked = *blocked || !out[i];
    }
    return JM_OK;
}

static void bind_inputs(onnx_scope *scope, jm_value *const *in, size_t inputs)
{
    for (size_t i = 0; i < scope->graph->inputs; i++) {
        onnx_name *name = onnx_scope_find(scope, scope->graph->input[i].name);
        name->value = i < inputs ? in[i] : NULL;
        name->absent = !name->value;
    }
}

jm_status onnx_inline(onnx_call *call, const onnx_graph *graph, jm_value *const *in, size_t inputs, jm_value **out)
{
    onnx_scope scope;
    if (graph->inputs != inputs)
        return onnx_error(call, JM_INVALID_ARGUMENT, "its graph '%s' has %zu inputs and gets %zu", graph->name,
                          graph->inputs, inputs);
    jm_status status = onnx_scope_open(call->import->scratch, graph, call->scope, &scope);
    if (status == JM_OK) {
        bind_inputs(&scope, in, inputs);
        status = inline_scope(call->import, &scope, out, &call->blocked);
    }
    onnx_scope_close(&scope);
    return status;
}

static const onnx_attr *attr_of(const onnx_attr *attr, size_t attrs, const char *name)
{
    for (size_t i = 0; i < attrs; i++)
        if (strcmp(attr[i].name, name) == 0) return &attr[i];
    return NULL;
}

static jm_status bind_graph(jm_arena *arena, const onnx_function *function, const onnx_node *caller,
                            const onnx_graph *from, onnx_graph *to);

/* The attributes of a node of a function, with the values that the caller gives. */
static jm_status bind_attrs(jm_arena *arena, const onnx_function *function, const onnx_node *caller,
                            const onnx_node *from, onnx_node *to)
{
    *to = *from;
    to->attrs = 0;
    to->attr = jm_arena_alloc(arena, from->attrs, sizeof *to->attr);
    if (!to->attr) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < from->attrs; i++) {
        const onnx_attr *attr = &from->attr[i];
        if (attr->reference) {
            attr = attr_of(caller->attr, caller->attrs, from->attr[i].reference);
            if (!attr) attr = attr_of(function->fallback, function->fallbacks, from->attr[i].reference);
            if (!attr) continue; /* the operator's own default */
        }
        onnx_attr *bound = &to->attr[to->attrs++];
        *bound = *attr;
        bound->name = from->attr[i].name;
        if (attr->type != ONNX_ATTR_GRAPH || !attr->graph) continue;
        onnx_graph *inner = jm_arena_alloc(arena, 1, sizeof *inner);
        if (!inner) return JM_OUT_OF_MEMORY;
        bound->graph = inner;
        JM_TRY(bind_graph(arena, function, caller, attr->graph, inner));
    }
    return JM_OK;
}

static jm_status bind_graph(jm_arena *arena, const onnx_function *function, const onnx_node *caller,
                            const onnx_graph *from, onnx_graph *to)
{
    *to = *from;
    to->node = jm_arena_alloc(arena, from->nodes, sizeof *to->node);
    if (!to->node) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < from->nodes; i++) JM_TRY(bind_attrs(arena, function, caller, &from->node[i], &to->node[i]));
    return JM_OK;
}

/* A scope of its own: a function sees no names of its caller. */
static jm_status call_function(onnx_call *call, const onnx_function *function, onnx_scope *scope)
{
    onnx_import *import = call->import;
    onnx_graph body;
    jm_value **out = jm_arena_alloc(import->scratch, function->body.outputs, sizeof *out);
    if (!out) return JM_OUT_OF_MEMORY;
    if (call->inputs > function->body.inputs || call->outputs > function->body.outputs)
        return onnx_error(call, JM_INVALID_ARGUMENT, "the function has fewer inputs or outputs");
    JM_TRY(bind_graph(import->scratch, function, call->node, &function->body, &body));
    JM_TRY(onnx_scope_open(import->scratch, &body, NULL, scope));
    scope->opset = call->scope->opset;
    scope->depth = call->scope->depth + 1;
    for (size_t i = 0; i < function->opsets; i++)
        if (!*function->opset[i].domain) scope->opset = function->opset[i].version;
    bind_inputs(scope, call->in, call->inputs);
    JM_TRY(inline_scope(import, scope, out, &call->blocked));
    for (size_t i = 0; i < call->outputs; i++) call->out[i] = out[i];
    return JM_OK;
}

static jm_status convert_function(onnx_call *call, const onnx_function *function)
{
    onnx_scope scope = {0};
    jm_status status = call_function(call, function, &scope);
    onnx_scope_close(&scope);
    return status;
}

/* The model's own definition of the node's operator, or NULL. */
static const onnx_function *find_function(const onnx_import *import, const onnx_node *node)
{
    for (size_t i = 0; i < import->model.functions; i++) {
        const onnx_function *function = &import->model.function[i];
        if (strcmp(function->name, node->op) == 0 && strcmp(function->domain, node->domain) == 0) return function;
    }
    return NULL;
}

/* ---- Nodes ---- */

static jm_status import_node(onnx_import *import, const onnx_scope *scope, const onnx_node *node)
{
    const onnx_function *function = find_function(import, node);
    onnx_call call = {.import = import,
                      .scope = scope,
                      .graph = import->graph,
                      .files = &import->files,
                      .node = node,
                      .name = onnx_node_text(node),
                      .opset = scope->opset,
                      .inputs = node->inputs,
                      .outputs = node->outputs};
    if (!function && !onnx_node_known(node)) return note_unknown(import, scope, node);
    while (call.inputs > 0 && (!node->input[call.inputs - 1][0] || is_absent(scope, node->input[call.inputs - 1])))
        call.inputs--;
    call.in = jm_arena_alloc(import->scratch, call.inputs, sizeof *call.in);
    call.out = jm_arena_alloc(import->scratch, call.outputs, sizeof *call.out);
    if (!call.in || !call.out) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < call.inputs; i++) {
        if (!node->input[i][0] || is_absent(scope, node->input[i])) continue;
        JM_TRY(onnx_value_of(import, scope, node, node->input[i], &call.in[i]));
        if (!call.in[i]) return JM_OK; /* behind an unsupported node: nothing is known of it */
    }
    jm_status status = function ? convert_function(&call, function) : onnx_convert(&call);
    if (status == JM_UNSUPPORTED) return note_error(import, node);
    if (status != JM_OK) return with_inputs(&call, status);
    for (size_t i = 0; i < call.outputs; i++) {
        if (!node->output[i][0]) continue;
        onnx_name *name = onnx_scope_find(scope, node->output[i]);
        name->value = call.out[i];
    }
    return JM_OK;
}

/* Tells the caller of the compiler what became of a node of the model. */
static void report_node(const onnx_import *import, const onnx_node *node, jm_status status, bool unsupported)
{
    const jm_compile_options *options = import->options;
    if (!options || !options->node_report) return;
    const char *reason = status != JM_OK ? jm_last_error() : unsupported ? import->unsupported.latest : NULL;
    options->node_report(options->node_report_context, onnx_node_text(node), node->op, reason);
}

jm_status onnx_import_nodes(onnx_import *import, const onnx_scope *scope)
{
    const onnx_node **order;
    size_t count;
    JM_TRY(onnx_scope_order(import->scratch, scope, &order, &count));
    for (size_t i = 0; i < count; i++) {
        const size_t before = import->unsupported.count;
        const jm_status status = import_node(import, scope, order[i]);
        if (scope->depth == 0) report_node(import, order[i], status, import->unsupported.count > before);
        if (status != JM_OK) return status;
    }
    return JM_OK;
}
