/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_kind.h"
#include "compiler/compiler.h"
#include "compiler/onnx/nodes.h"

#define OLDEST_OPSET 7
#define NEWEST_OPSET 28
#define MOST_METADATA 1000
#define MOST_FUNCTIONS 2000

/* ---- Inputs ---- */

static const jm_input_shape *shape_option(const onnx_import *import, const char *name)
{
    for (size_t i = 0; import->options && i < import->options->input_shapes; i++) {
        if (strcmp(import->options->input_shape[i].name, name) == 0) return &import->options->input_shape[i];
    }
    return NULL;
}

static bool is_graph_input(const onnx_scope *scope, const char *text)
{
    const onnx_name *name = onnx_scope_find(scope, text);
    return name && name->input && !name->initializer;
}

static jm_status check_options(const onnx_import *import, const onnx_scope *scope)
{
    for (size_t i = 0; import->options && i < import->options->input_shapes; i++) {
        const jm_input_shape *option = &import->options->input_shape[i];
        if (!is_graph_input(scope, option->name)) {
            const onnx_graph *model = scope->graph;
            size_t k = 0;
            while (k < model->inputs && !is_graph_input(scope, model->input[k].name)) k++;
            return jm_error_numbered(JM_INVALID_ARGUMENT, onnx_scope_find(scope, option->name) ? "E10017" : "E10016",
                                     "--input-shape names '%s', which is no input of the model (one is '%s')",
                                     option->name, k < model->inputs ? model->input[k].name : "");
        }
        for (int k = 0; k < option->shape.rank; k++) {
            if (option->shape.dim[k] >= 0) continue;
            return jm_error(JM_INVALID_ARGUMENT, "--input-shape %s: dimension %d is %lld and must be 0 or more",
                            option->name, k, (long long)option->shape.dim[k]);
        }
    }
    return JM_OK;
}

/* "[1,3,?,?]; give it with --input-shape input:1,3,640,640" with likely numbers for what is unknown. */
static jm_status unknown_size(const onnx_value *input, const jm_shape *shape)
{
    char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT] = "";
    size_t length = 0;
    for (int k = 0; k < shape->rank; k++) {
        const bool spatial = shape->rank == 4 && k >= 2;
        long long dim = shape->dim[k] > 0 ? shape->dim[k] : spatial ? 640 : shape->rank == 4 && k == 1 ? 3 : 1;
        length += (size_t)snprintf(want + length, sizeof want - length, "%s%lld", k ? "," : "", dim);
    }
    return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                             "input '%s' has unknown size %s; give it with --input-shape %s:%s", input->name,
                             jm_shape_text(shape, have), input->name, want);
}

static jm_status input_shape(const onnx_import *import, const onnx_value *input, jm_shape *shape)
{
    const jm_input_shape *option = shape_option(import, input->name);
    if (input->rank > JM_MAX_RANK) {
        return jm_error(JM_UNSUPPORTED, "input '%s' has %zu dimensions; the limit is %d", input->name, input->rank,
                        JM_MAX_RANK);
    }
    *shape = (jm_shape){.rank = (int)input->rank};
    /* Old exporters write 0 or -1 for a free dimension. */
    for (int k = 0; k < shape->rank; k++) shape->dim[k] = input->dim[k] > 0 ? input->dim[k] : -1;
    if (option) {
        char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
        if (input->has_shape && option->shape.rank != shape->rank) {
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10049",
                                     "input '%s' has %d dimensions %s, and --input-shape gives %d: %s", input->name,
                                     shape->rank, jm_shape_text(shape, have), option->shape.rank,
                                     jm_shape_text(&option->shape, want));
        }
        *shape = option->shape;
    } else if (!input->has_shape) {
        return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                                 "input '%s' has no shape; give it with --input-shape %s:1,3,640,640", input->name,
                                 input->name);
    }
    if (!jm_shape_known(shape)) return unknown_size(input, shape);
    int64_t count;
    if (jm_shape_count(shape, &count) != JM_OK) {
        char have[JM_SHAPE_TEXT];
        return jm_error(JM_OUT_OF_RANGE, "input '%s' of shape %s has more than 2^40 elements", input->name,
                        jm_shape_text(shape, have));
    }
    return JM_OK;
}

