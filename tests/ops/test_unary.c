/* SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise operators with one input, against models in float64.
 */
#include "numeric.h"

#define ALL_FLOATS (1u << JM_F32 | 1u << JM_F16 | 1u << JM_BF16 | 1u << JM_F64)

/* ---- Models: alpha and beta are the operator's attributes in their order ---- */

static double clip(double x, double low, double high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}
static double softplus(double x)
{
    return x > 40 ? x : log1p(exp(x));
}

static double relu(double x, double a, double b)
{
    (void)a, (void)b;
    return x != x || x > 0 ? x : 0;
}
static double leaky_relu(double x, double a, double b)
{
    (void)b;
    return x < 0 ? a * x : x;
}
static double sigmoid(double x, double a, double b)
{
    (void)a, (void)b;
    return 1 / (1 + exp(-x));
}
static double silu(double x, double a, double b)
{
    return x == -INFINITY ? NAN : x * sigmoid(x, a, b); /* -inf * 0 */
}
static double hard_sigmoid(double x, double a, double b)
{
    return clip(a * x + b, 0, 1);
}
static double hard_swish(double x, double a, double b)
{
    (void)a, (void)b;
    return x * clip(x / 6 + 0.5, 0, 1);
}
static double tanh_of(double x, double a, double b)
{
    (void)a, (void)b;
    return tanh(x);
}
static double gelu(double x, double a, double b)
{
    (void)a, (void)b;
    return 0.5 * x * (1 + erf(x / sqrt(2)));
}
static double mish(double x, double a, double b)
{
    (void)a, (void)b;
    return x * tanh(softplus(x));
}
static double softplus_of(double x, double a, double b)
{
    (void)a, (void)b;
    return softplus(x);
}
static double softsign(double x, double a, double b)
{
    (void)a, (void)b;
    return x / (1 + fabs(x));
}
static double elu(double x, double a, double b)
{
    (void)b;
    return x < 0 ? a * expm1(x) : x;
}
static double selu(double x, double a, double b)
{
    return b * elu(x, a, 0);
}
static double exp_of(double x, double a, double b)
{
    (void)a, (void)b;
    return exp(x);
}
static double log_of(double x, double a, double b)
{
    (void)a, (void)b;
    return log(x);
}
static double erf_of(double x, double a, double b)
{
    (void)a, (void)b;
    return erf(x);
}
static double sqrt_of(double x, double a, double b)
{
    (void)a, (void)b;
    return sqrt(x);
}
static double reciprocal(double x, double a, double b)
{
    (void)a, (void)b;
    return 1 / x;
}
static double neg(double x, double a, double b)
{
    (void)a, (void)b;
    return -x;
}
static double abs_of(double x, double a, double b)
{
    (void)a, (void)b;
    return fabs(x);
}
static double sign(double x, double a, double b)
{
    (void)a, (void)b;
    return x != x ? x : (x > 0) - (x < 0);
}
static double floor_of(double x, double a, double b)
{
    (void)a, (void)b;
    return floor(x);
}
static double ceil_of(double x, double a, double b)
{
    (void)a, (void)b;
    return ceil(x);
}
static double round_of(double x, double a, double b)
{
    (void)a, (void)b;
    return rint(x);
}
static double sin_of(double x, double a, double b)
{
    (void)a, (void)b;
    return sin(x);
}
static double cos_of(double x, double a, double b)
{
    (void)a, (void)b;
    return cos(x);
}
static double tan_of(double x, double a, double b)
{
    (void)a, (void)b;
    return tan(x);
}
static double asin_of(double x, double a, double b)
{
    (void)a, (void)b;
    return asin(x);
}
static double acos_of(double x, double a, double b)
{
    (void)a, (void)b;
    return acos(x);
}
static double atan_of(double x, double a, double b)
{
    (void)a, (void)b;
    return atan(x);
}
static double sinh_of(double x, double a, double b)
{
    (void)a, (void)b;
    return sinh(x);
}
static double cosh_of(double x, double a, double b)
{
    (void)a, (void)b;
    return cosh(x);
}
static double asinh_of(double x, double a, double b)
{
    (void)a, (void)b;
    return asinh(x);
}
static double trunc_of(double x, double a, double b)
{
    (void)a, (void)b;
    return trunc(x);
}
static double expm1_of(double x, double a, double b)
{
    (void)a, (void)b;
    return expm1(x);
}
static double log1p_of(double x, double a, double b)
{
    (void)a, (void)b;
    return log1p(x);
}
static double log2_of(double x, double a, double b)
{
    (void)a, (void)b;
    return log2(x);
}
static double log10_of(double x, double a, double b)
{
    (void)a, (void)b;
    return log10(x);
}
static double erfc_of(double x, double a, double b)
{
    (void)a, (void)b;
    return erfc(x);
}
static double acosh_of(double x, double a, double b)
{
    (void)a, (void)b;
    return acosh(x);
}
static double atanh_of(double x, double a, double b)
{
    (void)a, (void)b;
    return atanh(x);
}
static double thresholded_relu(double x, double a, double b)
{
    (void)b;
    return x > a ? x : 0;
}
static double shrink(double x, double a, double b)
{
    return x < -b ? x + a : x > b ? x - a : 0;
}
static double bitwise_not(double x, double a, double b)
{
    (void)a, (void)b;
    return -1 - x;
}
static double not_of(double x, double a, double b)
{
    (void)a, (void)b;
    return x == 0;
}
static double identity(double x, double a, double b)
{
    (void)a, (void)b;
    return x;
}

