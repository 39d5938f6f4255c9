/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators with one tensor input whose elements do not depend on each other. float32, float16 and bfloat16 use the
 * vector kernels; the other types one plain loop per function and compute type.
 */
#include "ops/elementwise.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"

#define FLOATS JM_DTYPES_FLOAT
#define SIGNED JM_DTYPES_SIGNED
#define NUMBERS (JM_DTYPES_FLOAT | JM_DTYPES_INT)

typedef void (*f32_function)(float *y, const float *x, size_t n, float alpha, float beta);
typedef void (*plain_function)(void *y, const void *x, size_t n, double alpha, double beta);

/* ---- Plain functions ---- */

#define PLAIN(name, type, expression)                                                                                  \
    static void name(void *y, const void *x_, size_t n, double alpha, double beta)                                     \
    {                                                                                                                  \
        (void)alpha, (void)beta;                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                               \
            type x = ((const type *)x_)[i];                                                                            \
            ((type *)y)[i] = (type)(expression);                                                                       \
        }                                                                                                              \
    }

/* NaN stays NaN: it is never less than a bound and never greater. */
static double clip(double x, double low, double high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static int64_t clip_int(int64_t x, double low, double high)
{
    int64_t bound[2];
    jm_element_from_f64(JM_I64, low, &bound[0]);
    jm_element_from_f64(JM_I64, high, &bound[1]);
    x = JM_MAX(x, bound[0]);
    return JM_MIN(x, bound[1]);
}

PLAIN(relu_f64, double, x <= 0 ? 0 : x)
PLAIN(leaky_relu_f64, double, x < 0 ? alpha * x : x)
PLAIN(clip_f64, double, clip(x, alpha, beta))
PLAIN(sigmoid_f64, double, 1 / (1 + exp(-x)))
PLAIN(silu_f64, double, x / (1 + exp(-x)))
PLAIN(hard_sigmoid_f64, double, clip(alpha *x + beta, 0, 1))
PLAIN(hard_swish_f64, double, x *clip(x / 6 + 0.5, 0, 1))
PLAIN(tanh_f64, double, tanh(x))
PLAIN(gelu_f64, double, 0.5 * x * (1 + erf(x * 0.70710678118654752440)))
PLAIN(gelu_tanh_f64, double, 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x))))
PLAIN(mish_f64, double, x *tanh(softplus(x)))
PLAIN(softplus_f64, double, softplus(x))
PLAIN(softsign_f64, double, x / (1 + fabs(x)))
PLAIN(elu_f64, double, x < 0 ? alpha * expm1(x) : x)
PLAIN(selu_f64, double, beta *(x < 0 ? alpha * expm1(x) : x))
PLAIN(exp_f64, double, exp(x))
PLAIN(log_f64, double, log(x))
PLAIN(erf_f64, double, erf(x))
PLAIN(sqrt_f64, double, sqrt(x))
PLAIN(reciprocal_f64, double, 1 / x)
PLAIN(neg_f64, double, -x)
PLAIN(abs_f64, double, fabs(x))
PLAIN(sign_f64, double, x > 0 ? 1 : (x < 0 ? -1 : x))
PLAIN(floor_f64, double, floor(x))
PLAIN(ceil_f64, double, ceil(x))
PLAIN(round_f64, double, nearbyint(x))

