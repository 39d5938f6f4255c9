/* SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise operators of training: gradients of activations, losses of each element and their gradients. float32,
 * float16 and bfloat16 use the vector kernels, float64 a plain loop of the same formulas.
 */
#include "ops/elementwise.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/builder.h"

/* ---- In double precision: kernels/training.h says what a, b, c, alpha and beta are ---- */

typedef double (*f64_function)(double a, double b, double c, double alpha, double beta);

#define F64(name, expression)                                                                                          \
    static double name(double a, double b, double c, double alpha, double beta)                                        \
    {                                                                                                                  \
        (void)a, (void)b, (void)c, (void)alpha, (void)beta;                                                            \
        return expression;                                                                                             \
    }

#define ROOT_2_OVER_PI 0.79788456080286535588

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double gelu_tanh_slope(double x)
{
    const double t = tanh(ROOT_2_OVER_PI * (x + 0.044715 * x * x * x));
    return 0.5 + 0.5 * t + 0.5 * x * (1 - t * t) * ROOT_2_OVER_PI * (1 + 3 * 0.044715 * x * x);
}

static double smooth_l1_of(double d, double alpha)
{
    return d < alpha ? 0.5 * d * d / alpha : d - 0.5 * alpha;
}

static double smooth_l1_slope(double d, double alpha)
{
    return d <= -alpha ? -1 : d >= alpha ? 1 : d / alpha;
}

/* NaN stays. */
static double bounded(double logarithm)
{
    return logarithm < -100 ? -100 : logarithm;
}

F64(threshold_gradient, b <= alpha ? 0 : a)
F64(leaky_relu_gradient, b > 0 ? a : alpha * a)
F64(sigmoid_gradient, a *(1 - b) * b)
F64(tanh_gradient, a *(1 - b * b))
F64(silu_gradient, a *sigmoid(b) * (1 + b * (1 - sigmoid(b))))
F64(hard_sigmoid_gradient, b > -3 && b < 3 ? a / 6 : 0)
F64(hard_swish_gradient, b <= -3 ? 0 : b < 3 ? a * (b / 3 + 0.5) : a)
F64(gelu_gradient, a *(0.5 * (1 + erf(b * 0.70710678118654752440)) + b * 0.5 * ROOT_2_OVER_PI * exp(-0.5 * b * b)))
F64(gelu_tanh_gradient, a *gelu_tanh_slope(b))
F64(squared_error, (a - b) * (a - b))
F64(smooth_l1, smooth_l1_of(fabs(a - b), alpha))
F64(cross_entropy, (b - 1) * bounded(log1p(-a)) - b * bounded(log(a)))
F64(cross_entropy_logits, (1 - b) * a + (1 + (c - 1) * b) * softplus(-a))
F64(squared_error_gradient, beta *(b - c) * a)
F64(smooth_l1_gradient, beta *a *smooth_l1_slope(b - c, alpha))
F64(cross_entropy_gradient, beta *a *(b - c) / fmax((1 - b) * b, 1e-12))
F64(cross_entropy_logits_slope, beta *((1 + (c - 1) * b) * sigmoid(a) - b * c))

/* ---- Operators ---- */

static int fused_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS]);
static jm_status fused_check(const jm_call *call);
static jm_status fused_infer(jm_call *call);
static jm_status fused_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan);
static void fused_run(const jm_plan *plan, const jm_run *run);

#define GRADIENT_OF(of)                                                                                                \
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of the output"},                                           \
        {.name = "X", .kind = JM_PARAM_INPUT, .doc = of},                                                              \
    {                                                                                                                  \
        .name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "gradient of the input; the inputs broadcast"                    \
    }
#define LOSS_OF                                                                                                        \
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},                                                             \
    {                                                                                                                  \
        .name = "T", .kind = JM_PARAM_INPUT, .doc = "target"                                                           \
    }