static jm_status import_inputs(onnx_import *import, const onnx_scope *scope)
{
    JM_TRY(check_options(import, scope));
    for (size_t i = 0; i < import->model.graph.inputs; i++) {
        const onnx_value *input = &import->model.graph.input[i];
        onnx_name *name = onnx_scope_find(scope, input->name);
        char what[160];
        jm_dtype dtype = JM_DTYPE_NONE;
        jm_shape shape;
        if (name->initializer) continue;
        snprintf(what, sizeof what, "input '%s'", input->name);
        if (!input->is_tensor) return jm_error(JM_UNSUPPORTED, "%s is not a tensor", what);
        JM_TRY(onnx_dtype(input->type, what, &dtype));
        JM_TRY(input_shape(import, input, &shape));
        jm_value *value = jm_graph_value(import->graph, input->name);
        if (!value) return JM_OUT_OF_MEMORY;
        JM_TRY(jm_tensor_init(&value->tensor, dtype, &shape, JM_PLAIN, NULL));
        JM_TRY(jm_graph_add_input(import->graph, value));
        name->value = value;
    }
    return JM_OK;
}

/* ---- Outputs ---- */

/* An output needs a storage of its own: inputs, constants and values that are outputs already are copied. */
static jm_status import_output(onnx_import *import, const onnx_scope *scope, const char *text)
{
    const onnx_name *name = onnx_scope_find(scope, text);
    jm_graph *graph = import->graph;
    static const onnx_node whole = {.op = "the graph", .name = "output"};
    jm_value *value = NULL;
    if (!name) return jm_error(JM_INVALID_ARGUMENT, "graph output '%s' is produced by nothing", text);
    JM_TRY(onnx_value_of(import, scope, &whole, text, &value));
    if (!value) return jm_error(JM_INVALID_ARGUMENT, "graph output '%s' depends on something that has no value", text);
    if (value->is_input || value->is_output || value->tensor.constant) {
        const jm_op *op = jm_op_find("Identity");
        jm_value *copy = jm_graph_value(graph, text);
        if (!op) return jm_error(JM_UNSUPPORTED, "graph output '%s' needs the operator Identity", text);
        jm_node *node = copy ? jm_graph_node(graph, op, text, &value, 1, &copy, 1) : NULL;
        if (!node) return JM_OUT_OF_MEMORY;
        JM_TRY(jm_node_infer(node));
        return jm_graph_add_output(graph, copy);
    }
    if (strcmp(value->name, text) != 0 && !(value->name = jm_arena_strdup(graph->arena, text))) return JM_OUT_OF_MEMORY;
    return jm_graph_add_output(graph, value);
}

/* Passes rename and merge nodes, but AscendCL names an output after the ONNX node that makes it: "output.<i>" keeps
 * "<node>:<index of its output>". */
static jm_status note_origin(onnx_import *import, const onnx_scope *scope, size_t output, const char *text)
{
    const onnx_node *node = onnx_scope_producer(scope, text);
    size_t index = 0;
    if (!node) return JM_OK;
    while (strcmp(node->output[index], text) != 0) index++;
    const char *key = jm_arena_printf(import->scratch, "output.%zu", output);
    const char *origin = jm_arena_printf(import->scratch, "%s:%zu", onnx_node_text(node), index);
    if (!key || !origin) return JM_OUT_OF_MEMORY;
    return jm_graph_set_meta(import->graph, key, origin);
}

/* The output that "<node>:<index>" means. NULL: no node has that name. */
static jm_status find_node_output(const onnx_graph *graph, const char *entry, const char **tensor)
{
    const char *colon = strrchr(entry, ':');
    char *end;
    *tensor = NULL;
    if (!colon || colon[1] < '0' || colon[1] > '9') return JM_OK;
    const unsigned long index = strtoul(colon + 1, &end, 10);
    const size_t length = (size_t)(colon - entry);
    if (*end) return JM_OK;
    for (size_t i = 0; i < graph->nodes; i++) {
        const onnx_node *node = &graph->node[i];
        const char *name = onnx_node_text(node);
        if (strlen(name) != length || memcmp(name, entry, length) != 0) continue;
        if (index < node->outputs && node->output[index][0]) {
            *tensor = node->output[index];
            return JM_OK;
        }
        return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001", "'%s': %s '%s' has %zu outputs", entry, node->op, name,
                                 node->outputs);
    }
    return JM_OK;
}

static jm_status choose_output(const onnx_scope *scope, const char *entry, const char **tensor, bool *by_node)
{
    *by_node = !onnx_scope_find(scope, entry);
    *tensor = entry;
    if (*by_node) JM_TRY(find_node_output(scope->graph, entry, tensor));
    if (*tensor) return JM_OK;
    return jm_error_numbered(JM_INVALID_ARGUMENT, "E10016",
                             "'%s' is neither a tensor of the model nor an output of a node (node:index)", entry);
}