PLAIN(relu_i32, int32_t, JM_MAX(x, 0))
PLAIN(relu_i64, int64_t, JM_MAX(x, 0))
PLAIN(clip_i32, int32_t, clip_int(x, alpha, beta))
PLAIN(clip_i64, int64_t, clip_int(x, alpha, beta))
PLAIN(neg_i32, int32_t, 0u - (uint32_t)x)
PLAIN(neg_i64, int64_t, 0u - (uint64_t)x)
PLAIN(abs_i32, int32_t, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
PLAIN(abs_i64, int64_t, x < 0 ? 0u - (uint64_t)x : (uint64_t)x)
PLAIN(sign_i32, int32_t, (x > 0) - (x < 0))
PLAIN(sign_i64, int64_t, (x > 0) - (x < 0))
PLAIN(not_i32, int32_t, !x)
PLAIN(bitwise_not_i32, int32_t, ~x)
PLAIN(bitwise_not_i64, int64_t, ~x)

/* One rounding of a result in double precision; rare in models, so there is no vector kernel. */
#define ROUNDED(name, expression)                                                                                      \
    PLAIN(name##_f64, double, expression)                                                                              \
    static void name##_f32(float *y, const float *x_, size_t n, float alpha, float beta)                               \
    {                                                                                                                  \
        (void)alpha, (void)beta;                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                               \
            double x = (double)x_[i];                                                                                  \
            y[i] = (float)(expression);                                                                                \
        }                                                                                                              \
    }

/* `bias` towards zero outside [-lambd, lambd], zero inside. */
static double shrink(double x, double bias, double lambd)
{
    return x < -lambd ? x + bias : x > lambd ? x - bias : 0;
}

ROUNDED(sin, sin(x))
ROUNDED(cos, cos(x))
ROUNDED(tan, tan(x))
ROUNDED(asin, asin(x))
ROUNDED(acos, acos(x))
ROUNDED(atan, atan(x))
ROUNDED(sinh, sinh(x))
ROUNDED(cosh, cosh(x))
ROUNDED(asinh, asinh(x))
ROUNDED(acosh, acosh(x))
ROUNDED(atanh, atanh(x))
/* Newton's method of third order from a rough start. The residual is taken from erfc near 1, where erf has no digits
 * left. */
static double erfinv(double x)
{
    const double size = fabs(x), rest = 1 - size;
    if (!(size < 1)) return size == 1 ? copysign(INFINITY, x) : NAN;
    const double log_rest = log1p(-size * size), mean = 4.33074675024920 + log_rest / 2;
    double y = sqrt(JM_MAX(sqrt(mean * mean - log_rest / 0.147) - mean, 0));
    for (int i = 0; i < 4; i++) {
        const double error = size > 0.5 ? rest - erfc(y) : erf(y) - size;
        const double step = error / (1.12837916709551257390 * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return copysign(y, x);
}

static double sinc(double x)
{
    const double angle = 3.14159265358979323846 * x;
    return x == 0 ? 1 : sin(angle) / angle;
}

ROUNDED(trunc, trunc(x))
ROUNDED(expm1, expm1(x))
ROUNDED(log1p, log1p(x))
ROUNDED(log2, log2(x))
ROUNDED(log10, log10(x))
ROUNDED(erfc, erfc(x))
ROUNDED(erfinv, erfinv(x))
ROUNDED(sinc, sinc(x))
ROUNDED(thresholded_relu, x > (double)alpha ? x : 0)
ROUNDED(shrink, shrink(x, (double)alpha, (double)beta))

/* As a Cast: towards zero, saturating. */
static int64_t to_i64(double x)
{
    int64_t y;
    jm_element_from_f64(JM_I64, x, &y);
    return y;
}

static int32_t to_i32(double x)
{
    int32_t y;
    jm_element_from_f64(JM_I32, x, &y);
    return y;
}

PLAIN(shrink_i32, int32_t, to_i32(shrink(x, alpha, beta)))
PLAIN(shrink_i64, int64_t, to_i64(shrink((double)x, alpha, beta)))

/* ---- Operators ---- */

static int unary_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS]);
static jm_status unary_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan);
static void unary_run(const jm_plan *plan, const jm_run *run);

static const jm_param no_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
};
static const jm_param leaky_relu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0.01, .doc = "slope below zero"},
};
static const jm_param elu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1, .doc = "minus the lower limit"},
};
static const jm_param selu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha",
     .kind = JM_PARAM_FLOAT,
     .flags = JM_OPTIONAL,
     .f = 1.67326319217681884765625,
     .doc = "minus the lower limit"},
    {.name = "gamma", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1.05070102214813232421875, .doc = "scale"},
};
static const jm_param hard_sigmoid_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0.2, .doc = "slope"},
    {.name = "beta", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0.5, .doc = "value at zero"},
};
static const jm_param clip_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "min", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = -INFINITY, .doc = "lower bound"},
    {.name = "max", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = INFINITY, .doc = "upper bound; wins over min"},
};
static const jm_param thresholded_relu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "alpha", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 1, .doc = "threshold"},
};
static const jm_param shrink_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "bias", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0, .doc = "taken off outside the threshold"},
    {.name = "lambd", .kind = JM_PARAM_FLOAT, .flags = JM_OPTIONAL, .f = 0.5, .doc = "threshold"},
};
static const jm_param gelu_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "approximate", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "none", .doc = "none or tanh"},
};

