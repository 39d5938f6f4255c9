/* SPDX-License-Identifier: Apache-2.0
 *
 * RoiAlign: regions of a map, whose corners are data, as small maps of one size. Every cell is the mean or the maximum
 * of samples between pixels.
 */
#include <math.h>
#include <string.h>

#include "ops/indexing.h"

enum { MAP, ROIS, BATCHES };                                                            /* inputs */
enum { COORDINATES, MODE, OUTPUT_HEIGHT, OUTPUT_WIDTH, SAMPLING_RATIO, SPATIAL_SCALE }; /* attributes */
#define MOST_SAMPLES 4096 /* along one axis of a cell; a region that needs more is an error */

typedef struct roi_state {
    jm_dtype dtype, index_dtype;
    int64_t rois, channels, batches, height, width, out_height, out_width, ratio;
    int64_t map_step[4], out_step[4], roi_step, corner_step, index_step; /* bytes */
    float scale, shift;
    bool max, at_least_one; /* a region is at least one pixel wide and high */
    size_t chunks;
} roi_state;

static jm_status roi_infer(jm_call *call)
{
    const jm_shape *map = &call->in[MAP].shape, *rois = &call->in[ROIS].shape, *batch = &call->in[BATCHES].shape;
    const int64_t height = call->attr[OUTPUT_HEIGHT].i, width = call->attr[OUTPUT_WIDTH].i;
    const char *mode = call->attr[MODE].s, *coordinates = call->attr[COORDINATES].s;
    if (map->rank != 4 || rois->rank != 2 || rois->dim[1] != 4 || batch->rank != 1 || batch->dim[0] != rois->dim[0])
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "X must have 4 dimensions, rois be [R, 4] and batch_indices [R]");
    if (call->in[ROIS].dtype != call->in[MAP].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "X and rois have different types");
    JM_TRY(jm_index_check(call, BATCHES));
    if (height < 1 || width < 1 || height > 1 << 20 || width > 1 << 20 || call->attr[SAMPLING_RATIO].i < 0 ||
        call->attr[SAMPLING_RATIO].i > MOST_SAMPLES)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "output of %lld x %lld with %lld samples is not possible",
                             (long long)height, (long long)width, (long long)call->attr[SAMPLING_RATIO].i);
    if (strcmp(mode, "avg") != 0 && strcmp(mode, "max") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "mode '%s' is not avg or max", mode);
    if (strcmp(coordinates, "half_pixel") != 0 && strcmp(coordinates, "output_half_pixel") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT,
                             "coordinate_transformation_mode '%s' is not half_pixel or output_half_pixel", coordinates);
    call->out[0].dtype = call->in[MAP].dtype;
    call->out[0].shape = (jm_shape){.rank = 4, .dim = {rois->dim[0], map->dim[1], height, width}};
    return JM_OK;
}

static jm_status roi_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                          jm_plan *plan)
{
    (void)form;
    roi_state *s = jm_arena_alloc(arena, 1, sizeof(*s));
    const jm_tensor *map = &call->in[MAP], *out = &call->out[0];
    if (!s) return JM_OUT_OF_MEMORY;
    plan->state = s;
    s->dtype = map->dtype;
    s->index_dtype = call->in[BATCHES].dtype;
    s->batches = map->shape.dim[0];
    s->channels = map->shape.dim[1];
    s->height = map->shape.dim[2];
    s->width = map->shape.dim[3];
    s->rois = out->shape.dim[0];
    s->out_height = out->shape.dim[2];
    s->out_width = out->shape.dim[3];
    if (s->height > INT32_MAX || s->width > INT32_MAX) return jm_call_error(call, JM_OUT_OF_RANGE, "X is too large");
    for (int k = 0; k < 4; k++) {
        s->map_step[k] = jm_byte_stride(map, k);
        s->out_step[k] = jm_byte_stride(out, k);
    }
    s->roi_step = jm_byte_stride(&call->in[ROIS], 0);
    s->corner_step = jm_byte_stride(&call->in[ROIS], 1);
    s->index_step = jm_byte_stride(&call->in[BATCHES], 0);
    s->ratio = call->attr[SAMPLING_RATIO].i;
    s->scale = (float)call->attr[SPATIAL_SCALE].f;
    s->max = strcmp(call->attr[MODE].s, "max") == 0;
    s->at_least_one = strcmp(call->attr[COORDINATES].s, "half_pixel") != 0;
    s->shift = s->at_least_one ? 0 : 0.5f;
    const double samples = (double)JM_MAX(s->ratio * s->ratio, 4);
    const double bytes = 16 * samples * (double)jm_tensor_elements(out);
    s->chunks = plan->chunks = jm_chunk_count(machine, bytes, s->rois * s->out_height);
    return JM_OK;
}

/* A region along one axis: cell i begins at start + i * cell and has so many samples. */
typedef struct extent {
    float start, cell;
    int64_t samples;
} extent;

static extent find_extent(const roi_state *s, const char *roi, int axis, int64_t cells)
{
    const float low = (float)jm_element_to_f64(s->dtype, roi + axis * s->corner_step);
    const float high = (float)jm_element_to_f64(s->dtype, roi + (axis + 2) * s->corner_step);
    extent e = {.start = low * s->scale - s->shift};
    float size = high * s->scale - s->shift - e.start;
    if (s->at_least_one) size = JM_MAX(size, 1.0f);
    e.cell = size / (float)cells;
    const float samples = ceilf(e.cell);
    e.samples = s->ratio ? s->ratio : samples > 0 ? (samples <= MOST_SAMPLES ? (int64_t)samples : -1) : 0;
    return e;
}