/* The outputs that the options ask for take the place of the model's. */
static jm_status choose_outputs(onnx_import *import, const onnx_scope *scope)
{
    const jm_compile_options *options = import->options;
    bool by_node = false, first_by_node = false;
    if (!options || options->out_nodes == 0) return JM_OK;
    onnx_value *output = jm_arena_alloc(import->scratch, options->out_nodes, sizeof *output);
    if (!output) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < options->out_nodes; i++) {
        JM_TRY(choose_output(scope, options->out_node[i], &output[i].name, &by_node));
        if (i == 0) first_by_node = by_node;
        if (by_node != first_by_node)
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                                     "'%s': outputs are named as tensors or as node:index, not both in one list",
                                     options->out_node[i]);
    }
    import->model.graph.output = output;
    import->model.graph.outputs = options->out_nodes;
    return by_node ? jm_graph_set_meta(import->graph, "output.names", "node") : JM_OK;
}

static jm_status import_outputs(onnx_import *import, const onnx_scope *scope)
{
    const onnx_graph *model = scope->graph;
    if (model->outputs == 0) return jm_error_numbered(JM_INVALID_ARGUMENT, "E16001", "the model has no outputs");
    for (size_t i = 0; i < model->outputs; i++) {
        onnx_name *name = onnx_scope_find(scope, model->output[i].name);
        if (name && name->is_output)
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001", "two graph outputs have the name '%s'",
                                     model->output[i].name);
        if (name) name->is_output = true;
        JM_TRY(import_output(import, scope, model->output[i].name));
        JM_TRY(note_origin(import, scope, i, model->output[i].name));
    }
    return JM_OK;
}

/* ---- The model ---- */

/* *opset is that of the domain "". */
static jm_status check_model(const onnx_import *import, int64_t *opset)
{
    const onnx_model *model = &import->model;
    *opset = 1;
    for (size_t i = 0; i < model->opsets; i++) {
        if (!*model->opset[i].domain) *opset = model->opset[i].version;
    }
    if (*opset < OLDEST_OPSET) {
        return jm_error_numbered(
            JM_UNSUPPORTED, "E16005",
            "the model uses opset %lld; opset %d is the oldest that is read: convert it first, such as with "
            "onnx.version_converter",
            (long long)*opset, OLDEST_OPSET);
    }
    if (*opset > NEWEST_OPSET) {
        return jm_error_numbered(
            JM_UNSUPPORTED, "E16005",
            "the model uses opset %lld; opset %d is the newest that is read: export it with an older one, "
            "such as opset_version=17, or convert it with onnx.version_converter",
            (long long)*opset, NEWEST_OPSET);
    }
    if (model->functions > MOST_FUNCTIONS) {
        return jm_error(JM_UNSUPPORTED, "the model has %zu functions; the limit is %d", model->functions,
                        MOST_FUNCTIONS);
    }
    if (model->graph.sparse_initializers) {
        return jm_error(JM_UNSUPPORTED, "the model has %zu sparse initializers, which are not supported",
                        model->graph.sparse_initializers);
    }
    return JM_OK;
}

static jm_status import_meta(onnx_import *import)
{
    const onnx_model *model = &import->model;
    if (model->metas > MOST_METADATA) {
        return jm_error(JM_UNSUPPORTED, "the model has %zu metadata entries; the limit is %d", model->metas,
                        MOST_METADATA);
    }
    for (size_t i = 0; i < model->metas; i++) {
        const char *key = jm_arena_printf(import->scratch, "onnx.%s", model->meta[i].key);
        if (!key) return JM_OUT_OF_MEMORY;
        JM_TRY(jm_graph_set_meta(import->graph, key, model->meta[i].text));
    }
    const char *producer = jm_arena_printf(import->scratch, "%s %s", model->producer, model->producer_version);
    if (!producer) return JM_OUT_OF_MEMORY;
    return *model->producer ? jm_graph_set_meta(import->graph, "source", producer) : JM_OK;
}

/* Files of other kinds are told by their first bytes: what protobuf complains about would not help. */
static jm_status read_model(onnx_import *import, const void *data, size_t size)
{
    jm_status status = onnx_model_read(import->scratch, data, size, &import->model);
    if (status == JM_OK && !import->model.has_graph)
        status = jm_error_numbered(JM_CORRUPT, "E16004",
                                   "not an ONNX model: it holds no graph; download or export it again");
    const char *kind = status == JM_CORRUPT ? jm_file_kind(data, size) : NULL;
    return kind ? jm_error(JM_CORRUPT, "not an ONNX model: the file %s", kind) : status;
}