static jm_status check_gelu(const jm_call *call)
{
    const char *text = call->attr[0].s;
    if (strcmp(text, "none") == 0 || strcmp(text, "tanh") == 0) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "approximate is '%s' and must be none or tanh", text);
}

#define UNARY(symbol, text, table_of_params, types, formula_text, source_text, ...)                                    \
    const jm_op symbol = {.name = text,                                                                                \
                          .param = table_of_params,                                                                    \
                          .params = JM_COUNT(table_of_params),                                                         \
                          .dtype_rule = JM_DTYPE_SAME,                                                                 \
                          .dtypes = types,                                                                             \
                          .formula = formula_text,                                                                     \
                          .source = source_text,                                                                       \
                          .pointwise = true,                                                                           \
                          .infer = jm_infer_same,                                                                      \
                          .forms = unary_forms,                                                                        \
                          .plan = unary_plan,                                                                          \
                          .run = unary_run,                                                                            \
                          __VA_ARGS__}

UNARY(jm_op_relu, "Relu", no_param, FLOATS | SIGNED, "max(x, 0); NaN stays", "ONNX Relu-14", );
UNARY(jm_op_leaky_relu, "LeakyRelu", leaky_relu_param, FLOATS, "x < 0 ? alpha x : x", "ONNX LeakyRelu-16", );
UNARY(jm_op_clip, "Clip", clip_param, NUMBERS, "min(max(x, min), max); NaN stays", "ONNX Clip-6", );
UNARY(jm_op_sigmoid, "Sigmoid", no_param, FLOATS, "1 / (1 + exp(-x))", "ONNX Sigmoid-13", );
UNARY(jm_op_silu, "Silu", no_param, FLOATS, "x / (1 + exp(-x))", "ONNX Swish-24 with alpha 1", );
UNARY(jm_op_hard_sigmoid, "HardSigmoid", hard_sigmoid_param, FLOATS, "max(0, min(1, alpha x + beta))",
      "ONNX HardSigmoid-6", );
