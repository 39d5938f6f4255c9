/* SPDX-License-Identifier: Apache-2.0
 *
 * QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, made of element-wise operators.
 */
#include "ops/quantize.h"

/* ---- Pieces ---- */

jm_status jm_emit_saturate(jm_builder *builder, jm_operand *x, jm_operand *zero_point, jm_dtype dtype,
                           jm_operand **out)
{
    const bool is_signed = dtype == JM_I8 || dtype == JM_I16;
    const double steps = jm_dtype_size(dtype) == 1 ? 256 : 65536;
    const double low = is_signed ? -steps / 2 : 0;
    const jm_named_attr bounds[] = {{"min", {.f = low}}, {"max", {.f = low + steps - 1}}};
    jm_operand *clipped = NULL;
    JM_TRY(jm_builder_unary(builder, "Round", x, &x));
    if (zero_point) {
        JM_TRY(jm_builder_cast(builder, zero_point, jm_builder_tensor(builder, x)->dtype, &zero_point));
        JM_TRY(jm_builder_binary(builder, "Add", x, zero_point, &x));
    }
    JM_TRY(jm_builder_node(builder, "Clip", &x, 1, bounds, 2, &clipped, 1));
    return jm_builder_cast(builder, clipped, dtype, out);
}

jm_status jm_emit_offset(jm_builder *builder, jm_operand *x, jm_operand *zero_point, jm_dtype dtype, jm_operand **out)
{
    JM_TRY(jm_builder_cast(builder, x, dtype, out));
    if (!zero_point) return JM_OK;
    JM_TRY(jm_builder_cast(builder, zero_point, dtype, &zero_point));
    return jm_builder_binary(builder, "Sub", *out, zero_point, out);
}

/* ---- Scales and zero points over the elements of x ---- */

enum { X, SCALE, ZERO_POINT };
enum { ATTR_AXIS, ATTR_BLOCK, ATTR_OUTPUT_DTYPE };

/* One for all, one for each index of the axis, or one for each block of the axis. */
static jm_status check_scale(const jm_call *call)
{
    const jm_shape *x = &call->in[X].shape, *scale = &call->in[SCALE].shape;
    const jm_tensor *zero_point = jm_call_in(call, ZERO_POINT);
    const int64_t block = call->attr[ATTR_BLOCK].i;
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    int64_t count;
    int axis;
    if (!(JM_DTYPES_F32 >> call->in[SCALE].dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "the scale cannot be %s", jm_dtype_text(call->in[SCALE].dtype));
    if (!jm_shape_known(x) || !jm_shape_known(scale)) return JM_OK;
    if (zero_point && !jm_shape_equal(&zero_point->shape, scale))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the scale is %s and the zero point %s", jm_shape_text(scale, a),
                             jm_shape_text(&zero_point->shape, b));
    if (block == 0 && jm_shape_count(scale, &count) == JM_OK && count == 1) return JM_OK;
    JM_TRY(jm_axis_normalise(call->attr[ATTR_AXIS].i, x->rank, &axis));
    bool fits = block == 0 ? scale->rank == 1 && scale->dim[0] == x->dim[axis]
                           : block > 0 && scale->rank == x->rank && x->rank < JM_MAX_RANK;
    for (int k = 0; block > 0 && fits && k < x->rank; k++) {
        const int64_t blocks = x->dim[k] / block + (x->dim[k] % block != 0);
        fits = scale->dim[k] == (k == axis ? blocks : x->dim[k]);
    }
    if (fits) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "a scale of shape %s does not fit %s on axis %d with blocks of %lld",
                         jm_shape_text(scale, a), jm_shape_text(x, b), axis, (long long)block);
}

/* *out = a scale or zero point as x needs it to broadcast. */
static jm_status spread(const jm_call *call, jm_builder *builder, jm_operand *value, jm_operand **out)
{
    const jm_shape *x = &call->in[X].shape, *own = &jm_builder_tensor(builder, value)->shape;
    const int64_t block = call->attr[ATTR_BLOCK].i;
    jm_shape shape = {.rank = 0}, blocks;
    int64_t count;
    int axis;
    JM_TRY(jm_shape_count(own, &count));
    if (block == 0 && count == 1) return jm_builder_reshape(builder, value, &shape, out);
    JM_TRY(jm_axis_normalise(call->attr[ATTR_AXIS].i, x->rank, &axis));
    if (block == 0) {
        shape.rank = x->rank - axis;
        for (int k = 0; k < shape.rank; k++) shape.dim[k] = k == 0 ? count : 1;
        return jm_builder_reshape(builder, value, &shape, out);
    }
    /* [.., blocks, ..] -> [.., blocks, 1, ..] -> [.., blocks, block, ..] -> [.., blocks * block, ..], cut to x. */
    shape = *own;
    shape.rank++;
    for (int k = shape.rank - 1; k > axis + 1; k--) shape.dim[k] = own->dim[k - 1];
    shape.dim[axis + 1] = 1;
    blocks = *own;
    blocks.dim[axis] *= block;
    JM_TRY(jm_builder_reshape(builder, value, &shape, &value));
    shape.dim[axis + 1] = block;
    JM_TRY(jm_builder_expand(builder, value, &shape, &value));
    JM_TRY(jm_builder_reshape(builder, value, &blocks, &value));
    return jm_builder_slice(builder, value, axis, 0, x->dim[axis], 1, out);
}