/* `ulp` bounds the float32 error in units of the result, `ulp_x` adds units of the input (functions that cancel). */
static const struct model {
    const char *op;
    double (*f)(double x, double a, double b);
    double ulp, ulp_x;
    const char *attr[2];
    double low, high; /* inputs of the random tests */
} models[] = {
    {"Relu", relu, 0, 0, {NULL}, -5, 5},
    {"LeakyRelu", leaky_relu, 0.5, 0, {"alpha"}, -5, 5},
    {"Clip", clip, 0, 0, {"min", "max"}, -5, 5},
    {"Sigmoid", sigmoid, 3, 0, {NULL}, -20, 20},
    {"Silu", silu, 3, 0, {NULL}, -20, 20},
    {"HardSigmoid", hard_sigmoid, 0.5, 0, {"alpha", "beta"}, -5, 5},
    {"HardSwish", hard_swish, 1, 1, {NULL}, -5, 5},
    {"Tanh", tanh_of, 2, 0, {NULL}, -10, 10},
    {"Gelu", gelu, 1, 2, {NULL}, -6, 6},
    {"Mish", mish, 6, 0, {NULL}, -20, 20},
    {"Softplus", softplus_of, 3, 0, {NULL}, -20, 20},
    {"Softsign", softsign, 1.5, 0, {NULL}, -20, 20},
    {"Elu", elu, 2.5, 0, {"alpha"}, -20, 20},
    {"Selu", selu, 3.5, 0, {"alpha", "gamma"}, -20, 20},
    {"Exp", exp_of, 1, 0, {NULL}, -20, 20},
    {"Log", log_of, 1, 0, {NULL}, -1, 50},
    {"Erf", erf_of, 2, 0, {NULL}, -4, 4},
    {"Sqrt", sqrt_of, 0.5, 0, {NULL}, -1, 50},
    {"Reciprocal", reciprocal, 0.5, 0, {NULL}, -5, 5},
    {"Neg", neg, 0, 0, {NULL}, -100, 100},
    {"Abs", abs_of, 0, 0, {NULL}, -100, 100},
    {"Sign", sign, 0, 0, {NULL}, -3, 3},
    {"Floor", floor_of, 0, 0, {NULL}, -9, 9},
    {"Ceil", ceil_of, 0, 0, {NULL}, -9, 9},
    {"Round", round_of, 0, 0, {NULL}, -9, 9},
    {"Sin", sin_of, 0.51, 0, {NULL}, -30, 30},
    {"Cos", cos_of, 0.51, 0, {NULL}, -30, 30},
    {"Tan", tan_of, 0.51, 0, {NULL}, -30, 30},
    {"Asin", asin_of, 0.51, 0, {NULL}, -1.1, 1.1},
    {"Acos", acos_of, 0.51, 0, {NULL}, -1.1, 1.1},
    {"Atan", atan_of, 0.51, 0, {NULL}, -30, 30},
    {"Sinh", sinh_of, 0.51, 0, {NULL}, -20, 20},
    {"Cosh", cosh_of, 0.51, 0, {NULL}, -20, 20},
    {"Asinh", asinh_of, 0.51, 0, {NULL}, -50, 50},
    {"Acosh", acosh_of, 0.51, 0, {NULL}, 0.5, 50},
    {"Atanh", atanh_of, 0.51, 0, {NULL}, -1.1, 1.1},
    {"Trunc", trunc_of, 0, 0, {NULL}, -50, 50},
    {"Expm1", expm1_of, 0.51, 0, {NULL}, -20, 20},
    {"Log1p", log1p_of, 0.51, 0, {NULL}, -1.5, 50},
    {"Log2", log2_of, 0.51, 0, {NULL}, -1, 50},
    {"Log10", log10_of, 0.51, 0, {NULL}, -1, 50},
    {"Erfc", erfc_of, 0.51, 0, {NULL}, -6, 9},
    {"ThresholdedRelu", thresholded_relu, 0, 0, {"alpha"}, -3, 3},
    {"Shrink", shrink, 0.51, 0, {"bias", "lambd"}, -3, 3},
    {"BitwiseNot", bitwise_not, 0, 0, {NULL}, -100, 100},
    {"Not", not_of, 0, 0, {NULL}, 0, 2},
    {"Identity", identity, 0, 0, {NULL}, -100, 100},
};

