/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "model/api.h"
#include "model/model.h"

/* "1,3,640,640" up to `end`; nothing is a scalar. */
static jm_status parse_dims(const char *text, const char *end, jm_input_shape *input)
{
    jm_shape *shape = &input->shape;
    while (text < end) {
        char *stop;
        errno = 0;
        long long dim = strtoll(text, &stop, 10);
        bool number = *text >= '0' && *text <= '9' && errno == 0 && stop <= end && (stop == end || *stop == ',');
        if (!number || shape->rank == JM_MAX_RANK) {
            return jm_error(JM_INVALID_ARGUMENT,
                            "the shape '%.*s' of input '%s' must be at most %d numbers with commas between them",
                            (int)(end - text), text, input->name, JM_MAX_RANK);
        }
        shape->dim[shape->rank++] = dim;
        text = stop == end ? end : stop + 1;
    }
    return JM_OK;
}

/* "a:1,3;b:2": names are copied to the arena. */
static jm_status parse_shapes(const char *text, jm_arena *arena, jm_input_shape **list, size_t *count)
{
    size_t capacity = 1;
    for (const char *c = text; *c; c++) capacity += *c == ';';
    *count = 0;
    *list = jm_arena_alloc(arena, capacity, sizeof(**list));
    if (!*list) return JM_OUT_OF_MEMORY;
    while (*text) {
        const char *end = strchr(text, ';');
        if (!end) end = text + strlen(text);
        const char *colon = memrchr(text, ':', (size_t)(end - text));
        if (!colon || colon == text) {
            return jm_error(JM_INVALID_ARGUMENT,
                            "the input shape '%.*s' has no name; write 'name:1,3,640,640', with ';' between inputs",
                            (int)(end - text), text);
        }
        jm_input_shape *input = &(*list)[(*count)++];
        input->name = jm_arena_strndup(arena, text, (size_t)(colon - text));
        if (!input->name) return JM_OUT_OF_MEMORY;
        JM_TRY(parse_dims(colon + 1, end, input));
        text = *end ? end + 1 : end;
    }
    return JM_OK;
}

static jm_status compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options,
                         jm_arena *arena, jm_graph **graph)
{
    jm_input_shape *shape = NULL;
    jm_compile_options inner = {.family = options->family,
                                .labels = options->labels,
                                .label_count = options->label_count,
                                .no_winograd = options->no_winograd,
                                .progress = options->progress,
                                .progress_context = options->progress_context};
    if (options->input_shapes) JM_TRY(parse_shapes(options->input_shapes, arena, &shape, &inner.input_shapes));
    inner.input_shape = shape;
    JM_TRY(jm_onnx_import(onnx_path, &inner, graph));
    JM_TRY(jm_compile(*graph, &inner));
    return jm_om_write(*graph, om_path);
}

jumar_status jumar_compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options)
{
    static const jumar_compile_options defaults;
    if (!onnx_path || !om_path) {
        return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "jumar_compile needs the path of the ONNX model and that "
                                                              "of the .om file"));
    }
    jm_arena *arena;
    jm_graph *graph = NULL;
    jm_status status = jm_arena_create(&arena);
    if (status == JM_OK) status = compile(onnx_path, om_path, options ? options : &defaults, arena, &graph);
    jm_graph_destroy(graph);
    jm_arena_destroy(arena);
    return jm_public_status(status);
}
