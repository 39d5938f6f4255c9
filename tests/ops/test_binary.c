/* SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise operators with two or three inputs: numpy broadcasting of any shapes, strides and types, against models
 * in float64 and int64.
 */
#include "numeric.h"

/* ---- Models ---- */

/* Integers as the operator documents them: wrapping, x / 0 = x % 0 = 0. */
static int64_t int_model(const char *op, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    if (strcmp(op, "Add") == 0) return (int64_t)(x + y);
    if (strcmp(op, "Sub") == 0) return (int64_t)(x - y);
    if (strcmp(op, "Mul") == 0) return (int64_t)(x * y);
    if (strcmp(op, "Div") == 0) return b == 0 ? 0 : (b == -1 ? (int64_t)(0 - x) : a / b);
    if (strcmp(op, "Min") == 0) return a < b ? a : b;
    if (strcmp(op, "Max") == 0) return a > b ? a : b;
    if (strcmp(op, "Mod") == 0) {
        if (b == 0 || b == -1) return 0;
        int64_t r = a % b;
        return r && (r < 0) != (b < 0) ? r + b : r;
    }
    if (strcmp(op, "Pow") == 0) {
        uint64_t result = 1;
        if (b < 0) return a == 1 || (a == -1 && b % 2 == 0) ? 1 : (a == -1 ? -1 : 0);
        for (int64_t i = 0; i < b; i++) result *= x;
        return (int64_t)result;
    }
    if (strcmp(op, "Equal") == 0) return a == b;
    if (strcmp(op, "Greater") == 0) return a > b;
    if (strcmp(op, "GreaterOrEqual") == 0) return a >= b;
    if (strcmp(op, "Less") == 0) return a < b;
    if (strcmp(op, "LessOrEqual") == 0) return a <= b;
    if (strcmp(op, "And") == 0) return a && b;
    if (strcmp(op, "Or") == 0) return a || b;
    if (strcmp(op, "Xor") == 0) return !a != !b;
    if (strcmp(op, "BitwiseAnd") == 0) return a & b;
    if (strcmp(op, "BitwiseOr") == 0) return a | b;
    if (strcmp(op, "BitwiseXor") == 0) return a ^ b;
    fail_msg("no model of %s", op);
    return 0;
}

static double float_model(const char *op, double a, double b)
{
    if (strcmp(op, "Add") == 0) return a + b;
    if (strcmp(op, "Sub") == 0) return a - b;
    if (strcmp(op, "Mul") == 0) return a * b;
    if (strcmp(op, "Div") == 0) return a / b;
    if (strcmp(op, "Min") == 0) return a != a || b != b ? NAN : fmin(a, b);
    if (strcmp(op, "Max") == 0) return a != a || b != b ? NAN : fmax(a, b);
    if (strcmp(op, "Mod") == 0) return fmod(a, b);
    if (strcmp(op, "Pow") == 0) return pow(a, b);
    if (strcmp(op, "PRelu") == 0) return a < 0 ? a * b : a;
    if (strcmp(op, "Equal") == 0) return a == b;
    if (strcmp(op, "Greater") == 0) return a > b;
    if (strcmp(op, "GreaterOrEqual") == 0) return a >= b;
    if (strcmp(op, "Less") == 0) return a < b;
    if (strcmp(op, "LessOrEqual") == 0) return a <= b;
    fail_msg("no model of %s", op);
    return 0;
}

static const char *const ops[] = {
    "Add",   "Sub",        "Mul",       "Div",         "Min", "Max", "Mod",     "Pow",
    "PRelu", "Equal",      "Less",      "LessOrEqual", "And", "Or",  "Greater", "GreaterOrEqual",
    "Xor",   "BitwiseAnd", "BitwiseOr", "BitwiseXor"};

/* ---- Broadcasting ---- */

