/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary.h"

#include <string.h>

#include "model/aipp.h"

static const char *trim(const char *text, size_t *length)
{
    while (*length && *text == ' ') {
        text++;
        --*length;
    }
    while (*length && text[*length - 1] == ' ') --*length;
    return text;
}

/* "a;b" as texts in the arena; blanks around entries and empty entries at the end are dropped. */
static jm_status split_list(const char *text, jm_arena *arena, const char *const **entry, size_t *count)
{
    *entry = NULL;
    *count = 0;
    if (!text) return JM_OK;
    size_t capacity = 1;
    for (const char *c = text; *c; c++) capacity += *c == ';';
    const char **list = jm_arena_alloc(arena, capacity, sizeof *list);
    if (!list) return JM_OUT_OF_MEMORY;
    while (*text) {
        const char *end = strchrnul(text, ';');
        size_t length = (size_t)(end - text);
        const char *word = trim(text, &length);
        if (length == 0 && end[0] && end[1])
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001", "the list has an empty entry before '%.40s'", text);
        if (length && !(list[(*count)++] = jm_arena_strndup(arena, word, length))) return JM_OUT_OF_MEMORY;
        text = *end ? end + 1 : end;
    }
    *entry = list;
    return JM_OK;
}

/* ---- Types ---- */

static jm_status find_type(const char *text, jm_dtype *dtype)
{
    static const struct {
        const char *name;
        jm_dtype dtype;
    } types[] = {{"FP32", JM_F32},   {"FP16", JM_F16},  {"UINT8", JM_U8},   {"INT8", JM_I8},
                 {"UINT16", JM_U16}, {"INT16", JM_I16}, {"UINT32", JM_U32}, {"INT32", JM_I32},
                 {"UINT64", JM_U64}, {"INT64", JM_I64}, {"DOUBLE", JM_F64}};
    for (size_t i = 0; i < JM_COUNT(types); i++) {
        if (strcmp(types[i].name, text) != 0) continue;
        *dtype = types[i].dtype;
        return JM_OK;
    }
    return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                             "'%s' is no output type; there are FP32, FP16, UINT8, INT8, UINT16, INT16, UINT32, INT32, "
                             "UINT64, INT64 and DOUBLE",
                             text);
}

static jm_status set_input_types(jm_graph *graph, const char *list, jm_arena *arena)
{
    const char *const *name;
    size_t names;
    JM_TRY(split_list(list, arena, &name, &names));
    for (size_t i = 0; i < names; i++) {
        size_t k = 0;
        while (k < graph->inputs && strcmp(graph->input[k]->name, name[i]) != 0) k++;
        if (k == graph->inputs)
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10016", "the model has no input '%s' (one is '%s')",
                                     name[i], k ? graph->input[0]->name : "");
        const jm_dtype have = graph->input[k]->tensor.dtype;
        if (have != JM_F32 && have != JM_F16)
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                                     "input '%s' is %s; only inputs of float32 can become float16", name[i],
                                     jm_dtype_text(have));
        JM_TRY(jm_graph_cast_input(graph, k, JM_F16));
    }
    return JM_OK;
}

static jm_status set_output_types(jm_graph *graph, const char *text, const char *const *out_node, size_t out_nodes,
                                  jm_arena *arena)
{
    const char *const *entry;
    size_t entries;
    jm_dtype dtype = JM_DTYPE_NONE;
    JM_TRY(split_list(text, arena, &entry, &entries));
    if (entries == 1 && !strchr(entry[0], ':')) {
        JM_TRY(find_type(entry[0], &dtype));
        for (size_t i = 0; i < graph->outputs; i++) JM_TRY(jm_graph_cast_output(graph, i, dtype));
        return JM_OK;
    }
    for (size_t i = 0; i < entries; i++) {
        const char *colon = strrchr(entry[i], ':');
        const size_t length = colon ? (size_t)(colon - entry[i]) : 0;
        size_t k = 0;
        if (!colon)
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                                     "'%s' is neither one type for all outputs nor node:index:type", entry[i]);
        while (k < out_nodes && (strlen(out_node[k]) != length || memcmp(out_node[k], entry[i], length) != 0)) k++;
        if (k == out_nodes)
            return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                                     "'%s' gives a type to an output that the list of outputs does not have", entry[i]);
        JM_TRY(find_type(colon + 1, &dtype));
        JM_TRY(jm_graph_cast_output(graph, k, dtype));
    }
    return JM_OK;
}

/* ---- Importing ---- */

static jm_status set_types(const jm_boundary *boundary, const jm_compile_options *options, jm_arena *arena,
                           jm_graph *graph)
{
    jm_aipp_config config;
    if (boundary->aipp) {
        JM_TRY(jm_aipp_parse(boundary->aipp, strlen(boundary->aipp), arena, &config));
        JM_TRY(jm_aipp_apply(&config, boundary->fp16_inputs, graph));
    }
    JM_TRY(set_input_types(graph, boundary->fp16_inputs, arena));
    return set_output_types(graph, boundary->output_type, options->out_node, options->out_nodes, arena);
}

/* From `path`, or from memory when it is NULL. */
static jm_status import(const char *path, const void *data, size_t size, const jm_boundary *boundary,
                        const jm_compile_options *options, jm_arena *arena, jm_graph **out)
{
    jm_compile_options inner = *options;
    JM_TRY(split_list(boundary->out_nodes, arena, &inner.out_node, &inner.out_nodes));
    JM_TRY(path ? jm_onnx_import(path, &inner, out) : jm_onnx_import_memory(data, size, NULL, &inner, out));
    jm_status status = set_types(boundary, &inner, arena, *out);
    if (status == JM_OK) return JM_OK;
    jm_graph_destroy(*out);
    *out = NULL;
    return status;
}

static jm_status import_with_arena(const char *path, const void *data, size_t size, const jm_boundary *boundary,
                                   const jm_compile_options *options, jm_graph **out)
{
    jm_arena *arena;
    *out = NULL;
    JM_TRY(jm_arena_create(&arena));
    jm_status status = import(path, data, size, boundary, options, arena, out);
    jm_arena_destroy(arena);
    return status;
}

jm_status jm_boundary_import(const char *path, const jm_boundary *boundary, const jm_compile_options *options,
                             jm_graph **out)
{
    return import_with_arena(path, NULL, 0, boundary, options, out);
}

jm_status jm_boundary_import_memory(const void *data, size_t size, const jm_boundary *boundary,
                                    const jm_compile_options *options, jm_graph **out)
{
    return import_with_arena(NULL, data, size, boundary, options, out);
}

/* ---- In the .om ---- */

jm_status jm_boundary_store(const jm_boundary *boundary, jm_graph *graph)
{
    if (boundary->out_nodes) JM_TRY(jm_graph_set_meta(graph, "boundary.out_nodes", boundary->out_nodes));
    if (boundary->output_type) JM_TRY(jm_graph_set_meta(graph, "boundary.output_type", boundary->output_type));
    if (boundary->fp16_inputs) JM_TRY(jm_graph_set_meta(graph, "boundary.fp16_inputs", boundary->fp16_inputs));
    return boundary->aipp ? jm_graph_set_meta(graph, "boundary.aipp", boundary->aipp) : JM_OK;
}

void jm_boundary_load(const jm_graph *graph, jm_boundary *out)
{
    *out = (jm_boundary){jm_graph_meta(graph, "boundary.out_nodes"), jm_graph_meta(graph, "boundary.output_type"),
                         jm_graph_meta(graph, "boundary.fp16_inputs"), jm_graph_meta(graph, "boundary.aipp")};
}
