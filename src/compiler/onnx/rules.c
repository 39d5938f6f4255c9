/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an ONNX operator, in some version, is not simply ours of the same name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/onnx/convert.h"

/* Output 0 is input 0. */
static jm_status convert_alias(onnx_call *call)
{
    if (!onnx_in(call, 0)) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    call->out[0] = call->in[0];
    return JM_OK;
}

/* Inference only: the data pass through, the mask is true everywhere. */
static jm_status convert_dropout(onnx_call *call)
{
    const jm_value *training = onnx_in(call, 2);
    if (training && (!training->tensor.constant || *(const bool *)training->tensor.data)) {
        return onnx_error(call, JM_UNSUPPORTED, "training mode is not supported");
    }
    JM_TRY(convert_alias(call));
    if (!onnx_wants(call, 1)) return JM_OK;
    const jm_shape *shape = &call->in[0]->tensor.shape;
    jm_value *mask[2] = {onnx_scalar(call, JM_BOOL, 1), onnx_ints(call, shape->dim, shape->rank)};
    if (!mask[0] || !mask[1]) return JM_OUT_OF_MEMORY;
    return onnx_apply(call, "Expand", mask, 2, false, &call->out[1]);
}

/* ---- Constants ---- */

static jm_status convert_constant(onnx_call *call)
{
    jm_shape scalar = {.rank = 0}, list = {.rank = 1};
    const onnx_attr *attr = call->node->attrs == 1 ? &call->node->attr[0] : NULL;
    const char *name = attr ? attr->name : "";
    jm_value **out = &call->out[0];
    const char *out_name = onnx_wants(call, 0) ? call->node->output[0] : call->name;
    if (attr && attr->count <= INT32_MAX) list.dim[0] = (int64_t)attr->count;
    if (strcmp(name, "value") == 0 && attr->type == ONNX_ATTR_TENSOR) {
        return onnx_tensor_constant(call->graph, call->files, attr->tensor, out_name, out);
    }
    if (strcmp(name, "value_int") == 0 && attr->type == ONNX_ATTR_INT) {
        *out = jm_graph_constant(call->graph, out_name, JM_I64, &scalar, &attr->i, true);
    } else if (strcmp(name, "value_ints") == 0 && attr->type == ONNX_ATTR_INTS) {
        *out = jm_graph_constant(call->graph, out_name, JM_I64, &list, attr->ints, true);
    } else if (strcmp(name, "value_float") == 0 && attr->type == ONNX_ATTR_FLOAT) {
        *out = jm_graph_constant(call->graph, out_name, JM_F32, &scalar, &(float){(float)attr->f}, true);
    } else if (strcmp(name, "value_floats") == 0 && attr->type == ONNX_ATTR_FLOATS) {
        *out = jm_graph_constant(call->graph, out_name, JM_F32, &list, NULL, true);
        if (*out) JM_TRY(jm_convert(JM_F64, attr->floats, JM_F32, (*out)->tensor.data, attr->count));
    } else {
        return onnx_error(call, JM_UNSUPPORTED, "constants given by the attribute '%s' are not supported", name);
    }
    return *out ? JM_OK : JM_OUT_OF_MEMORY;
}

/* A scalar expanded to the shape; folding decides whether it is worth keeping. */
static jm_status convert_constant_of_shape(onnx_call *call)
{
    const onnx_attr *attr = onnx_attr_find(call, "value", ONNX_ATTR_TENSOR);
    int64_t dims[JM_MAX_RANK];
    int rank;
    jm_value *in[2] = {NULL, NULL};
    JM_TRY(onnx_ints_of(call, 0, "input", dims, JM_MAX_RANK, &rank));
    if (rank < 0) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    if (attr) {
        jm_shape scalar = {.rank = 0};
        JM_TRY(onnx_tensor_constant(call->graph, call->files, attr->tensor, call->name, &in[0]));
        in[0]->tensor.shape.dim[0] = in[0]->tensor.shape.rank == 1 ? in[0]->tensor.shape.dim[0] : 1;
        if (in[0]->tensor.shape.rank > 1 || in[0]->tensor.shape.dim[0] != 1) {
            return onnx_error(call, JM_INVALID_ARGUMENT, "attribute 'value' must be one element");
        }
        in[0]->tensor.shape = scalar;
    } else {
        in[0] = onnx_scalar(call, JM_F32, 0);
    }
    in[1] = onnx_ints(call, dims, rank);
    if (!in[0] || !in[1]) return JM_OUT_OF_MEMORY;
    return onnx_apply(call, "Expand", in, 2, true, NULL);
}

