/* SPDX-License-Identifier: Apache-2.0 */
#include "model/variants.h"

#include <pthread.h>
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/constant_pool.h"
#include "model/aipp.h"
#include "model/boundary.h"

/* One compiled shape. */
typedef struct variant {
    jm_shape *shape; /* of all inputs */
    jm_loaded *model;
    unsigned users;
    uint64_t used; /* time of the latest use */
} variant;

struct jm_variants {
    jm_loaded *model; /* of the .om */
    jm_arena *arena;
    jm_gears gears;
    jm_shape *shape, *selected; /* of `model`, and those that were chosen last */
    jm_constant_pool *pool;
    pthread_mutex_t lock; /* of what follows; held while a shape is compiled */
    variant *variant;
    size_t count, capacity;
    uint64_t now;
};

static bool is_gear(const jm_gears *gears, size_t gear, const jm_shape *shape)
{
    for (size_t i = 0; i < gears->inputs; i++) {
        jm_shape wanted;
        jm_gears_shape(gears, gear, i, &wanted);
        if (!jm_shape_equal(&wanted, &shape[i])) return false;
    }
    return true;
}

static bool in_range(const jm_gear_input *input, const jm_shape *shape)
{
    if (shape->rank != input->low.rank) return false;
    for (int k = 0; k < shape->rank; k++) {
        const int64_t low = JM_MAX(input->low.dim[k], 1), high = input->high.dim[k];
        if (shape->dim[k] < low || (high >= 0 && shape->dim[k] > high)) return false;
    }
    return true;
}

/* Whether the shapes of all inputs are those of a gear, or in range. */
static bool takes(const jm_gears *gears, const jm_shape *shape)
{
    if (gears->kind == JM_GEAR_RANGE) {
        size_t i = 0;
        while (i < gears->inputs && in_range(&gears->input[i], &shape[i])) i++;
        return i == gears->inputs;
    }
    for (size_t gear = 0; gear < gears->count; gear++)
        if (is_gear(gears, gear, shape)) return true;
    return false;
}

/* The shapes that the .om was compiled for, in the order of the gears. */
static jm_status find_shapes(jm_variants *variants, const jm_graph *graph)
{
    const jm_gears *gears = &variants->gears;
    if (gears->kind == JM_GEAR_NONE) return JM_OK;
    size_t inputs = 0;
    for (size_t i = 0; i < graph->inputs; i++) {
        const jm_shape *shape = jm_aipp_model_shape(graph, i);
        if (!shape) continue;
        const jm_gear_input *input = jm_gears_find(gears, graph->input[i]->name);
        if (!input) return jm_error(JM_CORRUPT, "the shapes of input '%s' are not described", graph->input[i]->name);
        variants->shape[input - gears->input] = *shape;
        inputs++;
    }
    if (inputs != gears->inputs)
        return jm_error(JM_CORRUPT, "the model has %zu inputs and describes the shapes of %zu", inputs, gears->inputs);
    if (!graph->source) return jm_error(JM_CORRUPT, "the file does not hold the model that other shapes are made of");
    if (!takes(gears, variants->shape))
        return jm_error(JM_CORRUPT, "the model was compiled for a shape that it does not take");
    return JM_OK;
}

static jm_status describe(jm_variants *variants, const jm_graph *graph)
{
    JM_TRY(jm_arena_create(&variants->arena));
    JM_TRY(jm_gears_load(graph, variants->arena, &variants->gears));
    variants->shape = jm_arena_alloc(variants->arena, graph->inputs, sizeof(*variants->shape));
    variants->selected = jm_arena_alloc(variants->arena, graph->inputs, sizeof(*variants->selected));
    if (!variants->shape || !variants->selected) return JM_OUT_OF_MEMORY;
    JM_TRY(find_shapes(variants, graph));
    memcpy(variants->selected, variants->shape, graph->inputs * sizeof(*variants->shape));
    return jm_constant_pool_create(&variants->pool);
}

jm_status jm_variants_create(jm_graph *graph, jm_variants **out)
{
    *out = NULL;
    jm_variants *variants = jm_alloc(1, sizeof(*variants));
    if (!variants) {
        jm_graph_destroy(graph);
        return JM_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&variants->lock, NULL);
    jm_status status = describe(variants, graph);
    if (status == JM_OK) {
        status = jm_loaded_create(graph, &variants->model);
    } else {
        jm_graph_destroy(graph);
    }
    if (status != JM_OK) {
        jm_variants_destroy(variants);
        return status;
    }
    *out = variants;
    return JM_OK;
}

static void drop(variant *v)
{
    jm_loaded_destroy(v->model);
    jm_free(v->shape);
}

void jm_variants_destroy(jm_variants *variants)
{
    if (!variants) return;
    for (size_t i = 0; i < variants->count; i++) drop(&variants->variant[i]);
    jm_free(variants->variant);
    jm_loaded_destroy(variants->model);
    jm_constant_pool_destroy(variants->pool);
    jm_arena_destroy(variants->arena);
    pthread_mutex_destroy(&variants->lock);
    jm_free(variants);
}

jm_loaded *jm_variants_default(const jm_variants *variants)
{
    return variants->model;
}

const jm_gears *jm_variants_gears(const jm_variants *variants)
{
    return &variants->gears;
}