#define GRADIENT_OF_LOSS                                                                                               \
    {.name = "dY", .kind = JM_PARAM_INPUT, .doc = "gradient of the loss"},                                             \
        {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"}, {.name = "T", .kind = JM_PARAM_INPUT, .doc = "target"}, \
    {                                                                                                                  \
        .name = "dX", .kind = JM_PARAM_OUTPUT, .doc = "gradient of the input; the inputs broadcast"                    \
    }
#define REDUCTION                                                                                                      \
    {                                                                                                                  \
        .name = "reduction", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "none", .doc = "none, sum or mean"    \
    }
#define BETA                                                                                                           \
    {                                                                                                                  \
        .name = "beta", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1, .doc = "half width of the square part"   \
    }

static const jm_param by_input_param[] = {GRADIENT_OF("input of the activation")};
static const jm_param by_output_param[] = {GRADIENT_OF("output of the activation")};
static const jm_param threshold_param[] = {
    GRADIENT_OF("input of the activation"),
    {.name = "threshold", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .doc = "up to there the gradient is 0"},
};
static const jm_param leaky_relu_param[] = {
    GRADIENT_OF("input of the activation, or its output"),
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0.01, .doc = "slope below zero"},
    {.name = "result", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: X is the output; alpha is not negative"},
};
static const jm_param gelu_param[] = {
    GRADIENT_OF("input of the activation"),
    {.name = "approximate", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "none", .doc = "none or tanh"},
};
static const jm_param loss_param[] = {LOSS_OF, {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "of each element"}};
static const jm_param smooth_l1_param[] = {
    LOSS_OF, {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "of each element"}, BETA};
static const jm_param logits_param[] = {
    LOSS_OF,
    {.name = "W", .kind = JM_PARAM_INPUT, .doc = "weight of positive targets"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "of each element"},
};
static const jm_param logits_slope_param[] = {
    LOSS_OF,
    {.name = "W", .kind = JM_PARAM_INPUT, .doc = "weight of positive targets"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "of each element"},
    REDUCTION,
};
static const jm_param loss_gradient_param[] = {GRADIENT_OF_LOSS, REDUCTION};
static const jm_param smooth_l1_gradient_param[] = {GRADIENT_OF_LOSS, REDUCTION, BETA};

#define FUSED(symbol, text, table_of_params, formula_text, source_text)                                                \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = table_of_params,                                                                    \
                          .params = JM_COUNT(table_of_params),                                                         \
                          .dtype_rule = JM_DTYPE_SAME,                                                                 \
                          .dtypes = JM_DTYPES_FLOAT,                                                                   \
                          .formula = formula_text,                                                                     \
                          .source = source_text,                                                                       \
                          .pointwise = true,                                                                           \
                          .check = fused_check,                                                                        \
                          .infer = fused_infer,                                                                        \
                          .forms = fused_forms,                                                                        \
                          .plan = fused_plan,                                                                          \
                          .run = fused_run}

FUSED(jm_op_threshold_gradient, "ThresholdGradient", threshold_param, "x <= threshold ? 0 : dy",
      "PyTorch threshold_backward");
FUSED(jm_op_leaky_relu_gradient, "LeakyReluGradient", leaky_relu_param, "x > 0 ? dy : alpha dy",
      "PyTorch leaky_relu_backward");
FUSED(jm_op_sigmoid_gradient, "SigmoidGradient", by_output_param, "dy (1 - y) y", "PyTorch sigmoid_backward");
FUSED(jm_op_tanh_gradient, "TanhGradient", by_output_param, "dy (1 - y^2)", "PyTorch tanh_backward");
FUSED(jm_op_silu_gradient, "SiluGradient", by_input_param, "dy s (1 + x (1 - s)), s = 1 / (1 + exp(-x))",
      "PyTorch silu_backward");
FUSED(jm_op_hard_sigmoid_gradient, "HardSigmoidGradient", by_input_param, "-3 < x < 3 ? dy / 6 : 0",
      "PyTorch hardsigmoid_backward");