static jm_status spread_zero_point(const jm_call *call, jm_builder *builder, jm_operand **out)
{
    *out = jm_builder_input(builder, ZERO_POINT);
    return *out ? spread(call, builder, *out, out) : JM_OK;
}

/* ---- QuantizeLinear ---- */

static jm_dtype quantised_dtype(const jm_call *call)
{
    const jm_tensor *zero_point = jm_call_in(call, ZERO_POINT);
    if (zero_point) return zero_point->dtype;
    return call->attr[ATTR_OUTPUT_DTYPE].present ? call->attr[ATTR_OUTPUT_DTYPE].dtype : JM_U8;
}

static jm_status check_quantize(const jm_call *call)
{
    if (!(JM_DTYPES_QUANTISED >> quantised_dtype(call) & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "the result cannot be %s", jm_dtype_text(quantised_dtype(call)));
    return check_scale(call);
}

static jm_status infer_quantize(jm_call *call)
{
    call->out[0].dtype = quantised_dtype(call);
    call->out[0].shape = call->in[X].shape;
    return JM_OK;
}

static jm_status lower_quantize(const jm_call *call, jm_builder *builder)
{
    jm_operand *x = jm_builder_input(builder, X), *scale = jm_builder_input(builder, SCALE), *zero_point;
    JM_TRY(spread_zero_point(call, builder, &zero_point));
    JM_TRY(spread(call, builder, scale, &scale));
    JM_TRY(jm_builder_cast(builder, x, JM_F32, &x));
    JM_TRY(jm_builder_cast(builder, scale, JM_F32, &scale));
    JM_TRY(jm_builder_binary(builder, "Div", x, scale, &x));
    JM_TRY(jm_emit_saturate(builder, x, zero_point, quantised_dtype(call), &x));
    return jm_builder_finish(builder, x, 0);
}

#define SCALE_ATTRIBUTES                                                                                               \
    {.name = "axis", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .i = 1, .doc = "of scales that are a list or blocks"}, \
        {.name = "block_size", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "elements with one scale; 0: a list"}, \
    {                                                                                                                  \
        .name = "output_dtype", .kind = JM_PARAM_DTYPE, .flags = JM_OPTIONAL, .i = -1, .doc = "type of y"              \
    }

static const jm_param quantize_param[] = {
    {.name = "x", .kind = JM_PARAM_INPUT, .doc = "numbers"},
    {.name = "y_scale", .kind = JM_PARAM_INPUT, .doc = "one element, a list for the axis, or blocks of the axis"},
    {.name = "y_zero_point", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "of the shape of y_scale; its type is y's"},
    {.name = "y", .kind = JM_PARAM_OUTPUT, .doc = "uint8 when nothing else is said"},
    SCALE_ATTRIBUTES,
};

const jm_op jm_op_quantize_linear = {
    .name = "QuantizeLinear",
    .param = quantize_param,
    .params = JM_COUNT(quantize_param),
    .dtypes = JM_DTYPES_F32 | 1u << JM_I32,
    .formula = "saturate(round(x / scale) + zero point), ties to even, in float32",
    .source = "ONNX QuantizeLinear-25",
    .pointwise = true,
    .check = check_quantize,
    .infer = infer_quantize,
    .lower = lower_quantize,
};

/* ---- DequantizeLinear ---- */

static jm_status check_dequantize(const jm_call *call)
{
    const jm_tensor *zero_point = jm_call_in(call, ZERO_POINT);
    if (zero_point && zero_point->dtype != call->in[X].dtype)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "x is %s and the zero point %s", jm_dtype_text(call->in[X].dtype),
                             jm_dtype_text(zero_point->dtype));
    return check_scale(call);
}

static jm_status infer_dequantize(jm_call *call)
{
    const jm_attr *dtype = &call->attr[ATTR_OUTPUT_DTYPE];
    call->out[0].dtype = dtype->present ? dtype->dtype : call->in[SCALE].dtype;
    call->out[0].shape = call->in[X].shape;
    return JM_OK;
}

