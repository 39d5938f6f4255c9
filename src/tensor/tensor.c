/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Shapes ---- */

static const int64_t count_limit = (int64_t)1 << 40;

const char *jm_shape_text(const jm_shape *shape, char text[JM_SHAPE_TEXT])
{
    size_t length = 0;
    text[length++] = '[';
    for (int k = 0; k < shape->rank; k++) {
        const char *comma = k ? "," : "";
        int n = shape->dim[k] < 0 ? snprintf(text + length, JM_SHAPE_TEXT - length, "%s?", comma)
                                  : snprintf(text + length, JM_SHAPE_TEXT - length, "%s%" PRId64, comma, shape->dim[k]);
        length += (size_t)n;
    }
    text[length++] = ']';
    text[length] = 0;
    return text;
}

bool jm_shape_equal(const jm_shape *a, const jm_shape *b)
{
    return a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof a->dim[0]) == 0;
}

bool jm_shape_known(const jm_shape *shape)
{
    for (int k = 0; k < shape->rank; k++)
        if (shape->dim[k] < 0) return false;
    return true;
}

jm_status jm_shape_count(const jm_shape *shape, int64_t *count)
{
    int64_t product = 1;
    bool zero = false, over = false;
    char text[JM_SHAPE_TEXT];
    for (int k = 0; k < shape->rank; k++) {
        if (shape->dim[k] < 0)
            return jm_error(JM_INVALID_ARGUMENT, "shape %s has an unknown or negative dimension",
                            jm_shape_text(shape, text));
        if (shape->dim[k] == 0) zero = true;
        if (__builtin_mul_overflow(product, shape->dim[k], &product) || product > count_limit) {
            over = true;
            product = 1;
        }
    }
    if (over && !zero)
        return jm_error(JM_OUT_OF_RANGE, "shape %s has more than 2^40 elements", jm_shape_text(shape, text));
    *count = zero ? 0 : product;
    return JM_OK;
}

jm_status jm_shape_broadcast(const jm_shape *a, const jm_shape *b, jm_shape *out)
{
    jm_shape result = {.rank = JM_MAX(a->rank, b->rank)};
    for (int k = 0; k < result.rank; k++) {
        int in_a = a->rank - result.rank + k, in_b = b->rank - result.rank + k;
        int64_t da = in_a < 0 ? 1 : a->dim[in_a], db = in_b < 0 ? 1 : b->dim[in_b];
        if (da == db || db == 1)
            result.dim[k] = da;
        else if (da == 1)
            result.dim[k] = db;
        else if (da < 0 || db < 0)
            result.dim[k] = JM_MAX(da, db); /* the unknown one must be 1 or equal */
        else {
            char ta[JM_SHAPE_TEXT], tb[JM_SHAPE_TEXT];
            return jm_error(JM_INVALID_ARGUMENT, "shapes %s and %s do not broadcast: %" PRId64 " against %" PRId64,
                            jm_shape_text(a, ta), jm_shape_text(b, tb), da, db);
        }
    }
    *out = result;
    return JM_OK;
}

jm_status jm_axis_normalise(int64_t axis, int rank, int *out)
{
    if (axis < -(int64_t)rank || axis >= rank)
        return jm_error(JM_OUT_OF_RANGE, "axis %" PRId64 " is outside a tensor of rank %d", axis, rank);
    *out = (int)(axis < 0 ? axis + rank : axis);
    return JM_OK;
}

/* ---- Channel maps ---- */

int64_t jm_channel_blocks(int64_t channels, const jm_channel_map *map)
{
    return map ? map->blocks : (channels + JM_LANES - 1) / JM_LANES;
}

int jm_block_count(int64_t channels, const jm_channel_map *map, int64_t block)
{
    return map ? map->count[block] : (int)JM_MIN(channels - block * JM_LANES, JM_LANES);
}

bool jm_channel_map_equal(const jm_channel_map *a, const jm_channel_map *b, int64_t channels)
{
    if (a == b) return true;
    if (jm_channel_blocks(channels, a) != jm_channel_blocks(channels, b)) return false;
    for (int64_t c = 0; c < channels; c++)
        if (jm_channel_lane(a, c) != jm_channel_lane(b, c)) return false;
    return true;
}

/* ---- Tensors ---- */

