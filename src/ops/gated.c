/* SPDX-License-Identifier: Apache-2.0
 *
 * Activations that are made of others: Celu, Swish and SwiGLU.
 */
#include "ops/compose.h"
#include "ops/op.h"

/* ---- Celu ---- */

static jm_status check_celu(const jm_call *call)
{
    if (call->attr[0].f > 0) return JM_OK;
    return jm_call_error(call, JM_UNSUPPORTED, "alpha is %g and must be positive", call->attr[0].f);
}

static jm_status lower_celu(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    const double alpha = call->attr[0].f;
    const jm_named_attr one = {"alpha", {.f = 1}};
    jm_operand *x = jm_compose_with(&c, "Div", jm_compose_input(&c, 0), alpha);
    jm_operand *unit = jm_compose_node(&c, "Elu", &x, 1, &one, 1);
    jm_compose_result(&c, 0, jm_compose_with(&c, "Mul", unit, alpha));
    return jm_compose_end(&c);
}

static const jm_param celu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1, .doc = "minus the lower limit"},
};

const jm_op jm_op_celu = {
    .name = "Celu",
    .param = celu_param,
    .params = JM_COUNT(celu_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "alpha Elu(x / alpha)",
    .source = "ONNX Celu-12",
    .pointwise = true,
    .check = check_celu,
    .infer = jm_infer_same,
    .lower = lower_celu,
};

/* ---- Swish and SwiGLU ---- */

/* x sigmoid(alpha x) */
static jm_operand *swish(jm_compose *c, jm_operand *x, double alpha)
{
    if (alpha == 1) return jm_compose_1(c, "Silu", x);
    return jm_compose_2(c, "Mul", x, jm_compose_1(c, "Sigmoid", jm_compose_with(c, "Mul", x, alpha)));
}

static jm_status lower_swish(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_compose_result(&c, 0, swish(&c, jm_compose_input(&c, 0), call->attr[0].f));
    return jm_compose_end(&c);
}

static jm_status check_swiglu(const jm_call *call)
{
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    const jm_shape *gate = &call->in[0].shape, *value = &call->in[1].shape;
    if (!jm_shape_known(gate) || !jm_shape_known(value) || jm_shape_equal(gate, value)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "A is %s and B is %s; they must be of one shape",
                         jm_shape_text(gate, a), jm_shape_text(value, b));
}

static jm_status lower_swiglu(const jm_call *call, jm_builder *builder)
{
    jm_compose c = {.builder = builder};
    jm_operand *gate = swish(&c, jm_compose_input(&c, 0), call->attr[0].f);
    jm_compose_result(&c, 0, jm_compose_2(&c, "Mul", gate, jm_compose_input(&c, 1)));
    return jm_compose_end(&c);
}

static const jm_param swish_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1, .doc = "slope of the gate"},
};
static const jm_param swiglu_param[] = {
    {.name = "A", .kind = JM_PARAM_INPUT, .doc = "gate"},
    {.name = "B", .kind = JM_PARAM_INPUT, .doc = "value, of the shape of A"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of A"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1, .doc = "slope of the gate"},
};

const jm_op jm_op_swish = {
    .name = "Swish",
    .param = swish_param,
    .params = JM_COUNT(swish_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x / (1 + exp(-alpha x))",
    .source = "ONNX Swish-24",
    .pointwise = true,
    .infer = jm_infer_same,
    .lower = lower_swish,
};

const jm_op jm_op_swiglu = {
    .name = "SwiGLU",
    .param = swiglu_param,
    .params = JM_COUNT(swiglu_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "a b / (1 + exp(-alpha a))",
    .source = "ONNX SwiGLU-28",
    .pointwise = true,
    .check = check_swiglu,
    .infer = jm_infer_same,
    .lower = lower_swiglu,
};