static jm_status lower_dequantize(const jm_call *call, jm_builder *builder)
{
    jm_operand *x = jm_builder_input(builder, X), *scale = jm_builder_input(builder, SCALE), *zero_point;
    JM_TRY(spread_zero_point(call, builder, &zero_point));
    JM_TRY(spread(call, builder, scale, &scale));
    JM_TRY(jm_builder_cast(builder, scale, JM_F32, &scale));
    JM_TRY(jm_emit_offset(builder, x, zero_point, JM_F32, &x));
    JM_TRY(jm_builder_binary(builder, "Mul", x, scale, &x));
    JM_TRY(jm_builder_cast(builder, x, call->out[0].dtype, &x));
    return jm_builder_finish(builder, x, 0);
}

static const jm_param dequantize_param[] = {
    {.name = "x", .kind = JM_PARAM_INPUT, .doc = "quantised numbers"},
    {.name = "x_scale", .kind = JM_PARAM_INPUT, .doc = "one element, a list for the axis, or blocks of the axis"},
    {.name = "x_zero_point", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "of the shape of x_scale and the type of x"},
    {.name = "y", .kind = JM_PARAM_OUTPUT, .doc = "in the type of the scale when nothing else is said"},
    SCALE_ATTRIBUTES,
};

const jm_op jm_op_dequantize_linear = {
    .name = "DequantizeLinear",
    .param = dequantize_param,
    .params = JM_COUNT(dequantize_param),
    .dtypes = JM_DTYPES_QUANTISED | 1u << JM_I32,
    .formula = "(x - zero point) * scale, in float32",
    .source = "ONNX DequantizeLinear-25",
    .pointwise = true,
    .check = check_dequantize,
    .infer = infer_dequantize,
    .lower = lower_dequantize,
};

/* ---- DynamicQuantizeLinear ---- */

static jm_status infer_dynamic(jm_call *call)
{
    static const jm_dtype dtype[] = {JM_U8, JM_F32, JM_U8};
    for (int i = 0; i < call->outputs; i++) call->out[i].dtype = dtype[i];
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

/* *out = the largest or smallest of all elements and 0. */
static jm_status extreme(jm_builder *builder, const char *reduce, const char *pair, jm_operand *x, jm_operand **out)
{
    const jm_named_attr drop = {"keepdims", {.i = 0}};
    jm_operand *all = NULL;
    JM_TRY(jm_builder_node(builder, reduce, &x, 1, &drop, 1, &all, 1));
    return jm_builder_with_scalar(builder, pair, all, 0, out);
}

static jm_status lower_dynamic(const jm_call *call, jm_builder *builder)
{
    (void)call;
    const double steps = 255;
    jm_operand *x = jm_builder_input(builder, 0), *low, *high, *scale, *flat, *one, *zero_point, *y;
    JM_TRY(extreme(builder, "ReduceMin", "Min", x, &low));
    JM_TRY(extreme(builder, "ReduceMax", "Max", x, &high));
    /* All zeros: a scale of 1 / 255. */
    JM_TRY(jm_builder_binary(builder, "Equal", low, high, &flat));
    JM_TRY(jm_builder_scalar(builder, JM_F32, 1, &one));
    JM_TRY(jm_builder_binary(builder, "Sub", high, low, &scale));
    jm_operand *const pick[] = {flat, one, scale};
    jm_operand *range = NULL;
    JM_TRY(jm_builder_node(builder, "Where", pick, 3, NULL, 0, &range, 1));
    JM_TRY(jm_builder_with_scalar(builder, "Div", range, steps, &scale));
    JM_TRY(jm_builder_unary(builder, "Neg", low, &zero_point));
    JM_TRY(jm_builder_binary(builder, "Div", zero_point, scale, &zero_point));
    JM_TRY(jm_emit_saturate(builder, zero_point, NULL, JM_U8, &zero_point));
    JM_TRY(jm_builder_binary(builder, "Div", x, scale, &y));
    JM_TRY(jm_emit_saturate(builder, y, zero_point, JM_U8, &y));
    JM_TRY(jm_builder_finish(builder, y, 0));
    JM_TRY(jm_builder_finish(builder, scale, 1));
    return jm_builder_finish(builder, zero_point, 2);
}

static const jm_param dynamic_param[] = {
    {.name = "x", .kind = JM_PARAM_INPUT, .doc = "float32"},
    {.name = "y", .kind = JM_PARAM_OUTPUT, .doc = "uint8, of the shape of x"},
    {.name = "y_scale", .kind = JM_PARAM_OUTPUT, .doc = "float32, one element"},
    {.name = "y_zero_point", .kind = JM_PARAM_OUTPUT, .doc = "uint8, one element"},
};

const jm_op jm_op_dynamic_quantize_linear = {
    .name = "DynamicQuantizeLinear",
    .param = dynamic_param,
    .params = JM_COUNT(dynamic_param),
    .dtypes = 1u << JM_F32,
    .formula = "scale = (max(x, 0) - min(x, 0)) / 255; zero point = saturate(round(-min / scale)); y as QuantizeLinear",
    .source = "ONNX DynamicQuantizeLinear-11",
    .infer = infer_dynamic,
    .lower = lower_dynamic,
};
