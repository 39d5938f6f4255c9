/* SPDX-License-Identifier: Apache-2.0
 *
 * QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, made of element-wise operators.
 */
#include "ops/quantize.h"

/* ---- Pieces ---- */

jm_operand *jm_compose_saturate(jm_compose *c, jm_operand *x, jm_operand *zero_point, jm_dtype dtype)
{
    const bool is_signed = dtype == JM_I8 || dtype == JM_I16;
    const double steps = jm_dtype_size(dtype) == 1 ? 256 : 65536;
    const double low = is_signed ? -steps / 2 : 0;
    const jm_named_attr bounds[] = {{"min", {.f = low}}, {"max", {.f = low + steps - 1}}};
    x = jm_compose_1(c, "Round", x);
    if (zero_point) x = jm_compose_2(c, "Add", x, jm_compose_cast(c, zero_point, jm_compose_tensor(c, x)->dtype));
    return jm_compose_cast(c, jm_compose_node(c, "Clip", &x, 1, bounds, 2), dtype);
}

jm_operand *jm_compose_offset(jm_compose *c, jm_operand *x, jm_operand *zero_point, jm_dtype dtype)
{
    x = jm_compose_cast(c, x, dtype);
    return zero_point ? jm_compose_2(c, "Sub", x, jm_compose_cast(c, zero_point, dtype)) : x;
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
        return jm_call_error(call, JM_INVALID_ARGUMENT, "the scale is %s and the zero point %s",
                             jm_shape_text(scale, a), jm_shape_text(&zero_point->shape, b));
    if (block == 0 && jm_shape_count(scale, &count) == JM_OK && count == 1) return JM_OK;
    JM_TRY(jm_axis_normalise(call->attr[ATTR_AXIS].i, x->rank, &axis));
    bool fits = block == 0 ? scale->rank == 1 && scale->dim[0] == x->dim[axis]
                           : block > 0 && scale->rank == x->rank && x->rank < JM_MAX_RANK;
    for (int k = 0; block > 0 && fits && k < x->rank; k++) {
        const int64_t blocks = x->dim[k] / block + (x->dim[k] % block != 0);
        fits = scale->dim[k] == (k == axis ? blocks : x->dim[k]);
    }
    if (fits) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT,
                         "a scale of shape %s does not fit %s on axis %d with blocks of %lld", jm_shape_text(scale, a),
                         jm_shape_text(x, b), axis, (long long)block);
}

/* A scale or zero point as x needs it to broadcast; NULL when it is absent. */
static jm_operand *spread(jm_compose *c, const jm_call *call, int input)
{
    jm_operand *value = jm_compose_input(c, input);
    const jm_shape *x = &call->in[X].shape;
    const int64_t block = call->attr[ATTR_BLOCK].i;
    jm_shape shape = {.rank = 0};
    int axis = 0;
    if (!value) return NULL;
    const jm_shape own = *jm_compose_shape(c, value);
    if (block == 0 && jm_tensor_elements(&call->in[input]) == 1) return jm_compose_reshape(c, value, &shape);
    if (c->status == JM_OK) c->status = jm_axis_normalise(call->attr[ATTR_AXIS].i, x->rank, &axis);
    if (block == 0) {
        shape.rank = x->rank - axis;
        for (int k = 0; k < shape.rank; k++) shape.dim[k] = k == 0 ? own.dim[0] : 1;
        return jm_compose_reshape(c, value, &shape);
    }
    /* [.., blocks, ..] -> [.., blocks, 1, ..] -> [.., blocks, block, ..] -> [.., blocks * block, ..], cut to x. */
    shape = own;
    shape.rank++;
    for (int k = shape.rank - 1; k > axis + 1; k--) shape.dim[k] = own.dim[k - 1];
    shape.dim[axis + 1] = 1;
    value = jm_compose_reshape(c, value, &shape);
    shape.dim[axis + 1] = block;
    value = jm_compose_expand(c, value, &shape);
    shape = own;
    shape.dim[axis] *= block;
    return jm_compose_slice(c, jm_compose_reshape(c, value, &shape), axis, 0, x->dim[axis], 1);
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
    jm_compose c = {.builder = builder};
    jm_operand *x = jm_compose_cast(&c, jm_compose_input(&c, X), JM_F32);
    jm_operand *scale = jm_compose_cast(&c, spread(&c, call, SCALE), JM_F32);
    jm_operand *ratio = jm_compose_2(&c, "Div", x, scale), *zero_point = spread(&c, call, ZERO_POINT);
    jm_compose_result(&c, 0, jm_compose_saturate(&c, ratio, zero_point, quantised_dtype(call)));
    return jm_compose_end(&c);
}