FUSED(jm_op_hard_swish_gradient, "HardSwishGradient", by_input_param, "x <= -3 ? 0 : x < 3 ? dy (x / 3 + 0.5) : dy",
      "PyTorch hardswish_backward");
FUSED(jm_op_gelu_gradient, "GeluGradient", gelu_param, "dy (P(x) + x p(x)), p the normal density, P its integral",
      "PyTorch gelu_backward");
FUSED(jm_op_squared_error, "SquaredError", loss_param, "(x - t)^2", "PyTorch mse_loss");
FUSED(jm_op_smooth_l1, "SmoothL1", smooth_l1_param, "d < beta ? d^2 / (2 beta) : d - beta / 2, d = |x - t|",
      "PyTorch smooth_l1_loss");
FUSED(jm_op_cross_entropy, "BinaryCrossEntropy", loss_param, "-(t max(log(x), -100) + (1 - t) max(log(1 - x), -100))",
      "PyTorch binary_cross_entropy");
FUSED(jm_op_cross_entropy_logits, "BinaryCrossEntropyWithLogits", logits_param,
      "(1 - t) x + (1 + (w - 1) t) log(1 + exp(-x))", "PyTorch binary_cross_entropy_with_logits");
FUSED(jm_op_squared_error_gradient, "SquaredErrorGradient", loss_gradient_param,
      "2 (x - t) dy; of the mean, over the elements of dx", "PyTorch mse_loss_backward");
FUSED(jm_op_smooth_l1_gradient, "SmoothL1Gradient", smooth_l1_gradient_param,
      "dy min(max((x - t) / beta, -1), 1); of the mean, over the elements of dx", "PyTorch smooth_l1_loss_backward");
FUSED(jm_op_cross_entropy_gradient, "BinaryCrossEntropyGradient", loss_gradient_param,
      "dy (x - t) / max((1 - x) x, 1e-12); of the mean, over the elements of dx",
      "PyTorch binary_cross_entropy_backward");
FUSED(jm_op_cross_entropy_logits_slope, "BinaryCrossEntropyWithLogitsSlope", logits_slope_param,
      "(1 + (w - 1) t) / (1 + exp(-x)) - w t; of the mean, over the elements of y",
      "PyTorch binary_cross_entropy_with_logits");

/* `alpha`: the attribute that it is, or NULL; `beta`: its value where nothing is reduced. `ns` is the time of a float32
 * element. */
static const struct fused {
    const jm_op *op;
    double ns;
    jm_fused kernel;
    f64_function f64;
    const char *alpha;
    float beta;
} table[] = {
    {&jm_op_threshold_gradient, 0.05, JM_FUSED_THRESHOLD_GRADIENT, threshold_gradient, "threshold", 0},
    {&jm_op_leaky_relu_gradient, 0.05, JM_FUSED_LEAKY_RELU_GRADIENT, leaky_relu_gradient, "alpha", 0},
    {&jm_op_sigmoid_gradient, 0.05, JM_FUSED_SIGMOID_GRADIENT, sigmoid_gradient, NULL, 0},
    {&jm_op_tanh_gradient, 0.05, JM_FUSED_TANH_GRADIENT, tanh_gradient, NULL, 0},
    {&jm_op_silu_gradient, 0.3, JM_FUSED_SILU_GRADIENT, silu_gradient, NULL, 0},
    {&jm_op_hard_sigmoid_gradient, 0.07, JM_FUSED_HARD_SIGMOID_GRADIENT, hard_sigmoid_gradient, NULL, 0},
    {&jm_op_hard_swish_gradient, 0.07, JM_FUSED_HARD_SWISH_GRADIENT, hard_swish_gradient, NULL, 0},
    {&jm_op_gelu_gradient, 0.9, JM_FUSED_GELU_GRADIENT, gelu_gradient, NULL, 0},
    {&jm_op_squared_error, 0.05, JM_FUSED_SQUARED_ERROR, squared_error, NULL, 0},
    {&jm_op_smooth_l1, 0.2, JM_FUSED_SMOOTH_L1, smooth_l1, "beta", 0},
    {&jm_op_cross_entropy, 1, JM_FUSED_CROSS_ENTROPY, cross_entropy, NULL, 0},
    {&jm_op_cross_entropy_logits, 1.1, JM_FUSED_CROSS_ENTROPY_LOGITS, cross_entropy_logits, NULL, 0},
    {&jm_op_squared_error_gradient, 0.06, JM_FUSED_SQUARED_ERROR_GRADIENT, squared_error_gradient, NULL, 2},
    {&jm_op_smooth_l1_gradient, 0.2, JM_FUSED_SMOOTH_L1_GRADIENT, smooth_l1_gradient, "beta", 1},
    {&jm_op_cross_entropy_gradient, 0.2, JM_FUSED_CROSS_ENTROPY_GRADIENT, cross_entropy_gradient, NULL, 1},
    {&jm_op_cross_entropy_logits_slope, 0.5, JM_FUSED_CROSS_ENTROPY_LOGITS_SLOPE, cross_entropy_logits_slope, NULL, 1},
};

