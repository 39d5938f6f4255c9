/* SPDX-License-Identifier: Apache-2.0
 *
 * Movement that is made of other operators: EyeLike, CenterCropPad and TensorScatter.
 */
#include <string.h>

#include "ops/compose.h"

/* The numbers 0 .. count - 1 along dimension `axis` of `rank`, the others 1. */
static jm_operand *counting(jm_compose *c, int64_t count, int axis, int rank)
{
    jm_shape shape = {.rank = rank};
    for (int k = 0; k < rank; k++) shape.dim[k] = k == axis ? count : 1;
    jm_operand *list = jm_compose_3(c, "Range", jm_compose_scalar(c, JM_I64, 0),
                                    jm_compose_scalar(c, JM_I64, (double)count), jm_compose_scalar(c, JM_I64, 1));
    return jm_compose_reshape(c, list, &shape);
}

/* ---- EyeLike ---- */

static jm_status infer_eye(jm_call *call)
{
    if (call->in[0].shape.rank != 2)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the input has rank %d and must be a matrix",
                             call->in[0].shape.rank);
    call->out[0].dtype = call->attr[0].present ? call->attr[0].dtype : call->in[0].dtype;
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

static jm_status lower_eye(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape *shape = &call->out[0].shape;
    jm_operand *rows = counting(&c, shape->dim[0], 0, 2), *columns = counting(&c, shape->dim[1], 1, 2);
    jm_operand *diagonal = jm_compose_2(&c, "Add", rows, jm_compose_ints(&c, &call->attr[1].i, 1));
    jm_operand *eye = jm_compose_2(&c, "Equal", diagonal, columns);
    jm_compose_result(&c, 0, jm_compose_cast(&c, eye, call->out[0].dtype));
    return jm_compose_end(&c);
}

static const jm_param eye_param[] = {
    {.name = "input", .kind = JM_PARAM_INPUT, .doc = "a matrix, whose shape counts"},
    {.name = "output", .kind = JM_PARAM_OUTPUT, .doc = "ones on a diagonal, zeros elsewhere"},
    {.name = "dtype",
     .kind = JM_PARAM_DTYPE,
     .flags = JM_OPTIONAL,
     .i = -1,
     .doc = "of the output; absent: the input's"},
    {.name = "k", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "diagonal: 0 the main one, positive above it"},
};

const jm_op jm_op_eye_like = {
    .name = "EyeLike",
    .param = eye_param,
    .params = JM_COUNT(eye_param),
    .formula = "output[r, c] = c == r + k",
    .source = "ONNX EyeLike-9",
    .infer = infer_eye,
    .lower = lower_eye,
};

/* ---- CenterCropPad ---- */

static jm_status crop_shape(const jm_call *call, jm_shape *shape)
{
    int64_t size[JM_MAX_RANK];
    bool seen[JM_MAX_RANK] = {false};
    int count, rank = call->in[0].shape.rank, axes = call->attr[0].count;
    JM_TRY(jm_call_host_ints(call, 1, size, JM_MAX_RANK, &count));
    *shape = call->in[0].shape;
    if (count != (axes ? axes : rank))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "shape has %d numbers for %d axes", count, axes ? axes : rank);
    for (int i = 0; i < count; i++) {
        int axis;
        JM_TRY(jm_axis_normalise(axes ? call->attr[0].ints[i] : i, rank, &axis));
        if (seen[axis] || size[i] < 0)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "axis %d is there twice, or its size %lld is negative",
                                 axis, (long long)size[i]);
        seen[axis] = true;
        shape->dim[axis] = size[i];
    }
    return JM_OK;
}

static jm_status infer_crop(jm_call *call)
{
    call->out[0].dtype = call->in[0].dtype;
    return crop_shape(call, &call->out[0].shape);
}

static jm_status lower_crop(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape *from = &call->in[0].shape, *to = &call->out[0].shape;
    jm_operand *x = jm_compose_input(&c, 0);
    int64_t pads[2 * JM_MAX_RANK] = {0};
    bool padded = false;
    for (int k = 0; k < from->rank; k++) {
        const int64_t cut = from->dim[k] - to->dim[k], begin = cut / 2, more = -cut;
        if (cut > 0) x = jm_compose_slice(&c, x, k, begin, begin + to->dim[k], 1);
        if (more <= 0) continue;
        pads[k] = more / 2;
        pads[from->rank + k] = more - more / 2;
        padded = true;
    }
    if (padded) x = jm_compose_2(&c, "Pad", x, jm_compose_ints(&c, pads, 2 * from->rank));
    jm_compose_result(&c, 0, x);
    return jm_compose_end(&c);
}

