/* SPDX-License-Identifier: Apache-2.0
 *
 * Products in float64 and in integers: with small integers as numbers every type gives what float32 gives, whose own
 * tests are in test_matrix.c and test_conv.c; sums that pass the range of an integer wrap.
 */
#include "numeric.h"

/* Appends small integers of a shape, the same ones, to both calls: as float32 and as another type. */
static void small_integers(op_test *single, op_test *other, jm_dtype dtype, const jm_shape *shape, uint64_t *random)
{
    const bool is_unsigned = dtype == JM_U32 || dtype == JM_U64;
    jm_tensor x = op_test_tensor(single, JM_F32, shape, random), y = op_test_strided(other, dtype, shape, random);
    int64_t index[JM_MAX_RANK] = {0};
    do {
        const int64_t value = op_random_int(random, is_unsigned ? 0 : -5, 5);
        jm_element_from_i64(JM_F32, value, jm_tensor_at(&x, index));
        jm_element_from_i64(dtype, value, jm_tensor_at(&y, index));
    } while (op_test_next(shape, index));
    op_test_input(single, x);
    op_test_input(other, y);
}

static void both_agree(op_test *single, op_test *other, uint64_t *random)
{
    jm_tensor want = run_every_way(single, random), got = run_every_way(other, random);
    int64_t index[JM_MAX_RANK] = {0};
    assert_true(jm_shape_equal(&want.shape, &got.shape));
    do {
        assert_close(other->op->name, JM_F64, number_at(&got, index), number_at(&want, index), 0);
    } while (op_test_next(&want.shape, index));
    op_test_end(single);
    op_test_end(other);
}

static void begin(op_test *single, op_test *other, const char *op)
{
    op_test_begin(single, op);
    op_test_begin(other, op);
}

static void ints_of_both(op_test *single, op_test *other, const char *name, const int64_t *values, int count)
{
    op_test_ints(single, name, values, count);
    op_test_ints(other, name, values, count);
}

static const jm_dtype types[] = {JM_F64, JM_I32, JM_U32, JM_I64, JM_U64};

static void matrix_products(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 30; way++) {
        op_test single, other;
        const jm_dtype dtype = types[way % (int)JM_COUNT(types)];
        const int64_t m = op_random_int(&random, 1, 9), k = op_random_int(&random, 0, 30),
                      n = op_random_int(&random, 1, 150);
        jm_shape a = {.rank = 3, .dim = {2, m, JM_MAX(k, 1)}}, b = {.rank = 2, .dim = {JM_MAX(k, 1), n}};
        if (way % 3 == 0) a = (jm_shape){.rank = 1, .dim = {JM_MAX(k, 1)}};
        begin(&single, &other, "MatMul");
        small_integers(&single, &other, dtype, &a, &random);
        small_integers(&single, &other, dtype, &b, &random);
        both_agree(&single, &other, &random);
    }
}

static void gemms(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 40; way++) {
        op_test single, other;
        const jm_dtype dtype = types[way % (int)JM_COUNT(types)];
        const bool is_unsigned = dtype == JM_U32 || dtype == JM_U64, trans_a = way & 1, trans_b = way >> 1 & 1;
        const int64_t m = op_random_int(&random, 1, 9), k = op_random_int(&random, 1, 30),
                      n = op_random_int(&random, 1, 70);
        const jm_shape a = {.rank = 2, .dim = {trans_a ? k : m, trans_a ? m : k}};
        const jm_shape b = {.rank = 2, .dim = {trans_b ? n : k, trans_b ? k : n}}, c = {.rank = 1, .dim = {n}};
        begin(&single, &other, "Gemm");
        small_integers(&single, &other, dtype, &a, &random);
        small_integers(&single, &other, dtype, &b, &random);
        if (way % 3) small_integers(&single, &other, dtype, &c, &random);
        for (int i = 0; i < 2; i++) {
            op_test *t = i ? &other : &single;
            op_test_int(t, "transA", trans_a);
            op_test_int(t, "transB", trans_b);
            op_test_float(t, "alpha", is_unsigned ? 2 : -2);
            op_test_float(t, "beta", 3);
        }
        both_agree(&single, &other, &random);
    }
}

static void convolutions(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 40; way++) {
        op_test single, other;
        const jm_dtype dtype = way & 1 ? JM_F64 : JM_I32;
        const bool transposed = way >> 1 & 1;
        const int spatial = 1 + way % 3;
        const int64_t group = op_random_int(&random, 1, 2), channels = 2 * group, filters = 3 * group;
        jm_shape x = {.rank = 2 + spatial, .dim = {2, channels}}, bias = {.rank = 1, .dim = {filters}};
        jm_shape w = {.rank = 2 + spatial,
                      .dim = {transposed ? channels : filters, transposed ? filters / group : channels / group}};
        int64_t strides[3], dilations[3], pads[6];
        for (int k = 0; k < spatial; k++) {
            x.dim[2 + k] = op_random_int(&random, 5, 7);
            w.dim[2 + k] = op_random_int(&random, 1, 3);
            strides[k] = op_random_int(&random, 1, 3);
            dilations[k] = op_random_int(&random, 1, 2);
            pads[k] = op_random_int(&random, 0, 1);
            pads[spatial + k] = op_random_int(&random, 0, 1);
        }
        begin(&single, &other, transposed ? "ConvTranspose" : "Conv");
        small_integers(&single, &other, dtype, &x, &random);
        small_integers(&single, &other, dtype, &w, &random);
        if (way % 3) small_integers(&single, &other, dtype, &bias, &random);
        ints_of_both(&single, &other, "strides", strides, spatial);
        ints_of_both(&single, &other, "dilations", dilations, spatial);
        ints_of_both(&single, &other, "pads", pads, 2 * spatial);
        op_test_int(&single, "group", group);
        op_test_int(&other, "group", group);
        both_agree(&single, &other, &random);
    }
}

static void sums_wrap(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    op_test t;
    const jm_shape row = {.rank = 2, .dim = {1, 2}}, column = {.rank = 2, .dim = {2, 1}};
    op_test_begin(&t, "MatMul");
    op_test_input(&t, op_test_constant(&t, JM_I32, &row, (int32_t[]){INT32_MAX, INT32_MAX}));
    op_test_input(&t, op_test_constant(&t, JM_I32, &column, (int32_t[]){1, 3}));
    jm_tensor y = run_every_way(&t, &random);
    assert_int_equal(*(int32_t *)y.data, -4);
    op_test_end(&t);
}

/* What integers cannot do is said. */
static void refusals(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    const jm_shape shape = {.rank = 2, .dim = {2, 2}};
    op_test t;
    op_test_begin(&t, "Gemm");
    op_test_input(&t, op_test_tensor(&t, JM_I32, &shape, &random));
    op_test_input(&t, op_test_tensor(&t, JM_I32, &shape, &random));
    op_test_float(&t, "alpha", 0.5);
    assert_int_equal(op_test_run(&t), JM_UNSUPPORTED);
    assert_non_null(strstr(jm_last_error(), "must be integers"));
    op_test_float(&t, "alpha", 1);
    op_test_epilogue(&t, "epilogue", (jm_epilogue){.activation = JM_ACT_RELU});
    assert_int_equal(op_test_run(&t), JM_UNSUPPORTED);
    assert_non_null(strstr(jm_last_error(), "has no epilogue"));
    op_test_end(&t);
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_products), cmocka_unit_test(gemms),    cmocka_unit_test(convolutions),
        cmocka_unit_test(sums_wrap),       cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