/* Shapes are known, so Shape is a constant; start and end count from the back when negative, and are clamped. */
static jm_status convert_shape(onnx_call *call)
{
    const jm_value *in = onnx_in(call, 0);
    if (!in) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const jm_shape *shape = &in->tensor.shape;
    int64_t start = onnx_attr_int(call, "start", 0), end = onnx_attr_int(call, "end", shape->rank);
    if (start < 0) start += shape->rank;
    if (end < 0) end += shape->rank;
    start = JM_MIN(JM_MAX(start, 0), shape->rank);
    end = JM_MIN(JM_MAX(end, start), shape->rank);
    call->out[0] = onnx_ints(call, shape->dim + start, (int)(end - start));
    return call->out[0] ? JM_OK : JM_OUT_OF_MEMORY;
}

static jm_status convert_size(onnx_call *call)
{
    const jm_value *in = onnx_in(call, 0);
    jm_shape scalar = {.rank = 0};
    int64_t count;
    if (!in) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    JM_TRY(jm_shape_count(&in->tensor.shape, &count));
    call->out[0] = jm_graph_constant(call->graph, call->name, JM_I64, &scalar, &count, true);
    return call->out[0] ? JM_OK : JM_OUT_OF_MEMORY;
}

/* ---- Other shapes of the same elements: all become Reshape ---- */

static jm_status convert_flatten(onnx_call *call)
{
    const jm_value *in = onnx_in(call, 0);
    if (!in) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const jm_shape *from = &in->tensor.shape;
    int64_t axis = onnx_attr_int(call, "axis", 1);
    jm_shape to = {.rank = 2, .dim = {1, 1}};
    if (axis < 0) axis += from->rank;
    if (axis < 0 || axis > from->rank) {
        return onnx_error(call, JM_INVALID_ARGUMENT, "attribute 'axis' is outside [-%d, %d]", from->rank, from->rank);
    }
    for (int k = 0; k < from->rank; k++) to.dim[k >= axis] *= from->dim[k];
    return onnx_reshape(call, call->in[0], &to, true, NULL);
}

/* Marks the axes of a list, which may count from the back of `rank`. */
static jm_status mark_axes(const onnx_call *call, const int64_t *axes, int count, int rank, bool mark[JM_MAX_RANK])
{
    for (int i = 0; i < count; i++) {
        int axis = 0;
        if (jm_axis_normalise(axes[i], rank, &axis) != JM_OK || mark[axis]) {
            return onnx_error(call, JM_INVALID_ARGUMENT, "axis %lld is given twice or outside rank %d",
                              (long long)axes[i], rank);
        }
        mark[axis] = true;
    }
    return JM_OK;
}

static jm_status convert_squeeze(onnx_call *call)
{
    const jm_value *in = onnx_in(call, 0);
    int64_t axes[JM_MAX_RANK];
    int count;
    bool drop[JM_MAX_RANK] = {false};
    jm_shape to = {.rank = 0};
    if (!in) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const jm_shape *from = &in->tensor.shape;
    JM_TRY(onnx_ints_of(call, 1, "axes", axes, JM_MAX_RANK, &count));
    JM_TRY(mark_axes(call, axes, count, from->rank, drop));
    for (int k = 0; k < from->rank; k++) {
        if (count < 0) drop[k] = from->dim[k] == 1;
        if (!drop[k]) {
            to.dim[to.rank++] = from->dim[k];
        } else if (from->dim[k] != 1) {
            char text[JM_SHAPE_TEXT];
            return onnx_error(call, JM_INVALID_ARGUMENT, "dimension %d of %s is not 1", k, jm_shape_text(from, text));
        }
    }
    return onnx_reshape(call, call->in[0], &to, true, NULL);
}