/* Attributes with float32 values, so that the model sees what the kernel sees. */
static void set_attrs(op_test *t, const struct model *model, uint64_t *random, double value[2])
{
    value[0] = value[1] = 0;
    for (int i = 0; i < 2 && model->attr[i]; i++) {
        value[i] = (float)op_random_real(random, 0.1, 2);
        if (i == 0 && strcmp(model->attr[i], "min") == 0) value[i] = -value[i];
        op_test_float(t, model->attr[i], value[i]);
    }
}

/* Error allowed at x: the kernel's, and the rounding to the storage type. */
static double allowed(const struct model *model, jm_dtype dtype, double x, double want)
{
    if (!is_float(dtype)) return 0;
    if (dtype == JM_F64) return 4 * ulp_of(JM_F64, want) + 4 * model->ulp_x * ulp_of(JM_F64, x);
    double error = model->ulp * ulp_of(JM_F32, want) + model->ulp_x * ulp_of(JM_F32, x);
    /* Sigmoid and its kin are 0 where the exponential overflows, below x = -88. */
    if (model->ulp >= 2) error += 0x1p-120;
    return error + (dtype == JM_F32 ? 0 : 0.51 * ulp_of(dtype, want));
}

static void check_output(const struct model *model, const double attr[2], const jm_tensor *in, const jm_tensor *out)
{
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_ok(jm_shape_count(&in->shape, &count));
    assert_true(jm_shape_equal(&in->shape, &out->shape) && in->dtype == out->dtype);
    if (count == 0) return;
    do {
        char what[100];
        double x = number_at(in, index), got = number_at(out, index), want = model->f(x, attr[0], attr[1]);
        if (strcmp(model->op, "BitwiseNot") == 0) {
            int64_t bits = jm_element_to_i64(in->dtype, jm_tensor_at(in, index));
            bits = in->dtype == JM_BOOL ? !bits : ~bits;
            jm_element_from_i64(in->dtype, bits, &bits);
            want = jm_element_to_f64(in->dtype, &bits);
        }
        snprintf(what, sizeof(what), "%s of %s %.9g", model->op, jm_dtype_text(in->dtype), x);
        if (is_float(in->dtype) && in->dtype != JM_F64 && (isinf(want) || want != want) == 0 && isinf(x) == 0)
            assert_close(what, in->dtype, got, want, allowed(model, in->dtype, x, want));
        else
            assert_close(what, in->dtype, got, want, allowed(model, in->dtype, isinf(x) ? 1 : x, want));
    } while (op_test_next(&in->shape, index));
}

