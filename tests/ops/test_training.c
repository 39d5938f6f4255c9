/* SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise operators of training: any shapes, strides and types, the same bits at every level, against models in
 * float64 that say the mathematics and not the code: derivatives are differences of the functions.
 */
#include "numeric.h"

/* ---- Models ---- */

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}
static double silu(double x)
{
    return x * sigmoid(x);
}
static double gelu(double x)
{
    return 0.5 * x * erfc(-x / sqrt(2));
}
static double gelu_tanh(double x)
{
    return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
}

/* Central differences of fourth order: within 1e-10 for functions of moderate size. */
static double slope(double (*f)(double), double x)
{
    const double h = 1e-3;
    return (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h);
}

/* `p` is the operator's number. */
static double threshold_model(double dy, double x, double t, double p)
{
    (void)t;
    return x > p ? dy : 0;
}
static double leaky_relu_model(double dy, double x, double t, double p)
{
    (void)t;
    return x > 0 ? dy : p * dy;
}
static double sigmoid_model(double dy, double y, double t, double p)
{
    (void)t, (void)p;
    return dy * y * (1 - y);
}
static double tanh_model(double dy, double y, double t, double p)
{
    (void)t, (void)p;
    return dy * (1 - y) * (1 + y);
}
static double silu_model(double dy, double x, double t, double p)
{
    (void)t, (void)p;
    return dy * slope(silu, x);
}
static double hard_sigmoid_model(double dy, double x, double t, double p)
{
    (void)t, (void)p;
    return fabs(x) < 3 ? dy / 6 : 0;
}
static double hard_swish_model(double dy, double x, double t, double p)
{
    (void)t, (void)p;
    if (fabs(x) < 3) return dy * (2 * x + 3) / 6;
    return x > 0 ? dy : 0;
}
static double gelu_model(double dy, double x, double t, double p)
{
    (void)t, (void)p;
    return dy * slope(gelu, x);
}
static double gelu_tanh_model(double dy, double x, double t, double p)
{
    (void)t, (void)p;
    return dy * slope(gelu_tanh, x);
}
static double squared_error_model(double x, double t, double unused, double p)
{
    (void)unused, (void)p;
    return pow(x - t, 2);
}
static double smooth_l1_model(double x, double t, double unused, double p)
{
    const double d = fabs(x - t);
    (void)unused;
    return d < p ? d * d / (2 * p) : d - p / 2;
}
static double cross_entropy_model(double x, double t, double unused, double p)
{
    (void)unused, (void)p;
    return -t * fmax(log(x), -100) - (1 - t) * fmax(log1p(-x), -100);
}
static double logits_model(double x, double t, double w, double p)
{
    (void)p;
    return -w * t * log(sigmoid(x)) - (1 - t) * log(sigmoid(-x));
}
static double squared_error_gradient_model(double dy, double x, double t, double p)
{
    (void)p;
    return 2 * dy * (x - t);
}
static double smooth_l1_gradient_model(double dy, double x, double t, double p)
{
    return dy * fmin(fmax((x - t) / p, -1), 1);
}
static double cross_entropy_gradient_model(double dy, double x, double t, double p)
{
    (void)p;
    return dy * ((1 - t) / (1 - x) - t / x);
}
static double logits_slope_model(double x, double t, double w, double p)
{
    (void)p;
    return (1 - t) * sigmoid(x) - w * t * sigmoid(-x);
}