static jm_status convert_unsqueeze(onnx_call *call)
{
    const jm_value *in = onnx_in(call, 0);
    int64_t axes[JM_MAX_RANK];
    int count;
    bool fresh[JM_MAX_RANK] = {false};
    jm_shape to = {.rank = 0};
    if (!in) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const jm_shape *from = &in->tensor.shape;
    JM_TRY(onnx_ints_of(call, 1, "axes", axes, JM_MAX_RANK, &count));
    if (count < 0) return onnx_error(call, JM_INVALID_ARGUMENT, "has no axes");
    if (from->rank + count > JM_MAX_RANK) {
        return onnx_error(call, JM_UNSUPPORTED, "the result has %d dimensions; the limit is %d", from->rank + count,
                          JM_MAX_RANK);
    }
    to.rank = from->rank + count;
    JM_TRY(mark_axes(call, axes, count, to.rank, fresh));
    for (int k = 0, next = 0; k < to.rank; k++) to.dim[k] = fresh[k] ? 1 : from->dim[next++];
    return onnx_reshape(call, call->in[0], &to, true, NULL);
}

/* ---- Softmax before opset 13 worked on the matrix that Flatten(axis) gives ---- */

static jm_status convert_softmax(onnx_call *call)
{
    jm_value *in = onnx_in(call, 0);
    int axis = 0;
    jm_node *node = NULL;
    if (!in) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const jm_shape shape = in->tensor.shape;
    const bool flat = call->opset < 13;
    JM_TRY(jm_axis_normalise(onnx_attr_int(call, "axis", flat ? 1 : -1), JM_MAX(shape.rank, 1), &axis));
    int64_t after = 1;
    for (int k = axis + 1; k < shape.rank; k++) after *= shape.dim[k];
    const bool reshaped = flat && after != 1;
    if (reshaped) {
        jm_shape rows = {.rank = axis + 1};
        memcpy(rows.dim, shape.dim, sizeof rows.dim);
        rows.dim[axis] *= after;
        JM_TRY(onnx_reshape(call, in, &rows, false, &in));
    }
    JM_TRY(onnx_emit(call, call->node->op, &in, 1, 1, !reshaped, &node));
    JM_TRY(jm_node_set_int(call->graph, node, "axis", axis));
    jm_value *out = node->out[0];
    JM_TRY(onnx_settle(call, node));
    return reshaped ? onnx_reshape(call, out, &shape, true, NULL) : JM_OK;
}

/* ---- Variadic operators ---- */

/* Sum, Min and Max of many inputs: from left to right in pairs. */
static jm_status convert_chain(onnx_call *call)
{
    const char *op = strcmp(call->node->op, "Min") == 0 ? "Min" : strcmp(call->node->op, "Max") == 0 ? "Max" : "Add";
    if (call->inputs == 0) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const bool mean = strcmp(call->node->op, "Mean") == 0;
    for (size_t i = 0; i < call->inputs; i++) {
        if (!call->in[i]) return onnx_error(call, JM_INVALID_ARGUMENT, "input %zu is missing", i);
    }
    if (call->inputs == 1) return convert_alias(call);
    jm_value *sum = call->in[0];
    for (size_t i = 1; i < call->inputs; i++) {
        jm_value *in[2] = {sum, call->in[i]};
        JM_TRY(onnx_apply(call, op, in, 2, !mean && i + 1 == call->inputs, &sum));
    }
    if (!mean) return JM_OK;
    jm_value *in[2] = {sum, onnx_scalar(call, sum->tensor.dtype, (double)call->inputs)};
    return in[1] ? onnx_apply(call, "Div", in, 2, true, NULL) : JM_OUT_OF_MEMORY;
}

static jm_status convert_concat(onnx_call *call)
{
    const onnx_attr *axis = onnx_attr_find(call, "axis", ONNX_ATTR_INT);
    if (!axis) return onnx_error(call, JM_INVALID_ARGUMENT, "attribute 'axis' is missing");
    if (call->inputs == 0) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    for (size_t i = 0; i < call->inputs; i++) {
        if (!call->in[i]) return onnx_error(call, JM_INVALID_ARGUMENT, "input %zu is missing", i);
    }
    return onnx_concat(call, call->in, call->inputs, axis->i, true, &call->out[0]);
}

/* ---- Split ---- */