UNARY(jm_op_hard_swish, "HardSwish", no_param, FLOATS, "x max(0, min(1, x / 6 + 0.5))", "ONNX HardSwish-14", );
UNARY(jm_op_tanh, "Tanh", no_param, FLOATS, "tanh(x)", "ONNX Tanh-13", );
UNARY(jm_op_gelu, "Gelu", gelu_param, FLOATS, "0.5 x (1 + erf(x / sqrt(2)))", "ONNX Gelu-20", .check = check_gelu);
UNARY(jm_op_mish, "Mish", no_param, FLOATS, "x tanh(log(1 + exp(x)))", "ONNX Mish-18", );
UNARY(jm_op_softplus, "Softplus", no_param, FLOATS, "log(1 + exp(x))", "ONNX Softplus-1", );
UNARY(jm_op_softsign, "Softsign", no_param, FLOATS, "x / (1 + |x|)", "ONNX Softsign-1", );
UNARY(jm_op_elu, "Elu", elu_param, FLOATS, "x < 0 ? alpha (exp(x) - 1) : x", "ONNX Elu-6", );
UNARY(jm_op_selu, "Selu", selu_param, FLOATS, "gamma (x < 0 ? alpha (exp(x) - 1) : x)", "ONNX Selu-6", );
UNARY(jm_op_exp, "Exp", no_param, FLOATS, "exp(x)", "ONNX Exp-13", );
UNARY(jm_op_log, "Log", no_param, FLOATS, "log(x)", "ONNX Log-13", );
UNARY(jm_op_erf, "Erf", no_param, FLOATS, "erf(x)", "ONNX Erf-13", );
UNARY(jm_op_sqrt, "Sqrt", no_param, FLOATS, "sqrt(x)", "ONNX Sqrt-13", );
UNARY(jm_op_reciprocal, "Reciprocal", no_param, FLOATS, "1 / x", "ONNX Reciprocal-13", );
UNARY(jm_op_neg, "Neg", no_param, FLOATS | SIGNED, "-x", "ONNX Neg-13", );
UNARY(jm_op_abs, "Abs", no_param, NUMBERS, "|x|", "ONNX Abs-13", );
UNARY(jm_op_sign, "Sign", no_param, NUMBERS, "-1, 0 or 1; NaN stays", "ONNX Sign-13", );
UNARY(jm_op_floor, "Floor", no_param, FLOATS, "largest integer <= x", "ONNX Floor-13", );
UNARY(jm_op_ceil, "Ceil", no_param, FLOATS, "smallest integer >= x", "ONNX Ceil-13", );
UNARY(jm_op_round, "Round", no_param, FLOATS, "nearest integer, ties to even", "ONNX Round-11", );
UNARY(jm_op_sin, "Sin", no_param, FLOATS, "sin(x)", "ONNX Sin-7", );
UNARY(jm_op_cos, "Cos", no_param, FLOATS, "cos(x)", "ONNX Cos-7", );
UNARY(jm_op_tan, "Tan", no_param, FLOATS, "tan(x)", "ONNX Tan-7", );
UNARY(jm_op_asin, "Asin", no_param, FLOATS, "arcsin(x)", "ONNX Asin-7", );
UNARY(jm_op_acos, "Acos", no_param, FLOATS, "arccos(x)", "ONNX Acos-7", );
UNARY(jm_op_atan, "Atan", no_param, FLOATS, "arctan(x)", "ONNX Atan-7", );
UNARY(jm_op_sinh, "Sinh", no_param, FLOATS, "sinh(x)", "ONNX Sinh-9", );
UNARY(jm_op_cosh, "Cosh", no_param, FLOATS, "cosh(x)", "ONNX Cosh-9", );
UNARY(jm_op_asinh, "Asinh", no_param, FLOATS, "arsinh(x)", "ONNX Asinh-9", );
UNARY(jm_op_acosh, "Acosh", no_param, FLOATS, "arcosh(x)", "ONNX Acosh-9", );
UNARY(jm_op_atanh, "Atanh", no_param, FLOATS, "artanh(x)", "ONNX Atanh-9", );
UNARY(jm_op_trunc, "Trunc", no_param, FLOATS, "x without its fraction", "PyTorch trunc", );
UNARY(jm_op_expm1, "Expm1", no_param, FLOATS, "exp(x) - 1", "PyTorch expm1", );
UNARY(jm_op_log1p, "Log1p", no_param, FLOATS, "log(1 + x)", "PyTorch log1p", );
UNARY(jm_op_log2, "Log2", no_param, FLOATS, "logarithm to base 2", "PyTorch log2", );
UNARY(jm_op_log10, "Log10", no_param, FLOATS, "logarithm to base 10", "PyTorch log10", );
UNARY(jm_op_erfc, "Erfc", no_param, FLOATS, "1 - erf(x)", "PyTorch erfc", );
UNARY(jm_op_erfinv, "Erfinv", no_param, FLOATS, "y with erf(y) = x; infinite at -1 and 1, NaN outside",
      "PyTorch erfinv", );
UNARY(jm_op_sinc, "Sinc", no_param, FLOATS, "sin(pi x) / (pi x), 1 at 0", "PyTorch sinc", );
UNARY(jm_op_thresholded_relu, "ThresholdedRelu", thresholded_relu_param, FLOATS, "x > alpha ? x : 0",
      "ONNX ThresholdedRelu-10", );
UNARY(jm_op_shrink, "Shrink", shrink_param, NUMBERS, "x < -lambd ? x + bias : x > lambd ? x - bias : 0",
      "ONNX Shrink-9", );
UNARY(jm_op_bitwise_not, "BitwiseNot", no_param, JM_DTYPES_INT | 1u << JM_U64 | 1u << JM_BOOL, "~x; !x of bool",
      "ONNX BitwiseNot-18", );
UNARY(jm_op_not, "Not", no_param, 1u << JM_BOOL, "!x", "ONNX Not-1", );

