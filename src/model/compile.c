/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/compile.h"

#include "base/file.h"
#include "compiler/compiler.h"
#include "model/api.h"
#include "model/boundary.h"
#include "model/gears.h"
#include "model/model.h"

/* Options with the shapes of a gear, or with the upper limits of ranges. A dim without limit becomes `open`, the first
 * one of an input 1. */
static jm_status with_shapes(const jm_compile_options *options, const jm_gears *gears, size_t gear, int64_t open,
                             jm_arena *arena, jm_compile_options *out)
{
    jm_input_shape *input = jm_arena_alloc(arena, gears->inputs, sizeof *input);
    if (!input) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < gears->inputs; i++) {
        input[i].name = gears->input[i].name;
        jm_shape *shape = &input[i].shape;
        jm_gears_shape(gears, gear, i, shape);
        for (int k = 0; k < shape->rank; k++) {
            if (shape->dim[k] == -1) shape->dim[k] = JM_MAX(k == 0 ? 1 : open, gears->input[i].low.dim[k]);
        }
    }
    *out = *options;
    out->input_shape = input;
    out->input_shapes = gears->inputs;
    return JM_OK;
}

/* The graph that the file holds: of the only shape, of the largest gear or of the upper limits. */
static jm_status import(const char *path, const jm_compile_options *options, const jm_boundary *boundary,
                        const jm_gears *gears, jm_arena *arena, jm_compile_options *chosen, jm_graph **graph)
{
    static const int64_t open[] = {1, 32, 256}; /* the least that the model can have */
    const size_t tries = jm_gears_open(gears) ? JM_COUNT(open) : 1;
    jm_status status = JM_OK;
    for (size_t i = 0; i < tries; i++) {
        JM_TRY(with_shapes(options, gears, jm_gears_largest(gears), open[i], arena, chosen));
        status = jm_boundary_import(path, boundary, chosen, graph);
        if (status != JM_INVALID_ARGUMENT) break;
    }
    return status;
}

/* Every gear can be made of the file's bytes alone, as it will have to be. */
static jm_status check_gears(const jm_file_map *source, const jm_compile_options *options, const jm_boundary *boundary,
                             const jm_gears *gears, jm_arena *arena)
{
    for (size_t g = 0; g < gears->count; g++) {
        jm_compile_options inner;
        jm_graph *graph;
        JM_TRY(with_shapes(options, gears, g, 1, arena, &inner));
        inner.node_report = NULL; /* they were reported for the first shape */
        jm_status status = jm_boundary_import_memory(source->data, source->size, boundary, &inner, &graph);
        if (status != JM_OK) return jm_error_context(status, "size %zu of the model", g + 1);
        jm_graph_destroy(graph);
    }
    return JM_OK;
}

/* Adds what other shapes are made of, and writes the file. */
static jm_status write_with_source(jm_graph *graph, const char *onnx_path, const char *om_path,
                                   const jm_compile_options *options, const jm_boundary *boundary,
                                   const jm_gears *gears, jm_arena *arena)
{
    jm_file_map source;
    JM_TRY(jm_file_map_open(onnx_path, &source));
    graph->source = source.data;
    graph->source_size = source.size;
    jm_status status = check_gears(&source, options, boundary, gears, arena);
    if (status == JM_OK && options->no_winograd) status = jm_graph_set_meta(graph, "no_winograd", "1");
    if (status == JM_OK) status = jm_om_write(graph, om_path);
    jm_file_map_close(&source);
    return status;
}

static jm_status check_aipp(const jm_boundary *boundary, const jm_gears *gears)
{
    if (!boundary->aipp) return JM_OK;
    if (gears->kind == JM_GEAR_DIMS)
        return jm_error_numbered(JM_INVALID_ARGUMENT, "E10001",
                                 "an AIPP configuration goes with batch sizes and image sizes, not with sizes of the "
                                 "kind 'dims'");
    if (gears->kind == JM_GEAR_RANGE)
        return jm_error_numbered(JM_UNSUPPORTED, "E10055",
                                 "an AIPP configuration together with ranges of shapes is not supported; list batch "
                                 "sizes or image sizes");
    return JM_OK;
}

static jm_status compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options,
                         jm_arena *arena, jm_graph **graph)
{
    jm_gears gears;
    const jm_boundary boundary = {options->out_nodes, options->output_type, options->fp16_inputs, options->aipp};
    jm_compile_options inner = {.family = options->family,
                                .labels = options->labels,
                                .label_count = options->label_count,
                                .no_winograd = options->no_winograd,
                                .node_report = options->node,
                                .node_report_context = options->node_context,
                                .progress = options->progress,
                                .progress_context = options->progress_context};
    if ((unsigned)options->gear_kind > JUMAR_GEAR_DIMS)
        return jm_error(JM_INVALID_ARGUMENT, "gear_kind is %d, which is no jumar_gear_kind", (int)options->gear_kind);
    JM_TRY(jm_gears_parse((jm_gear_kind)options->gear_kind, options->input_shapes, options->gears, arena, &gears));
    JM_TRY(check_aipp(&boundary, &gears));
    JM_TRY(import(onnx_path, &inner, &boundary, &gears, arena, &inner, graph));
    if (!om_path) return JM_OK;
    JM_TRY(jm_boundary_store(&boundary, *graph));
    JM_TRY(jm_gears_add_rest(*graph, arena, &gears));
    JM_TRY(jm_gears_store(&gears, *graph));
    for (size_t i = 0; i < options->notes; i++)
        JM_TRY(jm_graph_set_meta(*graph, options->note[i].key, options->note[i].text));
    JM_TRY(jm_compile(*graph, &inner));
    if (gears.kind == JM_GEAR_NONE) return jm_om_write(*graph, om_path);
    return write_with_source(*graph, onnx_path, om_path, &inner, &boundary, &gears, arena);
}

/* The public numbers are the inner ones. */
_Static_assert(JUMAR_GEAR_BATCH == (int)JM_GEAR_BATCH && JUMAR_GEAR_IMAGE == (int)JM_GEAR_IMAGE &&
                   JUMAR_GEAR_DIMS == (int)JM_GEAR_DIMS,
               "gear kinds");

jumar_status jumar_compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options)
{
    static const jumar_compile_options defaults;
    if (!onnx_path)
        return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "jumar_compile needs the path of the ONNX model"));
    jm_arena *arena;
    jm_graph *graph = NULL;
    jm_status status = jm_arena_create(&arena);
    if (status == JM_OK) status = compile(onnx_path, om_path, options ? options : &defaults, arena, &graph);
    jm_graph_destroy(graph);
    jm_arena_destroy(arena);
    return jm_public_status(status);
}

const char *jumar_last_error_number(void)
{
    return jm_last_error_number();
}