/* The sizes are made explicit: given, or as equal as they can be (the last is smaller from opset 18 on). */
static jm_status convert_split(onnx_call *call)
{
    jm_value *in[2] = {onnx_in(call, 0), NULL};
    int64_t sizes[JM_MAX_ARGUMENTS];
    int count, axis = 0;
    jm_node *node = NULL;
    if (!in[0]) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    const jm_shape *shape = &in[0]->tensor.shape;
    JM_TRY(onnx_ints_of(call, 1, "split", sizes, JM_MAX_ARGUMENTS, &count));
    if (jm_axis_normalise(onnx_attr_int(call, "axis", 0), shape->rank, &axis) != JM_OK) {
        return onnx_error(call, JM_INVALID_ARGUMENT, "attribute 'axis' is outside rank %d", shape->rank);
    }
    if (call->outputs == 0 || call->outputs > JM_MAX_ARGUMENTS) {
        return onnx_error(call, JM_UNSUPPORTED, "has %zu outputs; the limit is %d", call->outputs, JM_MAX_ARGUMENTS);
    }
    if (count < 0) {
        const int64_t parts = (int64_t)call->outputs, dim = shape->dim[axis];
        const int64_t size = (dim + parts - 1) / parts;
        count = (int)parts;
        for (int i = 0; i < count; i++) sizes[i] = JM_MIN(size, JM_MAX(dim - i * size, 0));
    }
    in[1] = onnx_ints(call, sizes, count);
    if (!in[1]) return JM_OUT_OF_MEMORY;
    JM_TRY(onnx_emit(call, "Split", in, 2, (int)call->outputs, true, &node));
    JM_TRY(jm_node_set_int(call->graph, node, "axis", axis));
    return onnx_settle(call, node);
}

/* ---- Reductions: axes are an attribute of ours; absent means all, empty means none ---- */

static jm_status convert_reduce(onnx_call *call)
{
    int64_t axes[JM_MAX_RANK];
    int count;
    jm_node *node = NULL;
    if (!onnx_in(call, 0)) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    JM_TRY(onnx_ints_of(call, 1, "axes", axes, JM_MAX_RANK, &count));
    JM_TRY(onnx_emit(call, call->node->op, call->in, 1, 1, true, &node));
    JM_TRY(jm_node_set_int(call->graph, node, "keepdims", onnx_attr_int(call, "keepdims", 1)));
    if (count > 0 || onnx_attr_int(call, "noop_with_empty_axes", 0)) {
        JM_TRY(jm_node_set_ints(call->graph, node, "axes", axes, JM_MAX(count, 0)));
    }
    return onnx_settle(call, node);
}

/* ---- Clip: bounds are attributes of ours; computed bounds become Max and Min ---- */

static jm_status convert_clip(onnx_call *call)
{
    jm_value *in = onnx_in(call, 0), *low = onnx_in(call, 1), *high = onnx_in(call, 2);
    if ((!low || low->tensor.constant) && (!high || high->tensor.constant)) return onnx_convert_plain(call);
    if (low) JM_TRY(onnx_apply(call, "Max", (jm_value *[]){in, low}, 2, !high, &in));
    if (high) JM_TRY(onnx_apply(call, "Min", (jm_value *[]){in, high}, 2, true, &in));
    return JM_OK;
}

/* ---- Resize ---- */

/* `scales` and `sizes` of our Resize; an empty list is an absent one. */
static jm_value *unless_empty(jm_value *value)
{
    return value && value->tensor.shape.rank == 1 && value->tensor.shape.dim[0] == 0 ? NULL : value;
}

/* Upsample and Resize-10 are Resize with the coordinates "asymmetric"; "nearest" rounds down when it enlarges and up
 * when it shrinks. */