/* How each operator computes: a vector kernel (or f32), and plain loops. `ns` is the time of a float32 element. */
static const struct unary {
    const jm_op *op;
    double ns;
    int kernel;
    f32_function f32;
    plain_function f64, i32, i64;
} table[] = {
    {&jm_op_relu, 0.02, JM_UNARY_RELU, NULL, relu_f64, relu_i32, relu_i64},
    {&jm_op_leaky_relu, 0.02, JM_UNARY_LEAKY_RELU, NULL, leaky_relu_f64, NULL, NULL},
    {&jm_op_clip, 0.02, JM_UNARY_CLIP, NULL, clip_f64, clip_i32, clip_i64},
    {&jm_op_sigmoid, 0.3, JM_UNARY_SIGMOID, NULL, sigmoid_f64, NULL, NULL},
    {&jm_op_silu, 0.3, JM_UNARY_SILU, NULL, silu_f64, NULL, NULL},
    {&jm_op_hard_sigmoid, 0.03, JM_UNARY_HARD_SIGMOID, NULL, hard_sigmoid_f64, NULL, NULL},
    {&jm_op_hard_swish, 0.04, JM_UNARY_HARD_SWISH, NULL, hard_swish_f64, NULL, NULL},
    {&jm_op_tanh, 0.4, JM_UNARY_TANH, NULL, tanh_f64, NULL, NULL},
    {&jm_op_gelu, 0.6, JM_UNARY_GELU, NULL, gelu_f64, NULL, NULL},
    {&jm_op_mish, 0.6, JM_UNARY_MISH, NULL, mish_f64, NULL, NULL},
    {&jm_op_softplus, 0.5, JM_UNARY_SOFTPLUS, NULL, softplus_f64, NULL, NULL},
    {&jm_op_softsign, 0.2, JM_UNARY_SOFTSIGN, NULL, softsign_f64, NULL, NULL},
    {&jm_op_elu, 0.4, JM_UNARY_ELU, NULL, elu_f64, NULL, NULL},
    {&jm_op_selu, 0.4, JM_UNARY_SELU, NULL, selu_f64, NULL, NULL},
    {&jm_op_exp, 0.2, JM_UNARY_EXP, NULL, exp_f64, NULL, NULL},
    {&jm_op_log, 0.3, JM_UNARY_LOG, NULL, log_f64, NULL, NULL},
    {&jm_op_erf, 0.5, JM_UNARY_ERF, NULL, erf_f64, NULL, NULL},
    {&jm_op_sqrt, 0.3, JM_UNARY_SQRT, NULL, sqrt_f64, NULL, NULL},
    {&jm_op_reciprocal, 0.2, JM_UNARY_RECIPROCAL, NULL, reciprocal_f64, NULL, NULL},
    {&jm_op_neg, 0.02, JM_UNARY_NEG, NULL, neg_f64, neg_i32, neg_i64},
    {&jm_op_abs, 0.02, JM_UNARY_ABS, NULL, abs_f64, abs_i32, abs_i64},
    {&jm_op_sign, 0.03, JM_UNARY_SIGN, NULL, sign_f64, sign_i32, sign_i64},
    {&jm_op_floor, 0.02, JM_UNARY_FLOOR, NULL, floor_f64, NULL, NULL},
    {&jm_op_ceil, 0.02, JM_UNARY_CEIL, NULL, ceil_f64, NULL, NULL},
    {&jm_op_round, 0.02, JM_UNARY_ROUND, NULL, round_f64, NULL, NULL},
    {&jm_op_sin, 20, -1, sin_f32, sin_f64, NULL, NULL},
    {&jm_op_cos, 20, -1, cos_f32, cos_f64, NULL, NULL},
    {&jm_op_tan, 20, -1, tan_f32, tan_f64, NULL, NULL},
    {&jm_op_asin, 20, -1, asin_f32, asin_f64, NULL, NULL},
    {&jm_op_acos, 20, -1, acos_f32, acos_f64, NULL, NULL},
    {&jm_op_atan, 20, -1, atan_f32, atan_f64, NULL, NULL},
    {&jm_op_sinh, 20, -1, sinh_f32, sinh_f64, NULL, NULL},
    {&jm_op_cosh, 20, -1, cosh_f32, cosh_f64, NULL, NULL},
    {&jm_op_asinh, 20, -1, asinh_f32, asinh_f64, NULL, NULL},
    {&jm_op_acosh, 20, -1, acosh_f32, acosh_f64, NULL, NULL},
    {&jm_op_atanh, 20, -1, atanh_f32, atanh_f64, NULL, NULL},
    {&jm_op_trunc, 1, -1, trunc_f32, trunc_f64, NULL, NULL},
    {&jm_op_expm1, 20, -1, expm1_f32, expm1_f64, NULL, NULL},
    {&jm_op_log1p, 20, -1, log1p_f32, log1p_f64, NULL, NULL},
    {&jm_op_log2, 20, -1, log2_f32, log2_f64, NULL, NULL},
    {&jm_op_log10, 20, -1, log10_f32, log10_f64, NULL, NULL},
    {&jm_op_erfc, 20, -1, erfc_f32, erfc_f64, NULL, NULL},
    {&jm_op_erfinv, 20, -1, erfinv_f32, erfinv_f64, NULL, NULL},
    {&jm_op_sinc, 20, -1, sinc_f32, sinc_f64, NULL, NULL},
    {&jm_op_thresholded_relu, 0.5, -1, thresholded_relu_f32, thresholded_relu_f64, NULL, NULL},
    {&jm_op_shrink, 0.5, -1, shrink_f32, shrink_f64, shrink_i32, shrink_i64},
    {&jm_op_not, 1, -1, NULL, NULL, not_i32, NULL},
    {&jm_op_bitwise_not, 1, -1, NULL, NULL, bitwise_not_i32, bitwise_not_i64},
};

