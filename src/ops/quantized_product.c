/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of quantised tensors: MatMulInteger, QLinearMatMul, ConvInteger and QLinearConv. Zero points go first, the
 * sums are exact in int32, and scales follow in float64, so that the result is rounded once.
 */
#include "ops/conv.h"
#include "ops/matrix.h"
#include "ops/quantize.h"

#define BYTES (1u << JM_U8 | 1u << JM_I8)

/* Where a product finds its arguments; -1: there is none. */
typedef struct arguments {
    int a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero, bias;
} arguments;

static const arguments integer_arguments = {0, -1, 2, 1, -1, 3, -1, -1, -1};
static const arguments matmul_arguments = {0, 1, 2, 3, 4, 5, 6, 7, -1};
static const arguments conv_arguments = {0, 1, 2, 3, 4, 5, 6, 7, 8};

extern const jm_op jm_op_qlinear_matmul, jm_op_qlinear_conv;

static const arguments *arguments_of(const jm_call *call)
{
    if (call->op == &jm_op_qlinear_matmul) return &matmul_arguments;
    return call->op == &jm_op_qlinear_conv ? &conv_arguments : &integer_arguments;
}

static jm_operand *argument(const jm_compose *c, int i)
{
    return i < 0 ? NULL : jm_compose_input(c, i);
}

static jm_status check_operand(const jm_call *call, int value, int zero)
{
    const jm_tensor *zero_point = jm_call_in(call, zero);
    if (!(BYTES >> call->in[value].dtype & 1))
        return jm_call_error(call, JM_UNSUPPORTED, "input '%s' cannot be %s", jm_op_input(call->op, value)->name,
                             jm_dtype_text(call->in[value].dtype));
    if (!zero_point || zero_point->dtype == call->in[value].dtype) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "input '%s' is %s and its zero point %s",
                         jm_op_input(call->op, value)->name, jm_dtype_text(call->in[value].dtype),
                         jm_dtype_text(zero_point->dtype));
}

static jm_status check_product(const jm_call *call)
{
    const arguments *at = arguments_of(call);
    JM_TRY(check_operand(call, at->a, at->a_zero));
    JM_TRY(check_operand(call, at->b, at->b_zero));
    if (at->y_zero < 0) return JM_OK;
    const int scale[] = {at->a_scale, at->b_scale, at->y_scale};
    for (size_t i = 0; i < JM_COUNT(scale); i++) {
        const jm_dtype dtype = call->in[scale[i]].dtype;
        if (!(JM_DTYPES_FLOAT >> dtype & 1) || dtype != call->in[at->a_scale].dtype)
            return jm_call_error(call, JM_UNSUPPORTED, "the scale '%s' cannot be %s",
                                 jm_op_input(call->op, scale[i])->name, jm_dtype_text(dtype));
    }
    const jm_dtype dtype = call->in[at->y_zero].dtype;
    if (BYTES >> dtype & 1) return JM_OK;
    return jm_call_error(call, JM_UNSUPPORTED, "the result cannot be %s", jm_dtype_text(dtype));
}

static jm_dtype result_dtype(const jm_call *call)
{
    const arguments *at = arguments_of(call);
    return at->y_zero < 0 ? JM_I32 : call->in[at->y_zero].dtype;
}

/* A list with a number for each index of dimension `axis` of a tensor of `rank` dimensions, so that it broadcasts. */
static jm_operand *along(jm_compose *c, jm_operand *list, int axis, int rank)
{
    const jm_shape *own = jm_compose_shape(c, list);
    if (!list || own->rank != 1 || (own->dim[0] != 1 && axis == rank - 1)) return list;
    jm_shape shape = {.rank = own->dim[0] == 1 ? 0 : rank - axis};
    for (int k = 0; k < shape.rank; k++) shape.dim[k] = k == 0 ? own->dim[0] : 1;
    return jm_compose_reshape(c, list, &shape);
}

/* Output 0: saturate(sums * (a_scale * b_scale / y_scale) + y_zero), or the sums where nothing is scaled. */
static void finish(jm_compose *c, const jm_call *call, jm_operand *sums, jm_operand *a_scale, jm_operand *b_scale)
{
    const arguments *at = arguments_of(call);
    jm_operand *y_scale = argument(c, at->y_scale);
    if (y_scale) {
        jm_operand *scale = jm_compose_2(c, "Div", jm_compose_2(c, "Mul", a_scale, b_scale), y_scale);
        sums = jm_compose_2(c, "Mul", jm_compose_cast(c, sums, JM_F64), jm_compose_cast(c, scale, JM_F64));
        sums = jm_compose_saturate(c, sums, argument(c, at->y_zero), result_dtype(call));
    }
    jm_compose_result(c, 0, sums);
}