static const struct fused *find(const jm_op *op)
{
    const struct fused *row = table;
    while (row->op != op) row++;
    return row;
}

/* ---- Attributes ---- */

/* NULL where the operator has none of that name. */
static const jm_attr *attribute(const jm_call *call, const char *name)
{
    const int index = name ? jm_op_attr_index(call->op, name) : -1;
    return index < 0 ? NULL : &call->attr[index];
}

static bool is_tanh(const jm_call *call)
{
    const jm_attr *approximate = attribute(call, "approximate");
    return approximate && strcmp(approximate->s, "tanh") == 0;
}

static bool is_mean(const jm_call *call)
{
    const jm_attr *reduction = attribute(call, "reduction");
    return reduction && strcmp(reduction->s, "mean") == 0;
}

static jm_status check_reduction(const jm_call *call, const char *text)
{
    if (strcmp(text, "none") == 0 || strcmp(text, "sum") == 0 || strcmp(text, "mean") == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "reduction is '%s' and must be none, sum or mean", text);
}

static jm_status fused_check(const jm_call *call)
{
    const jm_attr *reduction = attribute(call, "reduction"), *approximate = attribute(call, "approximate");
    const jm_attr *beta = attribute(call, "beta"), *result = attribute(call, "result");
    if (reduction) JM_TRY(check_reduction(call, reduction->s));
    if (approximate && !is_tanh(call) && strcmp(approximate->s, "none") != 0)
        return jm_call_error(call, JM_INVALID_ARGUMENT, "approximate is '%s' and must be none or tanh", approximate->s);
    if (beta && !(beta->f >= 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "beta is %g and must not be negative", beta->f);
    if (result && result->i && !(attribute(call, "alpha")->f >= 0))
        return jm_call_error(call, JM_INVALID_ARGUMENT, "alpha is %g and must not be negative where X is the output",
                             attribute(call, "alpha")->f);
    return JM_OK;
}

/* ---- Plan and run ---- */

static jm_status fused_infer(jm_call *call)
{
    char a[JM_SHAPE_TEXT], b[JM_SHAPE_TEXT];
    jm_shape shape = call->in[0].shape;
    for (int i = 1; i < call->inputs; i++) {
        const jm_shape sofar = shape, *next = &call->in[i].shape;
        if (jm_shape_broadcast(&sofar, next, &shape) != JM_OK)
            return jm_call_error(call, JM_INVALID_ARGUMENT, "shapes %s and %s do not broadcast",
                                 jm_shape_text(&sofar, a), jm_shape_text(next, b));
    }
    call->out[0].dtype = call->in[0].dtype;
    call->out[0].shape = shape;
    return JM_OK;
}

static int fused_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    jm_elementwise_forms(call, jm_op_inputs(call->op), find(call->op)->ns, forms);
    return 1; /* blocked images are for inference */
}