/* `shape` with leading dims dropped and others set to 1, at random. */
static jm_shape narrowed(uint64_t *random, const jm_shape *shape)
{
    jm_shape out = {.rank = 0};
    int drop = op_random_int(random, 0, 2) ? 0 : (int)op_random_int(random, 0, shape->rank);
    for (int k = drop; k < shape->rank; k++) out.dim[out.rank++] = op_random_int(random, 0, 2) == 0 ? 1 : shape->dim[k];
    return out;
}

/* Index into a tensor that broadcasts to a shape of `rank`. */
static const int64_t *narrow_index(const jm_tensor *tensor, int rank, const int64_t index[], int64_t own[JM_MAX_RANK])
{
    memset(own, 0, JM_MAX_RANK * sizeof(*own));
    for (int k = 0; k < tensor->shape.rank; k++) {
        int64_t at = index[k + rank - tensor->shape.rank];
        own[k] = tensor->shape.dim[k] == 1 ? 0 : at;
    }
    return own;
}

static void check_output(const char *op, const jm_tensor *a, const jm_tensor *b, const jm_tensor *out)
{
    int64_t index[JM_MAX_RANK] = {0}, own[JM_MAX_RANK], count;
    assert_ok(jm_shape_count(&out->shape, &count));
    if (count == 0) return;
    int rank = out->shape.rank;
    do {
        const void *x = jm_tensor_at(a, narrow_index(a, rank, index, own));
        double xf = jm_element_to_f64(a->dtype, x);
        int64_t xi = jm_element_to_i64(a->dtype, x);
        const void *y = jm_tensor_at(b, narrow_index(b, rank, index, own));
        double yf = jm_element_to_f64(b->dtype, y);
        int64_t yi = jm_element_to_i64(b->dtype, y);
        char what[120];
        snprintf(what, sizeof(what), "%s of %s %.9g and %.9g", op, jm_dtype_text(a->dtype), xf, yf);
        if (is_float(a->dtype)) {
            double want = float_model(op, xf, yf), error = 0;
            if (is_float(out->dtype)) error = (out->dtype == JM_F64 ? 2 : 0.51) * ulp_of(out->dtype, want);
            if (out->dtype == JM_F16 || out->dtype == JM_BF16) error += ulp_of(JM_F32, want);
            assert_close(what, out->dtype, number_at(out, index), want, error);
        } else {
            unsigned char want[8] = {0};
            if (is_float(b->dtype))
                jm_element_from_f64(out->dtype, float_model(op, xf, yf), want);
            else
                jm_element_from_i64(out->dtype, int_model(op, xi, yi), want);
            if (memcmp(want, jm_tensor_at(out, index), jm_dtype_size(out->dtype)) != 0)
                fail_msg("%s: %.9g", what, number_at(out, index));
        }
    } while (op_test_next(&out->shape, index));
}

static double low_of(jm_dtype dtype)
{
    return dtype == JM_U8 || dtype == JM_U16 || dtype == JM_U32 || dtype == JM_U64 || dtype == JM_BOOL ? 0 : -6;
}

static jm_tensor operand(op_test *t, jm_dtype dtype, const jm_shape *shape, uint64_t *random)
{
    double low = low_of(dtype), high = dtype == JM_BOOL ? 2 : 6;
    jm_tensor tensor = random_numbers(t, dtype, shape, random, low, high, true);
    tensor.constant = op_random_int(random, 0, 2) == 0;
    return tensor;
}

static void run_one(const char *name, jm_dtype a_dtype, jm_dtype b_dtype, const jm_shape *shape, uint64_t *random)
{
    op_test t;
    op_test_begin(&t, name);
    if (strcmp(name, "Mod") == 0 && is_float(a_dtype)) op_test_int(&t, "fmod", 1);
    jm_shape a_shape = *shape, b_shape = narrowed(random, shape);
    if (strcmp(name, "PRelu") != 0 && op_random_int(random, 0, 3) == 0) a_shape = narrowed(random, shape);
    if (strcmp(name, "PRelu") != 0 && op_random(random) & 1) {
        jm_shape swap = a_shape;
        a_shape = b_shape;
        b_shape = swap;
    }
    jm_tensor a = operand(&t, a_dtype, &a_shape, random), b = operand(&t, b_dtype, &b_shape, random);
    op_test_input(&t, a);
    op_test_input(&t, b);
    jm_tensor out = run_every_way(&t, random);
    jm_shape want;
    assert_ok(jm_shape_broadcast(&a_shape, &b_shape, &want));
    assert_true(jm_shape_equal(&out.shape, &want));
    check_output(name, &a, &b, &out);
    op_test_end(&t);
}