/* ---- Matrix products ---- */

static jm_status infer_matmul(jm_call *call)
{
    const arguments *at = arguments_of(call);
    call->out[0].dtype = result_dtype(call);
    return jm_matmul_shape(call, &call->in[at->a].shape, &call->in[at->b].shape, &call->out[0].shape);
}

static jm_status lower_matmul(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const arguments *at = arguments_of(call);
    const int rank = call->in[at->a].shape.rank, row = JM_MAX(rank - 2, 0);
    /* A list belongs to the rows of A and to the columns of B. */
    jm_operand *a_zero = along(&c, argument(&c, at->a_zero), row, rank);
    jm_operand *a = jm_compose_offset(&c, argument(&c, at->a), a_zero, JM_I32);
    jm_operand *b = jm_compose_offset(&c, argument(&c, at->b), argument(&c, at->b_zero), JM_I32);
    jm_operand *a_scale = along(&c, argument(&c, at->a_scale), row, rank);
    finish(&c, call, jm_compose_2(&c, "MatMul", a, b), a_scale, argument(&c, at->b_scale));
    return jm_compose_end(&c);
}

/* ---- Convolutions ---- */

enum { ATTR_AUTO_PAD, ATTR_DILATIONS, ATTR_GROUP, ATTR_KERNEL_SHAPE, ATTR_PADS, ATTR_STRIDES };

static jm_status infer_conv(jm_call *call)
{
    const arguments *at = arguments_of(call);
    const jm_attr *attr = call->attr;
    const jm_conv_attrs attrs = {.auto_pad = &attr[ATTR_AUTO_PAD],
                                 .dilations = &attr[ATTR_DILATIONS],
                                 .group = &attr[ATTR_GROUP],
                                 .kernel_shape = &attr[ATTR_KERNEL_SHAPE],
                                 .pads = &attr[ATTR_PADS],
                                 .strides = &attr[ATTR_STRIDES]};
    const jm_tensor in[] = {call->in[at->a], call->in[at->b]};
    jm_call plain = *call;
    jm_conv_geometry g;
    plain.in = in;
    plain.inputs = 2;
    JM_TRY(jm_conv_resolve(&plain, &attrs, &g));
    jm_shape *shape = &call->out[0].shape;
    *shape = (jm_shape){.rank = 2 + g.spatial, .dim = {g.batch, g.filters}};
    for (int k = 0; k < g.spatial; k++) shape->dim[2 + k] = g.out[3 - g.spatial + k];
    call->out[0].dtype = result_dtype(call);
    return JM_OK;
}

static jm_status lower_conv(const jm_call *call, jm_builder *builder)
{
    const arguments *at = arguments_of(call);
    const int rank = call->in[at->a].shape.rank;
    jm_named_attr attr[ATTR_STRIDES + 1];
    int attrs = 0;
    for (int i = 0; i <= ATTR_STRIDES; i++)
        if (call->attr[i].present) attr[attrs++] = (jm_named_attr){jm_op_attr(call->op, i)->name, call->attr[i]};
    jm_compose c = {.builder = builder};
    jm_operand *in[3] = {NULL, NULL, argument(&c, at->bias)};
    jm_operand *w_zero = along(&c, argument(&c, at->b_zero), 0, rank);
    in[0] = jm_compose_offset(&c, argument(&c, at->a), argument(&c, at->a_zero), JM_I32);
    in[1] = jm_compose_offset(&c, argument(&c, at->b), w_zero, JM_I32);
    jm_operand *sums = jm_compose_node(&c, "Conv", in, in[2] ? 3 : 2, attr, attrs);
    finish(&c, call, sums, argument(&c, at->a_scale), along(&c, argument(&c, at->b_scale), 1, rank));
    return jm_compose_end(&c);
}

/* ---- Tables ---- */

#define QUANTISED(text)                                                                                                \
    {.name = text, .kind = JM_PARAM_INPUT, .doc = "uint8 or int8"},                                                    \
        {.name = text "_scale", .kind = JM_PARAM_INPUT, .doc = "one element, or one for each row, column or filter"},  \
    {                                                                                                                  \
        .name = text "_zero_point", .kind = JM_PARAM_INPUT, .doc = "as the scale; of the type of " text                \
    }