static const jm_param crop_param[] = {
    {.name = "input_data", .kind = JM_PARAM_INPUT, .doc = "tensor"},
    {.name = "shape", .kind = JM_PARAM_INPUT, .flags = JM_HOST, .doc = "a size for each of the axes"},
    {.name = "output_data",
     .kind = JM_PARAM_OUTPUT,
     .doc = "the middle of the input, or the input in the middle of zeros"},
    {.name = "axes", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "in [-rank, rank); absent: all"},
};

const jm_op jm_op_center_crop_pad = {
    .name = "CenterCropPad",
    .param = crop_param,
    .params = JM_COUNT(crop_param),
    .dtype_rule = JM_DTYPE_SAME,
    .formula = "each axis is cut or padded at both ends; the odd element goes at the end",
    .source = "ONNX CenterCropPad-18",
    .infer = infer_crop,
    .lower = lower_crop,
};

/* ---- TensorScatter ---- */

enum { CACHE, UPDATE, PLACES };

static jm_status scatter_axis(const jm_call *call, int *axis, bool *circular)
{
    const jm_shape *cache = &call->in[CACHE].shape, *update = &call->in[UPDATE].shape;
    const jm_tensor *places = jm_call_in(call, PLACES);
    const char *mode = call->attr[1].s;
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    *circular = strcmp(mode, "circular") == 0;
    if (!*circular && strcmp(mode, "linear") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "mode is '%s' and must be linear or circular", mode);
    JM_TRY(jm_axis_normalise(call->attr[0].i, cache->rank, axis));
    bool fits = *axis > 0 && update->rank == cache->rank;
    for (int k = 0; fits && k < cache->rank; k++)
        fits = k == *axis ? update->dim[k] <= cache->dim[k] : update->dim[k] == cache->dim[k];
    if (!fits || call->in[UPDATE].dtype != call->in[CACHE].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "an update %s does not fit the cache %s on axis %d",
                             jm_shape_text(update, a), jm_shape_text(cache, b), *axis);
    if (places && (places->dtype != JM_I64 || places->shape.rank != 1 || places->shape.dim[0] != cache->dim[0]))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "write_indices must be one int64 for each batch");
    return JM_OK;
}

static jm_status infer_scatter(jm_call *call)
{
    int axis;
    bool circular;
    JM_TRY(scatter_axis(call, &axis, &circular));
    return jm_infer_same(call);
}

static jm_status lower_scatter(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const jm_shape *cache = &call->in[CACHE].shape, *update = &call->in[UPDATE].shape;
    int axis;
    bool circular;
    JM_TRY(scatter_axis(call, &axis, &circular));
    jm_operand *places = jm_compose_input(&c, PLACES), *index = counting(&c, update->dim[axis], axis, cache->rank);
    if (places) {
        jm_shape batches = {.rank = cache->rank, .dim = {cache->dim[0]}};
        for (int k = 1; k < cache->rank; k++) batches.dim[k] = 1;
        index = jm_compose_2(&c, "Add", index, jm_compose_reshape(&c, places, &batches));
    }
    if (circular) index = jm_compose_with(&c, "Mod", index, (double)cache->dim[axis]);
    const jm_named_attr attr = {"axis", {.i = axis}};
    jm_operand *in[] = {jm_compose_input(&c, CACHE), jm_compose_expand(&c, index, update),
                        jm_compose_input(&c, UPDATE)};
    jm_compose_result(&c, 0, jm_compose_node(&c, "ScatterElements", in, 3, &attr, 1));
    return jm_compose_end(&c);
}

static const jm_param scatter_param[] = {
    {.name = "past_cache", .kind = JM_PARAM_INPUT, .doc = "[batch, ..., sequence, ...]"},
    {.name = "update", .kind = JM_PARAM_INPUT, .doc = "as past_cache, at most as long along the axis"},
    {.name = "write_indices",
     .kind = JM_PARAM_INPUT,
     .flags = JM_OPTIONAL,
     .doc = "int64, [batch]: where updates begin; 0"},
    {.name = "present_cache", .kind = JM_PARAM_OUTPUT, .doc = "past_cache with the update"},
    {.name = "axis", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = -2, .doc = "the sequence; not the batch"},
    {.name = "mode",
     .kind = JM_PARAM_STRING,
     .flags = JM_OPTIONAL,
     .s = "linear",
     .doc = "linear or circular: past the end"},
};

const jm_op jm_op_tensor_scatter = {
    .name = "TensorScatter",
    .param = scatter_param,
    .params = JM_COUNT(scatter_param),
    .formula = "present[b, i + write_indices[b]] = update[b, i]",
    .source = "ONNX TensorScatter-24",
    .infer = infer_scatter,
    .lower = lower_scatter,
};