/* Exactly one of f32 and f64 is set. */
struct fused_state {
    jm_elementwise walk;
    void (*f32)(float *y, const float *const in[3], const size_t step[3], size_t n, float alpha, float beta);
    f64_function f64;
    double alpha, beta;
};

static jm_status fused_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    const struct fused *row = find(call->op);
    struct fused_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    const jm_attr *alpha = attribute(call, row->alpha);
    const int64_t count = jm_tensor_elements(&call->out[0]);
    state->alpha = alpha ? alpha->f : 0;
    state->beta = is_mean(call) && count ? (double)row->beta / (double)count : (double)row->beta;
    const jm_dtype compute = jm_compute_dtype(call->in[0].dtype);
    if (compute == JM_F32)
        state->f32 = machine->kernels->training.fused[is_tanh(call) ? JM_FUSED_GELU_TANH_GRADIENT : row->kernel];
    else
        state->f64 = is_tanh(call) ? gelu_tanh_gradient : row->f64;
    const jm_dtype types[] = {compute, compute, compute, compute};
    return jm_elementwise_plan(call, jm_op_inputs(call->op), types, &state->walk, plan);
}

static void fused_rows(const void *context, void *y, const void *const in[JM_ELEMENTWISE_INPUTS],
                       const size_t step[JM_ELEMENTWISE_INPUTS], size_t n)
{
    const struct fused_state *state = context;
    if (state->f32) {
        const float *const f32[] = {in[0], in[1], in[2]};
        state->f32(y, f32, step, n, (float)state->alpha, (float)state->beta);
        return;
    }
    const double *const f64[] = {in[0], in[1], in[2] ? in[2] : in[1]};
    const size_t third = in[2] ? 2 : 1;
    size_t mask[3];
    for (size_t i = 0; i < 3; i++) mask[i] = step[i < third ? i : third] ? SIZE_MAX : JM_LANES - 1;
    for (size_t i = 0; i < n; i++)
        ((double *)y)[i] =
            state->f64(f64[0][i & mask[0]], f64[1][i & mask[1]], f64[2][i & mask[2]], state->alpha, state->beta);
}

static void fused_run(const jm_plan *plan, const jm_run *run)
{
    const struct fused_state *state = plan->state;
    jm_elementwise_run(&state->walk, run, fused_rows, state);
}

/* ---- LossReduction ---- */

static jm_status reduction_check(const jm_call *call)
{
    return check_reduction(call, call->attr[0].s);
}

static jm_status reduction_infer(jm_call *call)
{
    JM_TRY(jm_infer_same(call));
    if (strcmp(call->attr[0].s, "none") != 0) call->out[0].shape = (jm_shape){.rank = 0};
    return JM_OK;
}

static jm_status reduction_lower(const jm_call *call, jm_builder *builder)
{
    const bool none = strcmp(call->attr[0].s, "none") == 0;
    const jm_named_attr keep = {"keepdims", {.count = 1, .i = 0}};
    jm_operand *in = jm_builder_input(builder, 0), *out = jm_builder_output(builder, 0);
    if (none) return jm_builder_node(builder, "Identity", &in, 1, NULL, 0, &out, 1);
    return jm_builder_node(builder, is_mean(call) ? "ReduceMean" : "ReduceSum", &in, 1, &keep, 1, &out, 1);
}

static const jm_param reduction_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "loss of each element"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "the same, or a scalar"},
    REDUCTION,
};

const jm_op jm_op_loss_reduction = {
    .name = "LossReduction",
    .param = reduction_param,
    .params = JM_COUNT(reduction_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_FLOAT,
    .formula = "x, its sum or its mean",
    .source = "PyTorch losses",
    .check = reduction_check,
    .infer = reduction_infer,
    .lower = reduction_lower,
};