#define CONV_ATTRIBUTES                                                                                                \
    {"auto_pad", JM_PARAM_STRING, JM_OPTIONAL, .s = "NOTSET", .doc = "NOTSET, SAME_UPPER, SAME_LOWER or VALID"},       \
        {"dilations", JM_PARAM_INTS, JM_OPTIONAL, .doc = "distance of kernel points; 1"},                              \
        {"group", JM_PARAM_INT, JM_OPTIONAL, .i = 1, .doc = "groups of channels that do not mix"},                     \
        {"kernel_shape", JM_PARAM_INTS, JM_OPTIONAL, .doc = "that of the weights"},                                    \
        {"pads", JM_PARAM_INTS, JM_OPTIONAL, .doc = "at the begin of each dimension, then at the end; 0"},             \
    {                                                                                                                  \
        "strides", JM_PARAM_INTS, JM_OPTIONAL, .doc = "distance of output points; 1"                                   \
    }

static const jm_param matmul_integer_param[] = {
    {.name = "A", .kind = JM_PARAM_INPUT, .doc = "uint8 or int8, [batch..., M, K]"},
    {.name = "B", .kind = JM_PARAM_INPUT, .doc = "uint8 or int8, [batch..., K, N]"},
    {.name = "a_zero_point", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "one element, or one for each row"},
    {.name = "b_zero_point",
     .kind = JM_PARAM_INPUT,
     .flags = JM_OPTIONAL,
     .doc = "one element, or one for each column"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "int32, [batch..., M, N]"},
};
static const jm_param conv_integer_param[] = {
    {.name = "x", .kind = JM_PARAM_INPUT, .doc = "uint8 or int8, [N, C, spatial...]"},
    {.name = "w", .kind = JM_PARAM_INPUT, .doc = "uint8 or int8, [M, C / group, kernel...]"},
    {.name = "x_zero_point", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "one element"},
    {.name = "w_zero_point",
     .kind = JM_PARAM_INPUT,
     .flags = JM_OPTIONAL,
     .doc = "one element, or one for each filter"},
    {.name = "y", .kind = JM_PARAM_OUTPUT, .doc = "int32, [N, M, spatial...]"},
    CONV_ATTRIBUTES,
};
static const jm_param qlinear_matmul_param[] = {
    QUANTISED("a"),
    QUANTISED("b"),
    {.name = "y_scale", .kind = JM_PARAM_INPUT, .doc = "one element"},
    {.name = "y_zero_point", .kind = JM_PARAM_INPUT, .doc = "one element; its type is that of y"},
    {.name = "y", .kind = JM_PARAM_OUTPUT, .doc = "[batch..., M, N]"},
};
static const jm_param qlinear_conv_param[] = {
    QUANTISED("x"),
    QUANTISED("w"),
    {.name = "y_scale", .kind = JM_PARAM_INPUT, .doc = "one element"},
    {.name = "y_zero_point", .kind = JM_PARAM_INPUT, .doc = "one element; its type is that of y"},
    {.name = "B", .kind = JM_PARAM_INPUT, .flags = JM_OPTIONAL, .doc = "int32, [M]"},
    {.name = "y", .kind = JM_PARAM_OUTPUT, .doc = "[N, M, spatial...]"},
    CONV_ATTRIBUTES,
};

#define PRODUCT(symbol, text, table, formula_text, source_text, infer_call, lower_call)                                \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = table,                                                                              \
                          .params = JM_COUNT(table),                                                                   \
                          .dtypes = BYTES,                                                                             \
                          .formula = formula_text,                                                                     \
                          .source = source_text,                                                                       \
                          .check = check_product,                                                                      \
                          .infer = infer_call,                                                                         \
                          .lower = lower_call}

PRODUCT(jm_op_matmul_integer, "MatMulInteger", matmul_integer_param,
        "(A - a_zero_point) (B - b_zero_point), int32 wraps", "ONNX MatMulInteger-10", infer_matmul, lower_matmul);
PRODUCT(jm_op_conv_integer, "ConvInteger", conv_integer_param,
        "convolution of x - x_zero_point with w - w_zero_point, int32 wraps", "ONNX ConvInteger-10", infer_conv,
        lower_conv);
PRODUCT(jm_op_qlinear_matmul, "QLinearMatMul", qlinear_matmul_param,
        "saturate(round(MatMulInteger * (a_scale b_scale / y_scale)) + y_zero_point)", "ONNX QLinearMatMul-21",
        infer_matmul, lower_matmul);
PRODUCT(jm_op_qlinear_conv, "QLinearConv", qlinear_conv_param,
        "saturate(round((ConvInteger + B) * (x_scale w_scale / y_scale)) + y_zero_point)", "ONNX QLinearConv-10",
        infer_conv, lower_conv);