static jm_status convert_old_resize(onnx_call *call)
{
    const onnx_attr *list = onnx_attr_find(call, "scales", ONNX_ATTR_FLOATS);
    const char *mode = onnx_attr_text(call, "mode", "nearest");
    jm_value *in[3] = {onnx_in(call, 0), NULL, onnx_in(call, 1)};
    jm_node *node = NULL;
    if (!in[0]) return onnx_error(call, JM_INVALID_ARGUMENT, "has no input");
    if (list) {
        jm_shape shape = {.rank = 1, .dim = {(int64_t)list->count}};
        in[2] = jm_graph_constant(call->graph, call->name, JM_F32, &shape, NULL, true);
        if (!in[2]) return JM_OUT_OF_MEMORY;
        JM_TRY(jm_convert(JM_F64, list->floats, JM_F32, in[2]->tensor.data, list->count));
    }
    if (!in[2] || !in[2]->tensor.constant || in[2]->tensor.dtype != JM_F32 || in[2]->tensor.shape.rank != 1) {
        return onnx_error(call, JM_UNSUPPORTED, "'scales' must be a constant list");
    }
    bool enlarges = false, shrinks = false;
    const float *scale = in[2]->tensor.data;
    for (int64_t i = 0; i < in[2]->tensor.shape.dim[0]; i++) {
        enlarges |= scale[i] > 1;
        shrinks |= scale[i] < 1;
    }
    if (enlarges && shrinks && strcmp(mode, "nearest") == 0) {
        return onnx_error(call, JM_UNSUPPORTED, "enlarging one axis and shrinking another is not supported");
    }
    JM_TRY(onnx_emit(call, "Resize", in, 3, 1, true, &node));
    JM_TRY(jm_node_set_string(call->graph, node, "mode", strcmp(mode, "bilinear") == 0 ? "linear" : mode));
    JM_TRY(jm_node_set_string(call->graph, node, "coordinate_transformation_mode", "asymmetric"));
    JM_TRY(jm_node_set_string(call->graph, node, "nearest_mode", shrinks ? "ceil" : "floor"));
    return onnx_settle(call, node);
}

static jm_status convert_resize(onnx_call *call)
{
    if (call->opset < 11) return convert_old_resize(call);
    const char *coordinates = onnx_attr_text(call, "coordinate_transformation_mode", "half_pixel");
    for (size_t i = 1; i < call->inputs; i++) call->in[i] = unless_empty(call->in[i]);
    if (call->inputs > 1 && strcmp(coordinates, "tf_crop_and_resize") != 0) call->in[1] = NULL; /* roi has no meaning */
    return onnx_convert_plain(call);
}

/* ---- MaxPool: the indices of the maxima are an operator of their own ---- */