/* Ranges of the operands; `error`: of a float32 element, in units of 2^-24 of the product of 1 + |operand|. */
static const struct row {
    const char *op;
    double (*model)(double, double, double, double);
    double low[3], high[3];
    const char *attr;
    double p;
    double error;
    int operands;
    bool reduces;
} rows[] = {
    {"ThresholdGradient", threshold_model, {-4, -4}, {4, 4}, "threshold", 0.5, 1, 2, false},
    {"LeakyReluGradient", leaky_relu_model, {-4, -4}, {4, 4}, "alpha", 0.25, 1, 2, false},
    {"SigmoidGradient", sigmoid_model, {-4, 0}, {4, 1}, NULL, 0, 2, 2, false},
    {"TanhGradient", tanh_model, {-4, -1}, {4, 1}, NULL, 0, 2, 2, false},
    {"SiluGradient", silu_model, {-4, -12}, {4, 12}, NULL, 0, 4, 2, false},
    {"HardSigmoidGradient", hard_sigmoid_model, {-4, -4}, {4, 4}, NULL, 0, 1, 2, false},
    {"HardSwishGradient", hard_swish_model, {-4, -4}, {4, 4}, NULL, 0, 2, 2, false},
    {"GeluGradient", gelu_model, {-4, -8}, {4, 8}, NULL, 0, 4, 2, false},
    {"GeluGradient", gelu_tanh_model, {-4, -8}, {4, 8}, "approximate", 0, 4, 2, false},
    {"SquaredError", squared_error_model, {-4, -4}, {4, 4}, NULL, 0, 16, 2, false},
    {"SmoothL1", smooth_l1_model, {-4, -4}, {4, 4}, "beta", 0.75, 4, 2, false},
    {"BinaryCrossEntropy", cross_entropy_model, {1e-6, 0}, {0.999999, 1}, NULL, 0, 8, 2, false},
    {"BinaryCrossEntropyWithLogits", logits_model, {-30, 0, 0.5}, {30, 1, 2}, NULL, 0, 8, 3, false},
    {"SquaredErrorGradient", squared_error_gradient_model, {-4, -4, -4}, {4, 4, 4}, NULL, 0, 4, 3, true},
    {"SmoothL1Gradient", smooth_l1_gradient_model, {-4, -4, -4}, {4, 4, 4}, "beta", 0.75, 8, 3, true},
    {"BinaryCrossEntropyGradient", cross_entropy_gradient_model, {-4, 0.1, 0}, {4, 0.9, 1}, NULL, 0, 60, 3, true},
    {"BinaryCrossEntropyWithLogitsSlope", logits_slope_model, {-30, 0, 0.5}, {30, 1, 2}, NULL, 0, 8, 3, true},
};

/* ---- Cases ---- */

static jm_shape narrowed(uint64_t *random, const jm_shape *shape)
{
    jm_shape out = {.rank = 0};
    int drop = op_random_int(random, 0, 2) ? 0 : (int)op_random_int(random, 0, shape->rank);
    for (int k = drop; k < shape->rank; k++) out.dim[out.rank++] = op_random_int(random, 0, 2) == 0 ? 1 : shape->dim[k];
    return out;
}

static double element(const jm_tensor *tensor, int rank, const int64_t index[])
{
    int64_t own[JM_MAX_RANK] = {0};
    for (int k = 0; k < tensor->shape.rank; k++)
        own[k] = tensor->shape.dim[k] == 1 ? 0 : index[k + rank - tensor->shape.rank];
    return number_at(tensor, own);
}

static void check_row(const struct row *row, jm_dtype dtype, const jm_shape *shape, const char *reduction,
                      uint64_t *random)
{
    op_test t;
    jm_tensor in[3] = {{0}};
    jm_shape want = {.rank = 0};
    op_test_begin(&t, row->op);
    for (int i = 0; i < row->operands; i++) {
        const jm_shape own = i == 1 ? *shape : narrowed(random, shape);
        in[i] = random_numbers(&t, dtype, &own, random, row->low[i], row->high[i], false);
        op_test_input(&t, in[i]);
        const jm_shape sofar = want;
        assert_ok(jm_shape_broadcast(&sofar, &own, &want));
    }
    if (row->attr && strcmp(row->attr, "approximate") == 0)
        op_test_string(&t, row->attr, "tanh");
    else if (row->attr)
        op_test_float(&t, row->attr, row->p);
    if (row->reduces) op_test_string(&t, "reduction", reduction);
    const jm_tensor out = run_every_way(&t, random);
    assert_true(jm_shape_equal(&out.shape, &want));
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_ok(jm_shape_count(&want, &count));
    const double share = row->reduces && strcmp(reduction, "mean") == 0 ? 1.0 / (double)count : 1;
    if (count) do {
            double x[3] = {0}, size = 1;
            for (int i = 0; i < row->operands; i++) {
                x[i] = element(&in[i], want.rank, index);
                size *= 1 + fabs(x[i]);
            }
            const double result = row->model(x[0], x[1], x[2], row->p) * share;
            char what[120];
            snprintf(what, sizeof(what), "%s of %s %.9g %.9g %.9g", row->op, jm_dtype_text(dtype), x[0], x[1], x[2]);
            const double error = dtype == JM_F64 ? 1e-9 : row->error * 0x1p-24;
            assert_close(what, dtype, number_at(&out, index), result,
                         error * size * share + (dtype == JM_F64 ? 0 : 0.51 * ulp_of(dtype, result)));
        } while (op_test_next(&want, index));
    op_test_end(&t);
}