/* Every operator and type, random shapes of rank 0 to 8 (zero elements too) and strides. */
static void random_calls(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        const struct model *model = &models[m];
        const jm_op *op = jm_op_find(model->op);
        assert_non_null(op);
        for (int dtype = 0; dtype < 32; dtype++) {
            if (!is_real_type(dtype) || (op->dtypes && !(op->dtypes >> dtype & 1))) continue;
            for (int round = 0; round < 4; round++) {
                op_test t;
                double attr[2];
                int rank = round == 0 ? 4 : (int)op_random_int(&random, 0, JM_MAX_RANK);
                jm_shape shape = op_test_shape(&random, rank, op_random_int(&random, 0, 15) ? 1 : 0, 20, 3000);
                bool is_unsigned = dtype == JM_U8 || dtype == JM_U16 || dtype == JM_U32 || dtype == JM_U64;
                op_test_begin(&t, model->op);
                set_attrs(&t, model, &random, attr);
                if (!is_float((jm_dtype)dtype))
                    for (int i = 0; i < 2; i++) {
                        attr[i] = trunc(attr[i]);
                        if (model->attr[i]) op_test_float(&t, model->attr[i], attr[i]);
                    }
                jm_tensor in = random_numbers(&t, (jm_dtype)dtype, &shape, &random,
                                              is_unsigned && model->low < 0 ? 0 : model->low, model->high, true);
                op_test_input(&t, in);
                jm_tensor out = run_every_way(&t, &random);
                check_output(model, attr, &in, &out);
                op_test_end(&t);
            }
        }
    }
}

/* float32 functions over the whole range of bit patterns, coarsely, and densely around what is usual. */
static void accuracy(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    enum { COUNT = 60000 };
    for (size_t m = 0; m < JM_COUNT(models); m++) {
        const struct model *model = &models[m];
        if (!(jm_op_find(model->op)->dtypes >> JM_F32 & 1)) continue;
        op_test t;
        double attr[2], worst = 0, worst_x = 0;
        jm_shape shape = {.rank = 1, .dim = {COUNT}};
        op_test_begin(&t, model->op);
        set_attrs(&t, model, &random, attr);
        jm_tensor in = op_test_tensor(&t, JM_F32, &shape, &random);
        float *x = in.data;
        for (int i = 0; i < COUNT; i++) {
            uint32_t bits = (uint32_t)((uint64_t)i * 0x100000000u / COUNT + (op_random(&random) & 0xffff));
            if (i % 2)
                memcpy(&x[i], &bits, sizeof(bits));
            else
                x[i] = (float)(op_random_real(&random, -1, 1) * ldexp(1, (int)op_random_int(&random, -4, 7)));
        }
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        check_output(model, attr, &in, &out);
        for (int i = 0; i < COUNT; i++) {
            double want = model->f((double)x[i], attr[0], attr[1]), got = (double)((float *)out.data)[i];
            double unit = ulp_of(JM_F32, want) + (model->ulp_x > 0 ? ulp_of(JM_F32, (double)x[i]) : 0);
            double error = fabs(got - want) / unit;
            if (!isfinite(want) || !isfinite(got) || fabs(want) < 0x1p-100 || error <= worst) continue;
            worst = error;
            worst_x = (double)x[i];
        }
        print_message("%-12s worst %.2f ulp at %.9g\n", model->op, worst, worst_x);
        op_test_end(&t);
    }
}

static void gelu_with_tanh(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype dtypes[] = {JM_F32, JM_F64, JM_F16};
    for (size_t d = 0; d < JM_COUNT(dtypes); d++) {
        op_test t;
        jm_shape shape = {.rank = 1, .dim = {5000}};
        op_test_begin(&t, "Gelu");
        op_test_string(&t, "approximate", "tanh");
        jm_tensor in = random_numbers(&t, dtypes[d], &shape, &random, -8, 8, false);
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        for (int64_t i = 0; i < 5000; i++) {
            int64_t index[JM_MAX_RANK] = {i};
            double x = number_at(&in, index);
            double want = 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
            double error = dtypes[d] == JM_F64 ? 1e-14 : 3 * ulp_of(dtypes[d], x);
            assert_close("Gelu tanh", dtypes[d], number_at(&out, index), want, error);
        }
        op_test_end(&t);
    }
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    jm_shape shape = {.rank = 1, .dim = {1}};
    op_test_begin(&t, "Gelu");
    op_test_string(&t, "approximate", "sometimes");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
    assert_int_equal(op_test_forms(&t, forms), 0);
    assert_non_null(strstr(jm_last_error(), "sometimes"));
    op_test_end(&t);
}