static jm_status convert_max_pool(onnx_call *call)
{
    static const char *const shared[] = {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"};
    const size_t outputs = call->outputs;
    jm_node *node = NULL;
    call->outputs = JM_MIN(outputs, 1);
    JM_TRY(onnx_convert_plain(call));
    call->outputs = outputs;
    if (!onnx_wants(call, 1)) return JM_OK;
    JM_TRY(onnx_emit(call, "MaxPoolIndices", call->in, 1, 1, false, &node));
    for (size_t i = 0; i < JM_COUNT(shared); i++) JM_TRY(onnx_copy_attr(call, node, shared[i]));
    JM_TRY(jm_node_set_int(call->graph, node, "storage_order", onnx_attr_int(call, "storage_order", 0)));
    call->out[1] = node->out[0];
    return onnx_settle(call, node);
}

/* ---- Names and values that changed ---- */

/* ScatterElements was called Scatter. */
static jm_status convert_scatter(onnx_call *call)
{
    return onnx_convert_as(call, "ScatterElements");
}

/* The list of activations is one text of ours. */
static jm_status convert_recurrent(onnx_call *call)
{
    char text[512] = "";
    size_t length = 0;
    const onnx_node *node = call->node;
    for (size_t i = 0; i < node->attrs; i++) {
        onnx_attr *attr = &node->attr[i];
        if (attr->type != ONNX_ATTR_STRINGS || strcmp(attr->name, "activations") != 0) continue;
        for (size_t k = 0; k < attr->count && length < sizeof text; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", k ? "," : "", attr->strings[k]);
        if (length >= sizeof text) return onnx_error(call, JM_UNSUPPORTED, "its list of activations is too long");
        *attr = (onnx_attr){.name = "activations",
                            .type = ONNX_ATTR_STRING,
                            .count = 1,
                            .s = jm_arena_strdup(call->graph->arena, text)};
        if (!attr->s) return JM_OUT_OF_MEMORY;
    }
    return onnx_convert_plain(call);
}

/* Before opset 16 there were no half pixels. */
static jm_status convert_roi_align(onnx_call *call)
{
    static const char *const sizes[] = {"output_height", "output_width", "sampling_ratio"};
    jm_node *node = NULL;
    if (call->opset >= 16) return onnx_convert_plain(call);
    JM_TRY(onnx_emit(call, "RoiAlign", call->in, (int)JM_MIN(call->inputs, 3), 1, true, &node));
    JM_TRY(jm_node_set_string(call->graph, node, "coordinate_transformation_mode", "output_half_pixel"));
    JM_TRY(jm_node_set_string(call->graph, node, "mode", onnx_attr_text(call, "mode", "avg")));
    JM_TRY(jm_node_set_float(call->graph, node, "spatial_scale", onnx_attr_float(call, "spatial_scale", 1)));
    for (size_t i = 0; i < JM_COUNT(sizes); i++)
        JM_TRY(jm_node_set_int(call->graph, node, sizes[i], onnx_attr_int(call, sizes[i], i < 2)));
    return onnx_settle(call, node);
}

/* Pad-2 calls the fill value "value". */
static jm_status convert_pad(onnx_call *call)
{
    for (size_t i = 0; i < call->node->attrs; i++) {
        onnx_attr *attr = &call->node->attr[i];
        if (strcmp(attr->name, "value") == 0) attr->name = "constant_value";
    }
    return onnx_convert_plain(call);
}

/* Cast to the type of input 1. */
static jm_status convert_cast_like(onnx_call *call)
{
    const jm_value *like = onnx_in(call, 1);
    jm_node *node = NULL;
    if (!like) return onnx_error(call, JM_INVALID_ARGUMENT, "has no second input");
    JM_TRY(onnx_emit(call, "Cast", call->in, 1, 1, true, &node));
    JM_TRY(jm_node_set_int(call->graph, node, "to", like->tensor.dtype));
    return onnx_settle(call, node);
}

/* Sorted by name. */
static const onnx_rule rules[] = {
    {"CastLike", NULL, convert_cast_like},
    {"Clip", ",min,max", convert_clip},
    {"Concat", NULL, convert_concat},
    {"Constant", NULL, convert_constant},
    {"ConstantOfShape", NULL, convert_constant_of_shape},
    {"Dropout", NULL, convert_dropout},
    {"Flatten", NULL, convert_flatten},
    {"GRU", NULL, convert_recurrent},
    {"Hardmax", NULL, convert_softmax},
    {"Identity", NULL, convert_alias},
    {"If", NULL, onnx_convert_if},
    {"LSTM", NULL, convert_recurrent},
    {"LogSoftmax", NULL, convert_softmax},
    {"Loop", NULL, onnx_convert_loop},
    {"Max", NULL, convert_chain},
    {"MaxPool", NULL, convert_max_pool},
    {"Mean", NULL, convert_chain},
    {"Min", NULL, convert_chain},
    {"Pad", ",pads,constant_value,axes", convert_pad},
    {"RNN", NULL, convert_recurrent},
    {"ReduceL1", NULL, convert_reduce},
    {"ReduceL2", NULL, convert_reduce},
    {"ReduceLogSum", NULL, convert_reduce},
    {"ReduceLogSumExp", NULL, convert_reduce},
    {"ReduceMax", NULL, convert_reduce},
    {"ReduceMean", NULL, convert_reduce},
    {"ReduceMin", NULL, convert_reduce},
    {"ReduceProd", NULL, convert_reduce},
    {"ReduceSum", NULL, convert_reduce},
    {"ReduceSumSquare", NULL, convert_reduce},
    {"Resize", ",roi,scales,sizes", convert_resize},
    {"RoiAlign", NULL, convert_roi_align},
    {"Scan", NULL, onnx_convert_scan},
    {"Scatter", NULL, convert_scatter},
    {"Shape", NULL, convert_shape},
    {"Size", NULL, convert_size},
    {"Slice", ",starts,ends,axes,steps", NULL},
    {"Softmax", NULL, convert_softmax},
    {"Split", NULL, convert_split},
    {"Squeeze", NULL, convert_squeeze},
    {"Sum", NULL, convert_chain},
    {"Unsqueeze", NULL, convert_unsqueeze},
    {"Upsample", NULL, convert_old_resize},
};

static int compare_rule(const void *name, const void *rule)
{
    return strcmp(name, ((const onnx_rule *)rule)->op);
}

const onnx_rule *onnx_rule_find(const char *op)
{
    return bsearch(op, rules, JM_COUNT(rules), sizeof rules[0], compare_rule);
}