/* The two pixels around a place along one axis, and the weight of the second. False: outside. */
static bool neighbours(float x, int64_t count, int64_t pixel[2], float *weight)
{
    if (!(x >= -1 && x <= (float)count)) return false;
    x = JM_MAX(x, 0.0f);
    pixel[0] = (int64_t)x;
    pixel[1] = pixel[0] + 1;
    *weight = x - (float)pixel[0];
    if (pixel[0] < count - 1) return true;
    pixel[0] = pixel[1] = count - 1;
    *weight = 0;
    return true;
}

/* The corners of one sample with their weights. */
typedef struct sample {
    int64_t offset[4];
    float weight[4];
} sample;

static bool find_sample(const roi_state *s, float y, float x, sample *p)
{
    int64_t row[2], column[2];
    float down, right;
    if (!neighbours(y, s->height, row, &down) || !neighbours(x, s->width, column, &right)) return false;
    for (int i = 0; i < 4; i++) {
        p->offset[i] = row[i / 2] * s->map_step[2] + column[i % 2] * s->map_step[3];
        p->weight[i] = (i / 2 ? down : 1 - down) * (i % 2 ? right : 1 - right);
    }
    return true;
}

/* Adds one sample to a cell: the maximum of weighted corners, or their sum. */
static float add_sample(const roi_state *s, const sample *p, bool there, const char *map, bool first, float value)
{
    float part[4] = {0};
    for (int i = 0; i < 4 && there; i++) {
        const char *at = map + p->offset[i];
        const float x = s->dtype == JM_F32 ? *(const float *)(const void *)at : (float)jm_element_to_f64(s->dtype, at);
        part[i] = p->weight[i] * x;
    }
    if (!s->max) return value + ((part[0] + part[1]) + (part[2] + part[3]));
    for (int i = 0; i < 4; i++)
        if ((first && i == 0) || part[i] > value) value = part[i];
    return value;
}

static float cell(const roi_state *s, const extent *e, int64_t row, int64_t column, const char *map)
{
    float value = 0;
    for (int64_t i = 0; i < e[0].samples; i++) {
        const float y = e[0].start + (float)row * e[0].cell + ((float)i + 0.5f) * e[0].cell / (float)e[0].samples;
        for (int64_t j = 0; j < e[1].samples; j++) {
            const float x =
                e[1].start + (float)column * e[1].cell + ((float)j + 0.5f) * e[1].cell / (float)e[1].samples;
            sample p;
            const bool there = find_sample(s, y, x, &p);
            value = add_sample(s, &p, there, map, i == 0 && j == 0, value);
        }
    }
    return s->max ? value : value / (float)JM_MAX(e[0].samples * e[1].samples, 1);
}

static void roi_run(const jm_plan *plan, const jm_run *run)
{
    const roi_state *s = plan->state;
    int64_t begin, end;
    jm_chunk_range(s->rois * s->out_height, s->chunks, run->chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const int64_t roi = i / s->out_height, row = i % s->out_height;
        const char *corner = (const char *)run->in[ROIS] + roi * s->roi_step;
        const extent e[2] = {find_extent(s, corner, 1, s->out_height), find_extent(s, corner, 0, s->out_width)};
        const jm_index_axis axis = {s->batches, s->map_step[0]};
        int64_t offset = 0;
        const char *index = (const char *)run->in[BATCHES] + roi * s->index_step;
        if (e[0].samples < 0 || e[1].samples < 0 || !jm_index_add(&axis, s->index_dtype, index, &offset)) {
            jm_index_fault(run);
            continue;
        }
        for (int64_t c = 0; c < s->channels; c++) {
            const char *map = (const char *)run->in[MAP] + offset + c * s->map_step[1];
            char *out = (char *)run->out[0] + roi * s->out_step[0] + c * s->out_step[1] + row * s->out_step[2];
            for (int64_t x = 0; x < s->out_width; x++)
                jm_element_from_f64(s->dtype, (double)cell(s, e, row, x, map), out + x * s->out_step[3]);
        }
    }
}

static const jm_param param[] = {
    {"X", JM_PARAM_INPUT, 0, .doc = "[N, C, H, W]"},
    {"rois", JM_PARAM_INPUT, 0, .doc = "[R, 4], x1, y1, x2, y2"},
    {"batch_indices", JM_PARAM_INPUT, 0, .doc = "[R], which picture a region is in"},
    {"Y", JM_PARAM_OUTPUT, 0, .doc = "[R, C, output_height, output_width]"},
    {"coordinate_transformation_mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "half_pixel", .doc = "or output_half_pixel"},
    {"mode", JM_PARAM_STRING, JM_OPTIONAL, .s = "avg", .doc = "avg, or max of the weighted corners of all samples"},
    {"output_height", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "cells"},
    {"output_width", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "cells"},
    {"sampling_ratio", JM_PARAM_INT, JM_OPTIONAL, .doc = "samples of a cell along each axis; 0: by the region's size"},
    {"spatial_scale", JM_PARAM_FLOAT, JM_OPTIONAL, .f = 1, .doc = "from the rois' coordinates to those of X"},
};

const jm_op jm_op_roi_align = {
    .name = "RoiAlign",
    .param = param,
    .params = JM_COUNT(param),
    .dtypes = JM_DTYPES_F32,
    .formula = "mean or max of samples between pixels in each cell of a region",
    .source = "ONNX RoiAlign-22",
    .infer = roi_infer,
    .plan = roi_plan,
    .run = roi_run,
};