/* ---- Compiling a shape ---- */

static jm_status compile(const jm_variants *variants, const jm_shape *shape, jm_graph **out)
{
    const jm_graph *whole = jm_loaded_graph(variants->model);
    const size_t inputs = variants->gears.inputs;
    jm_input_shape *list = jm_alloc(inputs, sizeof(*list));
    if (!list) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < inputs; i++) list[i] = (jm_input_shape){variants->gears.input[i].name, shape[i]};
    const jm_compile_options options = {
        .input_shape = list, .input_shapes = inputs, .no_winograd = jm_graph_meta(whole, "no_winograd") != NULL};
    jm_graph *graph = NULL;
    jm_boundary boundary;
    jm_boundary_load(whole, &boundary);
    jm_status status = jm_boundary_import_memory(whole->source, whole->source_size, &boundary, &options, &graph);
    jm_free(list);
    if (status == JM_OK) {
        graph->pool = variants->pool;
        status = jm_compile(graph, &options);
    }
    if (status != JM_OK) {
        jm_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return JM_OK;
}

static bool same_shapes(const jm_variants *variants, const jm_shape *a, const jm_shape *b)
{
    for (size_t i = 0; i < variants->gears.inputs; i++)
        if (!jm_shape_equal(&a[i], &b[i])) return false;
    return true;
}

/* Drops the shapes that were wanted longest ago, until one more fits. Those in use stay. */
static void make_room(jm_variants *variants)
{
    while (variants->count >= JM_VARIANTS_KEPT) {
        variant *oldest = NULL;
        for (size_t i = 0; i < variants->count; i++) {
            variant *v = &variants->variant[i];
            if (!v->users && (!oldest || v->used < oldest->used)) oldest = v;
        }
        if (!oldest) return;
        drop(oldest);
        *oldest = variants->variant[--variants->count];
    }
}

/* Under the lock. The shape becomes the last of the list. */
static jm_status add(jm_variants *variants, const jm_shape *shape)
{
    make_room(variants);
    JM_TRY(jm_array_reserve(&variants->variant, &variants->capacity, variants->count + 1, sizeof(variant)));
    const size_t inputs = variants->gears.inputs;
    variant v = {.shape = jm_alloc(inputs, sizeof(*v.shape))};
    if (!v.shape) return JM_OUT_OF_MEMORY;
    memcpy(v.shape, shape, inputs * sizeof(*shape));
    jm_graph *graph;
    jm_status status = compile(variants, shape, &graph);
    if (status == JM_OK) status = jm_loaded_create(graph, &v.model);
    if (status != JM_OK) {
        jm_free(v.shape);
        return status;
    }
    variants->variant[variants->count++] = v;
    return JM_OK;
}

/* Under the lock. */
static jm_status acquire(jm_variants *variants, const jm_shape *shape, jm_loaded **out)
{
    size_t i = 0;
    while (i < variants->count && !same_shapes(variants, variants->variant[i].shape, shape)) i++;
    if (i == variants->count) {
        JM_TRY(add(variants, shape));
        i = variants->count - 1;
    }
    variant *v = &variants->variant[i];
    v->users++;
    v->used = ++variants->now;
    *out = v->model;
    return JM_OK;
}

jm_status jm_variants_acquire(jm_variants *variants, const jm_shape *shape, jm_loaded **out)
{
    *out = NULL;
    if (variants->gears.kind == JM_GEAR_NONE || same_shapes(variants, variants->shape, shape)) {
        *out = variants->model;
        return JM_OK;
    }
    if (!takes(&variants->gears, shape))
        return jm_error(JM_INVALID_ARGUMENT, "the model does not take inputs of this shape");
    pthread_mutex_lock(&variants->lock);
    jm_status status = acquire(variants, shape, out);
    pthread_mutex_unlock(&variants->lock);
    return status;
}

void jm_variants_release(jm_variants *variants, jm_loaded *model)
{
    if (model == variants->model) return; /* it stays as long as the variants */
    pthread_mutex_lock(&variants->lock);
    for (size_t i = 0; i < variants->count; i++)
        if (variants->variant[i].model == model) variants->variant[i].users--;
    pthread_mutex_unlock(&variants->lock);
}

jm_status jm_variants_select(jm_variants *variants, const jm_shape *shape)
{
    jm_loaded *model;
    JM_TRY(jm_variants_acquire(variants, shape, &model));
    pthread_mutex_lock(&variants->lock);
    memcpy(variants->selected, shape, variants->gears.inputs * sizeof(*shape));
    pthread_mutex_unlock(&variants->lock);
    jm_variants_release(variants, model);
    return JM_OK;
}

jm_status jm_variants_acquire_selected(jm_variants *variants, jm_loaded **out)
{
    const size_t inputs = variants->gears.inputs;
    jm_shape *shape = jm_alloc(inputs, sizeof(*shape));
    *out = NULL;
    if (!shape) return JM_OUT_OF_MEMORY;
    pthread_mutex_lock(&variants->lock);
    memcpy(shape, variants->selected, inputs * sizeof(*shape));
    pthread_mutex_unlock(&variants->lock);
    jm_status status = jm_variants_acquire(variants, shape, out);
    jm_free(shape);
    return status;
}