static void random_calls(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (size_t i = 0; i < JM_COUNT(ops); i++) {
        const jm_op *op = jm_op_find(ops[i]);
        assert_non_null(op);
        for (int dtype = 0; dtype < 32; dtype++) {
            if (jm_dtype_size((jm_dtype)dtype) == 0 || !(op->dtypes >> dtype & 1)) continue;
            for (int round = 0; round < (dtype == JM_F32 ? 12 : 4); round++) {
                int rank = round < 2 ? 4 : (int)op_random_int(&random, 0, JM_MAX_RANK);
                jm_shape shape =
                    op_test_shape(&random, rank, op_random_int(&random, 0, 15) ? 1 : 0, round < 2 ? 35 : 12, 4000);
                run_one(ops[i], (jm_dtype)dtype, (jm_dtype)dtype, &shape, &random);
            }
        }
    }
}

/* Pow takes an exponent of another type. */
static void mixed_pow(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype types[] = {JM_F32, JM_F64, JM_F16, JM_I32, JM_I64, JM_U8, JM_I8};
    for (size_t i = 0; i < JM_COUNT(types); i++)
        for (size_t j = 0; j < JM_COUNT(types); j++) {
            jm_shape shape = op_test_shape(&random, 3, 1, 9, 500);
            run_one("Pow", types[i], types[j], &shape, &random);
        }
}

/* The shapes that C16 is made for: what each is must be offered, and agree with plain. */
static void blocked_operands(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const struct {
        jm_shape b;
        bool constant, offered;
    } cases[] = {
        {{4, {2, 37, 5, 6}}, false, true},
        {{4, {2, 37, 1, 1}}, false, true},
        {{4, {1, 37, 1, 1}}, true, true},
        {{3, {37, 1, 1}}, true, true},
        {{0, {0}}, true, true},
        {{0, {0}}, false, true},
        {{1, {1}}, true, true},
        {{4, {1, 1, 1, 1}}, true, true},
        {{4, {1, 1, 5, 6}}, true, true},
        {{4, {2, 37, 5, 6}}, true, true},
        {{2, {5, 6}}, true, true},
        {{4, {1, 37, 1, 6}}, false, true},
        {{4, {2, 1, 5, 6}}, false, false},
        {{3, {37, 1, 1}}, false, false},
        {{1, {6}}, false, false},
        {{4, {2, 37, 5, 1}}, true, true},
        {{1, {6}}, true, true},
        {{4, {1, 1, 1, 1}}, false, false},
    };
    for (size_t i = 0; i < JM_COUNT(cases); i++)
        for (int swap = 0; swap < 2; swap++) {
            op_test t;
            jm_form forms[JM_MAX_FORMS];
            jm_shape shape = {.rank = 4, .dim = {2, 37, 5, 6}};
            op_test_begin(&t, "Sub");
            jm_tensor a = random_numbers(&t, JM_F32, &shape, &random, -4, 4, false);
            jm_tensor b = random_numbers(&t, JM_F32, &cases[i].b, &random, -4, 4, false);
            b.constant = cases[i].constant;
            op_test_input(&t, swap ? b : a);
            op_test_input(&t, swap ? a : b);
            assert_int_equal(op_test_forms(&t, forms), cases[i].offered ? 2 : 1);
            jm_tensor out = run_every_way(&t, &random);
            check_output("Sub", swap ? &b : &a, swap ? &a : &b, &out);
            op_test_end(&t);
        }
}