jm_status jm_tensor_init(jm_tensor *tensor, jm_dtype dtype, const jm_shape *shape, jm_layout layout,
                         const jm_channel_map *map)
{
    char text[JM_SHAPE_TEXT];
    int64_t count, step = 1;
    JM_TRY(jm_shape_count(shape, &count));
    if (layout == JM_C16 && shape->rank < 3)
        return jm_error(JM_INVALID_ARGUMENT, "shape %s cannot have channels in blocks: rank 3 or more is needed",
                        jm_shape_text(shape, text));
    if (map && layout == JM_C16 && map->channels != shape->dim[1])
        return jm_error(JM_INVALID_ARGUMENT, "a channel map for %d channels does not fit shape %s", map->channels,
                        jm_shape_text(shape, text));
    *tensor = (jm_tensor){.dtype = dtype, .layout = layout, .shape = *shape};
    if (layout == JM_C16) {
        tensor->map = map;
        step = JM_LANES;
    }
    /* Padding to whole blocks adds at most a factor of 16 to a count that is at most 2^40. */
    for (int k = shape->rank - 1; k >= 0; k--) {
        tensor->stride[k] = step;
        int64_t extent = layout == JM_C16 && k == 1 ? jm_channel_blocks(shape->dim[1], map) : shape->dim[k];
        /* A dim may be huge where another is 0. */
        if (__builtin_mul_overflow(step, JM_MAX(extent, 1), &step) || step > count_limit * JM_LANES)
            return jm_error(JM_OUT_OF_RANGE, "shape %s has more than 2^40 elements", jm_shape_text(shape, text));
    }
    return JM_OK;
}

jm_status jm_tensor_bytes(const jm_tensor *tensor, size_t *bytes)
{
    int64_t count;
    JM_TRY(jm_shape_count(&tensor->shape, &count));
    if (tensor->layout == JM_C16 && count) {
        jm_shape padded = tensor->shape;
        padded.dim[1] = jm_channel_blocks(tensor->shape.dim[1], tensor->map) * JM_LANES;
        JM_TRY(jm_shape_count(&padded, &count));
    }
    if (!jm_size_mul((size_t)count, jm_dtype_size(tensor->dtype), bytes))
        return jm_error(JM_OUT_OF_RANGE, "a tensor of %" PRId64 " elements does not fit memory", count);
    return JM_OK;
}

bool jm_tensor_contiguous(const jm_tensor *tensor)
{
    if (tensor->layout != JM_PLAIN) return false;
    int64_t step = 1;
    for (int k = tensor->shape.rank - 1; k >= 0; k--) {
        if (tensor->shape.dim[k] == 0) return true;
        if (tensor->shape.dim[k] != 1 && tensor->stride[k] != step) return false;
        step *= tensor->shape.dim[k];
    }
    return true;
}

void *jm_tensor_at(const jm_tensor *tensor, const int64_t index[JM_MAX_RANK])
{
    int64_t offset = 0;
    for (int k = 0; k < tensor->shape.rank; k++) {
        if (tensor->layout == JM_C16 && k == 1) {
            int64_t lane = jm_channel_lane(tensor->map, index[1]);
            offset += lane / JM_LANES * tensor->stride[1] + lane % JM_LANES;
        } else {
            offset += index[k] * tensor->stride[k];
        }
    }
    return (char *)tensor->data + offset * (int64_t)jm_dtype_size(tensor->dtype);
}

jm_status jm_tensor_copy(const jm_tensor *source, const jm_tensor *target)
{
    int64_t count, index[JM_MAX_RANK] = {0};
    size_t size = jm_dtype_size(source->dtype);
    if (source->dtype != target->dtype || !jm_shape_equal(&source->shape, &target->shape)) {
        char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
        return jm_error(JM_INVALID_ARGUMENT, "cannot copy %s %s to %s %s: both must be the same",
                        jm_dtype_text(source->dtype), jm_shape_text(&source->shape, a), jm_dtype_text(target->dtype),
                        jm_shape_text(&target->shape, b));
    }
    JM_TRY(jm_shape_count(&source->shape, &count));
    while (count--) {
        memcpy(jm_tensor_at(target, index), jm_tensor_at(source, index), size);
        for (int k = source->shape.rank - 1; k >= 0; k--) {
            if (++index[k] < source->shape.dim[k]) break;
            index[k] = 0;
        }
    }
    return JM_OK;
}