static const struct unary *find(const jm_op *op)
{
    const struct unary *row = table;
    while (row->op != op) row++;
    return row;
}

static int unary_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    return jm_elementwise_forms(call, 1, find(call->op)->ns, forms);
}

/* Exactly one of f32 and plain is set. */
struct unary_state {
    jm_elementwise walk;
    f32_function f32;
    plain_function plain;
    size_t size; /* bytes of a compute element */
    double alpha, beta;
};

static jm_status unary_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                            jm_plan *plan)
{
    (void)form;
    const struct unary *row = find(call->op);
    struct unary_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    jm_dtype compute = jm_compute_dtype(call->in[0].dtype);
    int kernel = row->kernel;
    if (call->op == &jm_op_gelu) {
        bool tanh_form = strcmp(call->attr[0].s, "tanh") == 0;
        kernel = tanh_form ? JM_UNARY_GELU_TANH : kernel;
        state->plain = tanh_form ? gelu_tanh_f64 : row->f64;
    } else {
        int attrs = jm_op_attrs(call->op);
        state->alpha = attrs > 0 ? call->attr[0].f : 0;
        state->beta = attrs > 1 ? call->attr[1].f : 0;
        /* The complement of a bool has no other bits. */
        if (call->op == &jm_op_bitwise_not && call->in[0].dtype == JM_BOOL) row = find(&jm_op_not);
        state->plain = compute == JM_F64 ? row->f64 : (compute == JM_I64 ? row->i64 : row->i32);
    }
    if (compute == JM_F32) {
        state->plain = NULL;
        state->f32 = kernel < 0 ? row->f32 : machine->kernels->pointwise.unary[kernel];
    }
    if (!state->plain && !state->f32)
        return jm_call_error(call, JM_UNSUPPORTED, "%s is not supported", jm_dtype_text(call->in[0].dtype));
    state->size = jm_dtype_size(compute);
    return jm_elementwise_plan(call, 1, (jm_dtype[]){compute, compute}, &state->walk, plan);
}

static void unary_rows(const void *context, void *y, const void *const in[JM_ELEMENTWISE_INPUTS],
                       const size_t step[JM_ELEMENTWISE_INPUTS], size_t n)
{
    const struct unary_state *state = context;
    /* An expanded scalar has 16 copies only. */
    size_t part = step[0] == JM_STEP_LANES ? JM_LANES : n;
    for (size_t done = 0; done < n; done += part) {
        char *to = (char *)y + done * state->size;
        size_t count = JM_MIN(part, n - done);
        if (state->f32)
            state->f32((float *)(void *)to, in[0], count, (float)state->alpha, (float)state->beta);
        else
            state->plain(to, in[0], count, state->alpha, state->beta);
    }
}