/* Large enough for several chunks, in each kind of walk. */
static void chunks(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_shape shapes[][2] = {
        {{4, {1, 40, 60, 50}}, {4, {1, 40, 1, 1}}},
        {{2, {300, 301}}, {1, {301}}},
        {{2, {60000, 2}}, {1, {2}}},
        {{1, {100000}}, {0, {0}}},
        {{4, {1, 40, 60, 50}}, {4, {1, 1, 60, 50}}},
    };
    for (size_t i = 0; i < JM_COUNT(shapes); i++) {
        op_test t;
        op_test_begin(&t, "Mul");
        jm_tensor a = random_numbers(&t, JM_F32, &shapes[i][0], &random, -4, 4, false);
        jm_tensor b = random_numbers(&t, JM_F32, &shapes[i][1], &random, -4, 4, false);
        b.constant = true;
        op_test_input(&t, a);
        op_test_input(&t, b);
        jm_tensor out = run_every_way(&t, &random);
        assert_true(t.chunks > 1);
        check_output("Mul", &a, &b, &out);
        op_test_end(&t);
    }
}

static void where(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int dtype = 0; dtype < 32; dtype++) {
        if (!is_real_type(dtype)) continue;
        for (int round = 0; round < 4; round++) {
            op_test t;
            int rank = (int)op_random_int(&random, 0, 6);
            jm_shape shape = op_test_shape(&random, rank, 1, 12, 3000), x_shape = narrowed(&random, &shape);
            jm_shape c_shape = narrowed(&random, &shape), y_shape = narrowed(&random, &shape), want;
            op_test_begin(&t, "Where");
            jm_tensor c = random_numbers(&t, JM_BOOL, &c_shape, &random, 0, 2, false);
            jm_tensor x = random_numbers(&t, (jm_dtype)dtype, &x_shape, &random, 0, 100, false);
            jm_tensor y = random_numbers(&t, (jm_dtype)dtype, &y_shape, &random, 0, 100, false);
            op_test_input(&t, c);
            op_test_input(&t, x);
            op_test_input(&t, y);
            jm_tensor out = run_every_way(&t, &random);
            assert_ok(jm_shape_broadcast(&c_shape, &x_shape, &want));
            assert_ok(jm_shape_broadcast(&want, &y_shape, &want));
            assert_true(jm_shape_equal(&out.shape, &want));
            int64_t index[JM_MAX_RANK] = {0}, own[JM_MAX_RANK];
            do {
                bool pick = *(uint8_t *)jm_tensor_at(&c, narrow_index(&c, want.rank, index, own));
                const jm_tensor *from = pick ? &x : &y;
                assert_memory_equal(jm_tensor_at(&out, index),
                                    jm_tensor_at(from, narrow_index(from, want.rank, index, own)),
                                    jm_dtype_size((jm_dtype)dtype));
            } while (op_test_next(&want, index));
            op_test_end(&t);
        }
    }
}

/* Extremes of integers: nothing traps, everything wraps as documented. */
static void integer_extremes(void **state)
{
    (void)state;
    static const int64_t values[] = {INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, -1, 0, 1, -128, 127, 255, 65535, 2, 3};
    static const char *const names[] = {"Add", "Sub", "Mul", "Div", "Mod", "Min", "Max", "Less"};
    static const jm_dtype types[] = {JM_I8, JM_I16, JM_I32, JM_I64, JM_U8, JM_U16, JM_U32};
    for (size_t n = 0; n < JM_COUNT(names); n++)
        for (size_t d = 0; d < JM_COUNT(types); d++) {
            op_test t;
            uint64_t random = 1;
            jm_shape column = {.rank = 2, .dim = {JM_COUNT(values), 1}}, row = {.rank = 1, .dim = {JM_COUNT(values)}};
            op_test_begin(&t, names[n]);
            jm_tensor a = op_test_tensor(&t, types[d], &column, &random),
                      b = op_test_tensor(&t, types[d], &row, &random);
            for (size_t i = 0; i < JM_COUNT(values); i++) {
                jm_element_from_i64(types[d], values[i], jm_tensor_at(&a, (int64_t[JM_MAX_RANK]){(int64_t)i}));
                jm_element_from_i64(types[d], values[i], jm_tensor_at(&b, (int64_t[JM_MAX_RANK]){(int64_t)i}));
            }
            op_test_input(&t, a);
            op_test_input(&t, b);
            jm_tensor out = run_every_way(&t, &random);
            check_output(names[n], &a, &b, &out);
            op_test_end(&t);
        }
}