/* Models of one size only often break somewhere inside when another one is asked for: then the size is to blame. */
static jm_status blame_shape_option(const onnx_import *import, jm_status status)
{
    if (status != JM_INVALID_ARGUMENT) return status;
    for (size_t i = 0; i < import->model.graph.inputs; i++) {
        const onnx_value *input = &import->model.graph.input[i];
        const jm_input_shape *option = shape_option(import, input->name);
        char have[JM_SHAPE_TEXT], want[JM_SHAPE_TEXT];
        jm_shape exported = {.rank = (int)JM_MIN(input->rank, (size_t)JM_MAX_RANK)};
        for (int k = 0; k < exported.rank; k++) exported.dim[k] = input->dim[k] > 0 ? input->dim[k] : -1;
        if (!option || !jm_shape_known(&exported) || jm_shape_equal(&exported, &option->shape)) continue;
        return jm_error_context(status,
                                "input '%s' was exported as %s and --input-shape gives %s, which the rest of the model "
                                "does not fit; export it for this size",
                                input->name, jm_shape_text(&exported, have), jm_shape_text(&option->shape, want));
    }
    return status;
}

static jm_status import_graph(onnx_import *import, const onnx_scope *scope)
{
    JM_TRY(choose_outputs(import, scope));
    JM_TRY(import_inputs(import, scope));
    jm_status status = onnx_import_nodes(import, scope);
    if (status == JM_OK) status = onnx_unsupported_report(&import->unsupported);
    JM_TRY(blame_shape_option(import, status));
    JM_TRY(import_outputs(import, scope));
    return jm_graph_sweep(import->graph);
}

static jm_status run_import(onnx_import *import, const void *data, size_t size)
{
    onnx_scope scope;
    int64_t opset;
    JM_TRY(read_model(import, data, size));
    JM_TRY(check_model(import, &opset));
    import->graph->name = jm_arena_strdup(import->graph->arena, import->model.graph.name);
    if (!import->graph->name) return JM_OUT_OF_MEMORY;
    JM_TRY(import_meta(import));
    jm_status status = onnx_scope_open(import->scratch, &import->model.graph, NULL, &scope);
    scope.opset = opset;
    if (status == JM_OK) status = import_graph(import, &scope);
    onnx_scope_close(&scope);
    return status;
}

/* Imports into an empty graph. */
static jm_status import_into(jm_graph *graph, const void *data, size_t size, const char *folder,
                             const jm_compile_options *options)
{
    onnx_import import = {.graph = graph, .options = options, .files = {.folder = folder}};
    JM_TRY(jm_arena_create(&import.scratch));
    jm_status status = run_import(&import, data, size);
    onnx_unsupported_clear(&import.unsupported);
    jm_arena_destroy(import.scratch);
    return status;
}

jm_status jm_onnx_import_memory(const void *data, size_t size, const char *folder, const jm_compile_options *options,
                                jm_graph **out)
{
    *out = NULL;
    jm_graph *graph = NULL;
    JM_TRY(jm_graph_create(&graph));
    jm_status status = import_into(graph, data, size, folder, options);
    if (status != JM_OK) {
        jm_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return JM_OK;
}

static void map_close(void *context)
{
    jm_file_map_close(context);
}

/* Maps the file and hands the map to the graph. */
static jm_status open_model(jm_graph *graph, const char *path, jm_file_map **map)
{
    *map = jm_arena_alloc(graph->arena, 1, sizeof **map);
    if (!*map) return JM_OUT_OF_MEMORY;
    JM_TRY(jm_file_map_open(path, *map));
    jm_status status = jm_graph_on_destroy(graph, map_close, *map);
    if (status != JM_OK) jm_file_map_close(*map);
    return status;
}

static jm_status import_file(jm_graph *graph, const char *path, const jm_compile_options *options)
{
    jm_file_map *map = NULL;
    const char *base = jm_path_base(path);
    const char *folder = base == path ? "." : jm_arena_strndup(graph->arena, path, (size_t)(base - path));
    if (!folder) return JM_OUT_OF_MEMORY;
    JM_TRY(open_model(graph, path, &map));
    jm_status status = import_into(graph, map->data, map->size, folder, options);
    return status == JM_OK ? JM_OK : jm_error_context(status, "%s", path);
}

jm_status jm_onnx_import(const char *path, const jm_compile_options *options, jm_graph **out)
{
    *out = NULL;
    jm_graph *graph = NULL;
    JM_TRY(jm_graph_create(&graph));
    jm_status status = import_file(graph, path, options);
    if (status != JM_OK) {
        jm_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return JM_OK;
}