static void unary_run(const jm_plan *plan, const jm_run *run)
{
    const struct unary_state *state = plan->state;
    jm_elementwise_run(&state->walk, run, unary_rows, state);
}

/* ---- Identity, Cast and BitCast: the walk's own copies and conversions ---- */

extern const jm_op jm_op_bit_cast;

struct copy_state {
    jm_elementwise walk;
    size_t size; /* bytes of an input element */
};

static int copy_forms(const jm_call *call, jm_form forms[JM_MAX_FORMS])
{
    return jm_elementwise_forms(call, 1, call->in[0].dtype == call->out[0].dtype ? 0 : 1, forms);
}

/* Cast converts on the way out; BitCast moves the bytes as they are. */
static jm_status copy_plan(const jm_call *call, const jm_form *form, const jm_machine *machine, jm_arena *arena,
                           jm_plan *plan)
{
    (void)form, (void)machine;
    struct copy_state *state = jm_arena_alloc(arena, 1, sizeof(*state));
    if (!state) return JM_OUT_OF_MEMORY;
    plan->state = state;
    jm_dtype from = call->in[0].dtype;
    state->size = jm_dtype_size(from);
    jm_dtype result = call->op == &jm_op_bit_cast ? call->out[0].dtype : from;
    return jm_elementwise_plan(call, 1, (jm_dtype[]){result, from}, &state->walk, plan);
}

static void copy_rows(const void *context, void *y, const void *const in[JM_ELEMENTWISE_INPUTS],
                      const size_t step[JM_ELEMENTWISE_INPUTS], size_t n)
{
    const struct copy_state *state = context;
    if (y == in[0]) return;
    size_t part = step[0] == JM_STEP_LANES ? JM_LANES : n;
    for (size_t done = 0; done < n; done += part)
        memcpy((char *)y + done * state->size, in[0], JM_MIN(part, n - done) * state->size);
}

static void copy_run(const jm_plan *plan, const jm_run *run)
{
    const struct copy_state *state = plan->state;
    jm_elementwise_run(&state->walk, run, copy_rows, state);
}

const jm_op jm_op_identity = {
    .name = "Identity",
    .param = no_param,
    .params = JM_COUNT(no_param),
    .dtype_rule = JM_DTYPE_SAME,
    .dtypes = JM_DTYPES_ANY,
    .formula = "x",
    .source = "ONNX Identity-19",
    .view = true,
    .pointwise = true,
    .infer = jm_infer_same,
    .forms = copy_forms,
    .plan = copy_plan,
    .run = copy_run,
};

static jm_status infer_cast(jm_call *call)
{
    call->out[0].dtype = call->attr[0].dtype;
    call->out[0].shape = call->in[0].shape;
    return JM_OK;
}

static const jm_param cast_param[] = {
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "input"},
    {.name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "one element for each of X"},
    {.name = "to", .kind = JM_PARAM_DTYPE, .doc = "type of the output"},
};

const jm_op jm_op_cast = {
    .name = "Cast",
    .param = cast_param,
    .params = JM_COUNT(cast_param),
    .dtype_rule = JM_DTYPE_ANY,
    .formula = "x as another type: floats truncate and saturate to integers, integers wrap, anything != 0 is true",
    .source = "ONNX Cast-13",
    .pointwise = true,
    .infer = infer_cast,
    .forms = copy_forms,
    .plan = copy_plan,
    .run = copy_run,
};

static jm_status check_bit_cast(const jm_call *call)
{
    jm_dtype from = call->in[0].dtype, to = call->attr[0].dtype;
    if (jm_dtype_size(from) == jm_dtype_size(to)) return JM_OK;
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s and %s have elements of different sizes", jm_dtype_text(from),
                         jm_dtype_text(to));
}

const jm_op jm_op_bit_cast = {
    .name = "BitCast",
    .param = cast_param,
    .params = JM_COUNT(cast_param),
    .dtype_rule = JM_DTYPE_ANY,
    .formula = "the bits of x as another type of the same size",
    .source = "ONNX BitCast-26",
    .pointwise = true,
    .check = check_bit_cast,
    .infer = infer_cast,
    .forms = copy_forms,
    .plan = copy_plan,
    .run = copy_run,
};