static void random_calls(void **state)
{
    (void)state;
    static const jm_dtype types[] = {JM_F32, JM_F16, JM_BF16, JM_F64};
    static const char *const reductions[] = {"none", "mean", "sum"};
    uint64_t random = *test_random_state();
    for (size_t i = 0; i < JM_COUNT(rows); i++)
        for (size_t d = 0; d < JM_COUNT(types); d++)
            for (int round = 0; round < 6; round++) {
                const int rank = (int)op_random_int(&random, 0, JM_MAX_RANK);
                const jm_shape shape = op_test_shape(&random, rank, round ? 1 : 0, 14, 3000);
                check_row(&rows[i], types[d], &shape, reductions[round % 3], &random);
            }
}

/* Where the pieces of functions meet, and where numbers run out. */
static void edges(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        float in[3], want;
        int operands;
    } cases[] = {
        {"HardSwishGradient", {2, -3}, 0, 2},
        {"HardSwishGradient", {2, 3}, 2, 2},
        {"HardSigmoidGradient", {2, -3}, 0, 2},
        {"HardSigmoidGradient", {2, 3}, 0, 2},
        {"ThresholdGradient", {2, 0}, 0, 2},
        {"ThresholdGradient", {2, NAN}, 2, 2},
        {"LeakyReluGradient", {2, 0}, 0.02f, 2},
        {"GeluGradient", {2, 1e30f}, 2, 2},
        {"GeluGradient", {2, -1e30f}, 0, 2},
        {"SiluGradient", {2, 100}, 2, 2},
        {"SiluGradient", {2, -200}, 0, 2},
        {"SiluGradient", {2, INFINITY}, NAN, 2},
        {"BinaryCrossEntropy", {0, 1}, 100, 2},
        {"BinaryCrossEntropy", {1, 0}, 100, 2},
        {"BinaryCrossEntropy", {1, 1}, 0, 2},
        {"BinaryCrossEntropy", {0, 0}, 0, 2},
        {"BinaryCrossEntropy", {1e-20f, 0}, 1e-20f, 2},
        {"BinaryCrossEntropyGradient", {1, 0, 1}, -1e12f, 3},
        {"BinaryCrossEntropyWithLogits", {-1000, 1, 1}, 1000, 3},
        {"BinaryCrossEntropyWithLogits", {1000, 1, 1}, 0, 3},
        {"BinaryCrossEntropyWithLogits", {1000, 0, 1}, 1000, 3},
        {"SmoothL1Gradient", {2, 1, 0}, 2, 3},
        {"SmoothL1Gradient", {2, -1, 0}, -2, 3},
    };
    uint64_t random = 1;
    const jm_shape scalar = {.rank = 0};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        op_test t;
        char what[160];
        op_test_begin(&t, cases[i].op);
        for (int k = 0; k < cases[i].operands; k++)
            op_test_input(&t, op_test_constant(&t, JM_F32, &scalar, &cases[i].in[k]));
        const jm_tensor out = run_every_way(&t, &random);
        snprintf(what, sizeof(what), "%s, case %zu", cases[i].op, i);
        assert_close(what, JM_F32, (double)*(float *)out.data, (double)cases[i].want,
                     1e-6 * fabs((double)cases[i].want));
        op_test_end(&t);
    }
}

static void illegal_calls(void **state)
{
    (void)state;
    uint64_t random = 1;
    const jm_shape two = {1, {2}}, three = {1, {3}};
    op_test t;
    for (int i = 0; i < 5; i++) {
        op_test_begin(&t, i < 1   ? "SiluGradient"
                          : i < 2 ? "GeluGradient"
                          : i < 4 ? "SmoothL1Gradient"
                                  : "LeakyReluGradient");
        op_test_input(&t, op_test_tensor(&t, JM_F32, &two, &random));
        op_test_input(&t, op_test_tensor(&t, JM_F32, i < 1 ? &three : &two, &random));
        if (i == 2 || i == 3) op_test_input(&t, op_test_tensor(&t, JM_F32, &two, &random));
        if (i == 1) op_test_string(&t, "approximate", "sometimes");
        if (i == 2) op_test_float(&t, "beta", -1);
        if (i == 3) op_test_string(&t, "reduction", "product");
        if (i == 4) op_test_float(&t, "alpha", -1);
        if (i == 4) op_test_int(&t, "result", 1);
        assert_int_equal(op_test_run(&t), JM_INVALID_ARGUMENT);
        op_test_end(&t);
    }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls),
        cmocka_unit_test(edges),
        cmocka_unit_test(illegal_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