/* Cast is jm_convert, for every pair of types. */
static void casts(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int from = 0; from < 32; from++)
        for (int to = 0; to < 32; to++) {
            if (!is_real_type(from) || !is_real_type(to)) continue;
            op_test t;
            jm_shape shape = op_test_shape(&random, (int)op_random_int(&random, 0, 5), 1, 9, 2000);
            op_test_begin(&t, "Cast");
            op_test_dtype(&t, "to", (jm_dtype)to);
            jm_tensor in = random_numbers(&t, (jm_dtype)from, &shape, &random, -300, 300, true);
            op_test_input(&t, in);
            jm_tensor out = run_every_way(&t, &random), dense = op_test_copy(&t, &in, JM_PLAIN, NULL);
            int64_t count;
            assert_ok(jm_shape_count(&shape, &count));
            jm_tensor want = op_test_tensor(&t, (jm_dtype)to, &shape, &random);
            assert_ok(jm_convert((jm_dtype)from, dense.data, (jm_dtype)to, want.data, (size_t)count));
            assert_same_numbers("Cast", &out, &want);
            op_test_end(&t);
        }
}

/* IsNaN and IsInf of every float type, and signs that do not count. */
static void float_classes(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype types[] = {JM_F32, JM_F64, JM_F16, JM_BF16};
    static const double values[] = {NAN, INFINITY, -INFINITY, 0, -1.5};
    for (int way = 0; way < 5 * (int)JM_COUNT(types); way++) {
        const int negative = way & 1, positive = way >> 1 & 1;
        const bool nan = way % 5 == 4;
        op_test t;
        jm_shape shape = {.rank = 2, .dim = {17, 23}};
        op_test_begin(&t, nan ? "IsNaN" : "IsInf");
        if (!nan) op_test_int(&t, "detect_negative", negative);
        if (!nan) op_test_int(&t, "detect_positive", positive);
        jm_tensor in = op_test_tensor(&t, types[way / 5], &shape, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            double value = values[op_random_int(&random, 0, JM_COUNT(values) - 1)];
            jm_element_from_f64(in.dtype, value, jm_tensor_at(&in, index));
        } while (op_test_next(&shape, index));
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        assert_int_equal(out.dtype, JM_BOOL);
        do {
            double x = number_at(&in, index);
            bool want = nan ? x != x : (x == INFINITY && positive) || (x == -INFINITY && negative);
            assert_int_equal(number_at(&out, index) != 0, want);
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

/* The bytes stay; sizes must agree. */
static void bit_casts(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int from = 0; from < 32; from++)
        for (int to = 0; to < 32; to++) {
            const size_t size = jm_dtype_size((jm_dtype)from), other = jm_dtype_size((jm_dtype)to);
            if (!is_real_type(from) || !is_real_type(to)) continue;
            op_test t;
            jm_form forms[JM_MAX_FORMS];
            jm_shape shape = {.rank = 2, .dim = {9, 31}};
            op_test_begin(&t, "BitCast");
            op_test_dtype(&t, "to", (jm_dtype)to);
            jm_tensor in = op_test_tensor(&t, (jm_dtype)from, &shape, &random);
            op_test_input(&t, in);
            if (size == other) {
                jm_tensor out = run_every_way(&t, &random);
                assert_int_equal(out.dtype, to);
                assert_memory_equal(out.data, in.data, 9 * 31 * size);
            } else {
                assert_int_equal(op_test_forms(&t, forms), 0);
                assert_non_null(strstr(jm_last_error(), "different sizes"));
            }
            op_test_end(&t);
        }
}

/* A tensor that repeats one element (stride 0), as Expand's views do. */
static void expanded_input(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const char *const ops[] = {"Sigmoid", "Identity", "Abs"};
    for (size_t i = 0; i < JM_COUNT(ops); i++)
        for (int dtype = 0; dtype < 2; dtype++) {
            op_test t;
            jm_shape one = {.rank = 0}, shape = {.rank = 2, .dim = {7, 50}};
            op_test_begin(&t, ops[i]);
            jm_tensor in = op_test_tensor(&t, dtype ? JM_F16 : JM_F32, &one, &random), many = in;
            many.shape = shape;
            many.stride[0] = many.stride[1] = 0;
            op_test_input(&t, many);
            t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
            assert_ok(op_test_run(&t));
            jm_tensor out = op_test_output(&t, 0);
            for (int64_t k = 0; k < 350; k++)
                assert_true(number_at(&out, (int64_t[JM_MAX_RANK]){k / 50, k % 50}) ==
                            number_at(&out, (int64_t[8]){0}));
            op_test_end(&t);
        }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls), cmocka_unit_test(accuracy),       cmocka_unit_test(gelu_with_tanh),
        cmocka_unit_test(casts),        cmocka_unit_test(expanded_input), cmocka_unit_test(float_classes),
        cmocka_unit_test(bit_casts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
