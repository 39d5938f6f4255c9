/* SPDX-License-Identifier: Apache-2.0 */
#include "jumar/compile.h"

#include "compiler/compiler.h"
#include "model/api.h"
#include "model/gears.h"
#include "model/model.h"

/* Shapes for the importer: those of the largest gear, as the file holds one program. */
static jm_status choose_shapes(const jm_gears *gears, jm_arena *arena, jm_compile_options *inner)
{
    jm_input_shape *shape = jm_arena_alloc(arena, gears->inputs, sizeof *shape);
    if (!shape) return JM_OUT_OF_MEMORY;
    const size_t largest = jm_gears_largest(gears);
    for (size_t i = 0; i < gears->inputs; i++) {
        shape[i].name = gears->input[i].name;
        jm_gears_shape(gears, largest, i, &shape[i].shape);
        if (!jm_shape_known(&shape[i].shape))
            return jm_error_numbered(JM_UNSUPPORTED, "E10055",
                                     "input '%s' has a dimension of -1 without limit, which this version cannot "
                                     "compile; give a number, a range such as 1~8, or list the sizes",
                                     shape[i].name);
    }
    inner->input_shape = shape;
    inner->input_shapes = gears->inputs;
    return JM_OK;
}

static jm_status compile(const char *onnx_path, const char *om_path, const jumar_compile_options *options,
                         jm_arena *arena, jm_graph **graph)
{
    jm_gears gears;
    jm_compile_options inner = {.family = options->family,
                                .labels = options->labels,
                                .label_count = options->label_count,
                                .no_winograd = options->no_winograd,
                                .progress = options->progress,
                                .progress_context = options->progress_context};
    if ((unsigned)options->gear_kind > JUMAR_GEAR_DIMS)
        return jm_error(JM_INVALID_ARGUMENT, "gear_kind is %d, which is no jumar_gear_kind", (int)options->gear_kind);
    JM_TRY(jm_gears_parse((jm_gear_kind)options->gear_kind, options->input_shapes, options->gears, arena, &gears));
    JM_TRY(choose_shapes(&gears, arena, &inner));
    JM_TRY(jm_onnx_import(onnx_path, &inner, graph));
    JM_TRY(jm_gears_store(&gears, *graph));
    JM_TRY(jm_compile(*graph, &inner));
    return jm_om_write(*graph, om_path);
}

/* The public numbers are the inner ones. */
_Static_assert(JUMAR_GEAR_BATCH == (int)JM_GEAR_BATCH && JUMAR_GEAR_IMAGE == (int)JM_GEAR_IMAGE &&
                   JUMAR_GEAR_DIMS == (int)JM_GEAR_DIMS,
               "gear kinds");

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

const char *jumar_last_error_number(void)
{
    return jm_last_error_number();
}