static void mod_of_c(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    op_test t;
    jm_shape shape = {.rank = 1, .dim = {200}};
    op_test_begin(&t, "Mod");
    op_test_int(&t, "fmod", 1);
    jm_tensor a = random_numbers(&t, JM_I32, &shape, &random, -50, 50, false);
    jm_tensor b = random_numbers(&t, JM_I32, &shape, &random, -7, 7, false);
    op_test_input(&t, a);
    op_test_input(&t, b);
    jm_tensor out = run_every_way(&t, &random);
    for (int64_t i = 0; i < 200; i++) {
        int64_t index[JM_MAX_RANK] = {i}, x = (int64_t)number_at(&a, index), y = (int64_t)number_at(&b, index);
        assert_int_equal((int64_t)number_at(&out, index), y ? x % y : 0);
    }
    op_test_end(&t);
}

/* Mod of floats without fmod has the sign of the divisor. */
static void mod_of_floats(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype types[] = {JM_F32, JM_F64};
    for (size_t d = 0; d < JM_COUNT(types); d++) {
        op_test t;
        jm_shape shape = {.rank = 1, .dim = {300}};
        op_test_begin(&t, "Mod");
        jm_tensor a = random_numbers(&t, types[d], &shape, &random, -50, 50, false);
        jm_tensor b = random_numbers(&t, types[d], &shape, &random, -7, 7, false);
        op_test_input(&t, a);
        op_test_input(&t, b);
        jm_tensor out = run_every_way(&t, &random);
        for (int64_t i = 0; i < 300; i++) {
            int64_t index[JM_MAX_RANK] = {i};
            double x = number_at(&a, index), y = number_at(&b, index);
            assert_close("Mod", types[d], number_at(&out, index), x - y * floor(x / y), 100 * ulp_of(types[d], x));
        }
        op_test_end(&t);
    }
}

/* Shifts of every integer type, by amounts inside and outside its width. */
static void shifts(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype types[] = {JM_I8, JM_U8, JM_I16, JM_U16, JM_I32, JM_U32, JM_I64, JM_U64};
    for (int way = 0; way < 2 * (int)JM_COUNT(types); way++) {
        const jm_dtype dtype = types[way / 2];
        const int bits = 8 * (int)jm_dtype_size(dtype);
        const bool left = way & 1, is_signed = (way / 2) % 2 == 0;
        op_test t;
        jm_shape shape = {.rank = 1, .dim = {400}};
        op_test_begin(&t, "BitShift");
        op_test_string(&t, "direction", left ? "LEFT" : "RIGHT");
        jm_tensor a = op_test_tensor(&t, dtype, &shape, &random), b = op_test_tensor(&t, dtype, &shape, &random);
        for (int64_t i = 0; i < 400; i++) {
            int64_t amount = op_random_int(&random, is_signed ? -3 : 0, bits + 3);
            jm_element_from_i64(dtype, amount, jm_tensor_at(&b, (int64_t[JM_MAX_RANK]){i}));
        }
        op_test_input(&t, a);
        op_test_input(&t, b);
        jm_tensor out = run_every_way(&t, &random);
        for (int64_t i = 0; i < 400; i++) {
            int64_t index[JM_MAX_RANK] = {i}, x = jm_element_to_i64(dtype, jm_tensor_at(&a, index));
            int64_t amount = jm_element_to_i64(dtype, jm_tensor_at(&b, index)), want = x;
            const int64_t fill = !left && is_signed && x < 0 ? -1 : 0;
            if (amount < 0 || amount >= bits) amount = bits;
            for (int64_t k = 0; k < amount; k++) {
                /* One step at a time; a left shift stays inside the width by the store below. */
                want = left ? (int64_t)((uint64_t)want << 1) : is_signed ? want >> 1 : (int64_t)((uint64_t)want >> 1);
            }
            if (amount == bits) want = fill;
            unsigned char stored[8] = {0};
            jm_element_from_i64(dtype, want, stored);
            assert_memory_equal(stored, jm_tensor_at(&out, index), jm_dtype_size(dtype));
        }
        op_test_end(&t);
    }
}