#define SCALE_ATTRIBUTES                                                                                               \
    {.name = "axis",                                                                                                   \
     .kind = JM_PARAM_INT,                                                                                             \
     .flags = JM_OPTIONAL,                                                                                             \
     .i = 1,                                                                                                           \
     .doc = "of scales that are a list or blocks"},                                                                    \
        {.name = "block_size",                                                                                         \
         .kind = JM_PARAM_INT,                                                                                         \
         .flags = JM_OPTIONAL,                                                                                         \
         .doc = "elements with one scale; 0: a list"},                                                                 \
    {                                                                                                                  \
        .name = "output_dtype", .kind = JM_PARAM_DTYPE, .flags = JM_OPTIONAL, .i = -1, .doc = "type of y"              \
    }

static const jm_param quantize_param[] = {
    {.name = "x", .kind = JM_PARAM_INPUT, .doc = "numbers"},
    {.name = "y_scale", .kind = JM_PARAM_INPUT, .doc = "one element, a list for the axis, or blocks of the axis"},
    {.name = "y_zero_point",
     .kind = JM_PARAM_INPUT,
     .flags = JM_OPTIONAL,
     .doc = "of the shape of y_scale; its type is y's"},
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
        return jm_call_error(call, JM_INVALID_ARGUMENT, "x is %s and the zero point %s",
                             jm_dtype_text(call->in[X].dtype), jm_dtype_text(zero_point->dtype));
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
    jm_compose c = {.builder = builder};
    jm_operand *scale = jm_compose_cast(&c, spread(&c, call, SCALE), JM_F32);
    jm_operand *x = jm_compose_offset(&c, jm_compose_input(&c, X), spread(&c, call, ZERO_POINT), JM_F32);
    jm_compose_result(&c, 0, jm_compose_cast(&c, jm_compose_2(&c, "Mul", x, scale), call->out[0].dtype));
    return jm_compose_end(&c);
}

static const jm_param dequantize_param[] = {
    {.name = "x", .kind = JM_PARAM_INPUT, .doc = "quantised numbers"},
    {.name = "x_scale", .kind = JM_PARAM_INPUT, .doc = "one element, a list for the axis, or blocks of the axis"},
    {.name = "x_zero_point",
     .kind = JM_PARAM_INPUT,
     .flags = JM_OPTIONAL,
     .doc = "of the shape of x_scale and the type of x"},
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

/* The largest or smallest of all elements and 0. */
static jm_operand *extreme(jm_compose *c, const char *reduce, const char *pair, jm_operand *x)
{
    const jm_named_attr drop = {"keepdims", {.i = 0}};
    return jm_compose_with(c, pair, jm_compose_node(c, reduce, &x, 1, &drop, 1), 0);
}

static jm_status lower_dynamic(const jm_call *call, jm_builder *builder)
{
    (void)call;
    jm_compose c = {.builder = builder};
    jm_operand *x = jm_compose_input(&c, 0);
    jm_operand *low = extreme(&c, "ReduceMin", "Min", x), *high = extreme(&c, "ReduceMax", "Max", x);
    /* All zeros: a scale of 1 / 255. */
    jm_operand *range = jm_compose_3(&c, "Where", jm_compose_2(&c, "Equal", low, high),
                                     jm_compose_scalar(&c, JM_F32, 1), jm_compose_2(&c, "Sub", high, low));
    jm_operand *scale = jm_compose_with(&c, "Div", range, 255);
    jm_operand *ratio = jm_compose_2(&c, "Div", jm_compose_1(&c, "Neg", low), scale);
    jm_operand *zero_point = jm_compose_saturate(&c, ratio, NULL, JM_U8);
    jm_compose_result(&c, 0, jm_compose_saturate(&c, jm_compose_2(&c, "Div", x, scale), zero_point, JM_U8));
    jm_compose_result(&c, 1, scale);
    jm_compose_result(&c, 2, zero_point);
    return jm_compose_end(&c);
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
