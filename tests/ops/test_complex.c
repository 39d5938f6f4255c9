/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators on complex elements against C's own complex arithmetic.
 */
#include <complex.h>

#include "op_test.h"
#include "test.h"

#include "ops/complex.h"

#define ROUNDS 60

static uint64_t *rng;

static int64_t pick(int64_t low, int64_t high)
{
    return op_random_int(rng, low, high);
}

static double complex read(const jm_tensor *tensor, const int64_t *index)
{
    const void *element = jm_tensor_at(tensor, index);
    if (tensor->dtype == JM_C64) return (double)((const float *)element)[0] + (double)((const float *)element)[1] * I;
    if (tensor->dtype == JM_C128) return ((const double *)element)[0] + ((const double *)element)[1] * I;
    return jm_element_to_f64(tensor->dtype, element);
}

static const char *const binary[] = {"ComplexAdd", "ComplexSub", "ComplexMul", "ComplexDiv", "ComplexEqual"};

static double complex expected(int op, double complex a, double complex b)
{
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a * b;
    case 3:
        return a / b;
    default:
        return a == b;
    }
}

static void arithmetic_of_pairs(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        const int op = round % (int)JM_COUNT(binary);
        op_test_begin(&t, binary[op]);
        const jm_shape shape = op_test_shape(rng, (int)pick(0, 4), 1, 6, 200);
        jm_shape own = {0};
        const int drop = (int)pick(0, shape.rank);
        for (int k = drop; k < shape.rank; k++) own.dim[own.rank++] = pick(0, 2) ? shape.dim[k] : 1;
        const jm_dtype dtype = pick(0, 1) ? JM_C64 : JM_C128;
        jm_tensor a = op_test_tensor(&t, dtype, &shape, rng), b = op_test_tensor(&t, dtype, &own, rng);
        op_test_input(&t, op_test_restride(&t, &a, rng));
        op_test_input(&t, op_test_restride(&t, &b, rng));
        assert_ok(op_test_run(&t));
        jm_tensor out = op_test_output(&t, 0);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        do {
            for (int k = 0; k < own.rank; k++) at[k] = own.dim[k] == 1 ? 0 : index[drop + k];
            const double complex want = expected(op, read(&a, index), read(&b, at));
            assert_true(cabs(read(&out, index) - want) <= (dtype == JM_C64 ? 1e-6 : 1e-14) * (1 + cabs(want)));
        } while (op_test_next(&shape, index));
        op_test_check(&t, &out, rng);
        op_test_end(&t);
    }
}

static void functions_of_one(void **state)
{
    (void)state;
    static const char *const unary[] = {"ComplexNeg",      "ComplexAbs", "ComplexReciprocal",
                                        "ComplexIdentity", "Real",       "Imag"};
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        const int op = round % (int)JM_COUNT(unary);
        op_test_begin(&t, unary[op]);
        const jm_shape shape = op_test_shape(rng, (int)pick(0, 4), 1, 6, 200);
        const jm_dtype dtype = pick(0, 1) ? JM_C64 : JM_C128;
        jm_tensor x = op_test_tensor(&t, dtype, &shape, rng);
        op_test_input(&t, op_test_restride(&t, &x, rng));
        assert_ok(op_test_run(&t));
        jm_tensor out = op_test_output(&t, 0);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            const double complex a = read(&x, index);
            const double complex want[] = {-a, cabs(a), 1 / a, a, creal(a), cimag(a)};
            assert_true(cabs(read(&out, index) - want[op]) <= (dtype == JM_C64 ? 1e-6 : 1e-14) * (1 + cabs(want[op])));
        } while (op_test_next(&shape, index));
        op_test_check(&t, &out, rng);
        op_test_end(&t);
    }
}

static void parts_are_joined(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "Complex");
        const jm_shape shape = op_test_shape(rng, (int)pick(0, 4), 1, 6, 200);
        const jm_dtype dtype = pick(0, 1) ? JM_F32 : JM_F64;
        jm_tensor re = op_test_tensor(&t, dtype, &shape, rng), im = op_test_tensor(&t, dtype, &shape, rng);
        jm_tensor want = op_test_tensor(&t, dtype == JM_F32 ? JM_C64 : JM_C128, &shape, rng);
        const size_t size = jm_dtype_size(dtype);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            memcpy(jm_tensor_at(&want, index), jm_tensor_at(&re, index), size);
            memcpy((char *)jm_tensor_at(&want, index) + size, jm_tensor_at(&im, index), size);
        } while (op_test_next(&shape, index));
        op_test_input(&t, op_test_restride(&t, &re, rng));
        op_test_input(&t, op_test_restride(&t, &im, rng));
        op_test_check(&t, &want, rng);
        op_test_end(&t);
    }
}

/* Complex elements go only to operators that say so. */
static void others_refuse_them(void **state)
{
    (void)state;
    const jm_shape shape = {.rank = 1, .dim = {3}};
    static const char *const refusing[] = {"Sin", "FindNonZero", "Unique"};
    for (size_t i = 0; i < JM_COUNT(refusing); i++) {
        op_test t;
        op_test_begin(&t, refusing[i]);
        op_test_input(&t, op_test_tensor(&t, JM_C64, &shape, rng));
        assert_int_equal(op_test_run(&t), JM_UNSUPPORTED);
        op_test_end(&t);
    }
    assert_ptr_equal(jm_op_complex(jm_op_find("Add")), jm_op_find("ComplexAdd"));
    assert_null(jm_op_complex(jm_op_find("Sin")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_of_pairs),
        cmocka_unit_test(functions_of_one),
        cmocka_unit_test(parts_are_joined),
        cmocka_unit_test(others_refuse_them),
    };
    rng = test_random_state();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