/* The order of uint64 beyond the range of int64. */
static void large_unsigned(void **state)
{
    (void)state;
    static const uint64_t a[] = {UINT64_MAX, 5, 1, UINT64_C(1) << 63}, b[] = {5, UINT64_MAX, 1, 3};
    static const struct {
        const char *op;
        uint64_t want[4];
    } cases[] = {
        {"Div", {UINT64_MAX / 5, 0, 1, (UINT64_C(1) << 63) / 3}},
        {"Mod", {UINT64_MAX % 5, 5, 0, (UINT64_C(1) << 63) % 3}},
        {"Min", {5, 5, 1, 3}},
        {"Max", {UINT64_MAX, UINT64_MAX, 1, UINT64_C(1) << 63}},
        {"Greater", {1, 0, 0, 1}},
        {"GreaterOrEqual", {1, 0, 1, 1}},
        {"Less", {0, 1, 0, 0}},
        {"LessOrEqual", {0, 1, 1, 0}},
    };
    uint64_t random = *test_random_state();
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        op_test t;
        jm_shape shape = {.rank = 1, .dim = {4}};
        op_test_begin(&t, cases[i].op);
        op_test_input(&t, op_test_constant(&t, JM_U64, &shape, a));
        op_test_input(&t, op_test_constant(&t, JM_U64, &shape, b));
        jm_tensor out = run_every_way(&t, &random);
        for (int64_t k = 0; k < 4; k++) {
            uint64_t got = out.dtype == JM_BOOL ? ((uint8_t *)out.data)[k] : ((uint64_t *)out.data)[k];
            if (got != cases[i].want[k]) fail_msg("%s of element %d", cases[i].op, (int)k);
        }
        op_test_end(&t);
    }
}

static void refuse(const char *op, jm_dtype a_dtype, jm_shape a, jm_dtype b_dtype, jm_shape b, const char *words)
{
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    uint64_t random = 1;
    op_test_begin(&t, op);
    op_test_input(&t, op_test_tensor(&t, a_dtype, &a, &random));
    op_test_input(&t, op_test_tensor(&t, b_dtype, &b, &random));
    assert_int_equal(op_test_forms(&t, forms), 0);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' lacks '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void errors(void **state)
{
    (void)state;
    jm_shape a = {2, {3, 4}}, b = {2, {3, 5}}, larger = {3, {2, 3, 4}};
    refuse("Add", JM_F32, a, JM_F32, b, "[3,4] and [3,5] do not broadcast");
    refuse("Add", JM_F32, a, JM_I32, a, "must be float32");
    refuse("Equal", JM_F32, a, JM_I32, a, "same type");
    refuse("PRelu", JM_F32, a, JM_F32, larger, "slope must broadcast");
    refuse("BitShift", JM_F32, a, JM_F32, a, "cannot be float32");
    refuse("BitwiseAnd", JM_BOOL, a, JM_BOOL, a, "cannot be bool");
    refuse("And", JM_F32, a, JM_F32, a, "cannot be float32");
    refuse("Pow", JM_F32, a, JM_BOOL, a, "exponent cannot be bool");
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls), cmocka_unit_test(mixed_pow),      cmocka_unit_test(blocked_operands),
        cmocka_unit_test(chunks),       cmocka_unit_test(where),          cmocka_unit_test(integer_extremes),
        cmocka_unit_test(mod_of_c),     cmocka_unit_test(errors),         cmocka_unit_test(mod_of_floats),
        cmocka_unit_test(shifts),       cmocka_unit_test(large_unsigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
