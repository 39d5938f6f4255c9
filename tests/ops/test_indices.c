/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that count, reverse and find places: CumSum and CumProd, ReverseSequence, scatters that reduce, the indices
 * of maxima, determinants. Each against index arithmetic in float64.
 */
#include "numeric.h"

static jm_tensor floats(op_test *t, const jm_shape *shape, uint64_t *random)
{
    return random_numbers(t, JM_F32, shape, random, -2, 2, false);
}

/* ---- CumSum and CumProd ---- */

static void running_products(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype types[] = {JM_F32, JM_F64, JM_I32, JM_U32, JM_I64, JM_U64};
    for (int way = 0; way < 48; way++) {
        const jm_dtype dtype = types[way % (int)JM_COUNT(types)];
        const bool product = way & 1, exclusive = way >> 1 & 1, reverse = way >> 2 & 1;
        const int axis = (int)op_random_int(&random, 0, 2);
        jm_shape shape = op_test_shape(&random, 3, 1, 6, 200);
        op_test t;
        op_test_begin(&t, product ? "CumProd" : "CumSum");
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, dtype == JM_U32 || dtype == JM_U64 ? 0 : -3, 3, true);
        op_test_input(&t, x);
        op_test_ints_input(&t, &(int64_t){axis - 3}, 1);
        op_test_int(&t, "exclusive", exclusive);
        op_test_int(&t, "reverse", reverse);
        jm_tensor y = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            double want = product ? 1 : 0, size = 1;
            for (int64_t i = 0; i < shape.dim[axis]; i++) {
                const int64_t own = index[axis];
                if (reverse ? i < own + exclusive : i > own - exclusive) continue;
                int64_t other[JM_MAX_RANK];
                memcpy(other, index, sizeof(other));
                other[axis] = i;
                const double value = number_at(&x, other);
                want = product ? want * value : want + value;
                size += fabs(want);
            }
            const double error = is_float(dtype) ? 8 * ulp_of(dtype, size) : 0;
            assert_close(t.op->name, dtype, number_at(&y, index), want, error);
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

/* ---- ReverseSequence ---- */

static void sequences(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 12; way++) {
        const int batch = way % 2, time = 1 - batch;
        const jm_dtype dtype = way % 3 ? JM_F32 : JM_U8, index_dtype = way % 4 ? JM_I64 : JM_I32;
        jm_shape shape = op_test_shape(&random, 3, 1, 9, 400), list = {.rank = 1, .dim = {shape.dim[batch]}};
        op_test t;
        op_test_begin(&t, "ReverseSequence");
        jm_tensor x = op_test_tensor(&t, dtype, &shape, &random),
                  lengths = op_test_tensor(&t, index_dtype, &list, &random);
        int64_t length[9], index[JM_MAX_RANK] = {0};
        for (int64_t i = 0; i < list.dim[0]; i++) {
            length[i] = op_random_int(&random, 0, shape.dim[time]);
            jm_element_from_i64(index_dtype, length[i], jm_tensor_at(&lengths, (int64_t[JM_MAX_RANK]){i}));
        }
        op_test_input(&t, x);
        op_test_input(&t, lengths);
        op_test_int(&t, "batch_axis", batch);
        op_test_int(&t, "time_axis", time - 3);
        jm_tensor y = run_every_way(&t, &random);
        do {
            int64_t from[JM_MAX_RANK];
            const int64_t n = length[index[batch]];
            memcpy(from, index, sizeof(from));
            if (index[time] < n) from[time] = n - 1 - index[time];
            assert_memory_equal(jm_tensor_at(&y, index), jm_tensor_at(&x, from), jm_dtype_size(dtype));
        } while (op_test_next(&shape, index));
        /* A length outside the axis is a fault of the run. */
        jm_element_from_i64(index_dtype, shape.dim[time] + 1, lengths.data);
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_OUT_OF_RANGE);
        op_test_end(&t);
    }
}

/* ---- Scatters that reduce ---- */

static const char *const reductions[] = {"none", "add", "mul", "min", "max"};

static double joined(int reduction, double a, double b)
{
    switch (reduction) {
    case 1:
        return a + b;
    case 2:
        return a * b;
    case 3:
        return fmin(a, b);
    case 4:
        return fmax(a, b);
    default:
        return b;
    }
}

/* In float32, so that each step rounds as the operator's does. */
static void scatter_elements(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 20; way++) {
        const int reduction = way % 5, axis = way % 2;
        const jm_dtype dtype = way % 3 ? JM_F32 : JM_I32;
        jm_shape shape = {.rank = 2, .dim = {7, 5}}, small = {.rank = 2, .dim = {6, 4}};
        float want[7][5];
        op_test t;
        op_test_begin(&t, "ScatterElements");
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, -4, 4, false);
        jm_tensor at = op_test_tensor(&t, JM_I64, &small, &random);
        jm_tensor updates = random_numbers(&t, dtype, &small, &random, -4, 4, false);
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 5; j++) want[i][j] = (float)number_at(&x, (int64_t[JM_MAX_RANK]){i, j});
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 4; j++) {
                int64_t index[JM_MAX_RANK] = {i, j}, place = op_random_int(&random, 0, shape.dim[axis] - 1);
                *(int64_t *)jm_tensor_at(&at, index) = place - (op_random(&random) & 1 ? shape.dim[axis] : 0);
                float *to = axis ? &want[i][place] : &want[place][j];
                *to = (float)joined(reduction, (double)*to, number_at(&updates, index));
            }
        op_test_input(&t, x);
        op_test_input(&t, at);
        op_test_input(&t, updates);
        op_test_int(&t, "axis", axis);
        op_test_string(&t, "reduction", reductions[reduction]);
        jm_tensor y = run_every_way(&t, &random);
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 5; j++) assert_true(number_at(&y, (int64_t[JM_MAX_RANK]){i, j}) == (double)want[i][j]);
        op_test_end(&t);
    }
}

static void scatter_slabs(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 20; way++) {
        const int reduction = way % 5;
        const jm_dtype dtype = way % 3 ? JM_F16 : JM_U8;
        jm_shape shape = {.rank = 3, .dim = {4, 3, 5}}, index = {.rank = 2, .dim = {6, 1}};
        jm_shape slabs = {.rank = 3, .dim = {6, 3, 5}};
        op_test t;
        op_test_begin(&t, "ScatterND");
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, 0, 3, false);
        jm_tensor at = op_test_tensor(&t, JM_I64, &index, &random);
        jm_tensor updates = random_numbers(&t, dtype, &slabs, &random, 0, 3, false);
        jm_tensor want = op_test_copy(&t, &x, JM_PLAIN, NULL);
        int64_t place[JM_MAX_RANK] = {0};
        for (int i = 0; i < 6; i++) ((int64_t *)at.data)[i] = op_random_int(&random, 0, 3);
        do {
            int64_t to[JM_MAX_RANK] = {((int64_t *)at.data)[place[0]], place[1], place[2]};
            double value = joined(reduction, number_at(&want, to), number_at(&updates, place));
            if (dtype == JM_U8) value = fmod(value, 256);
            jm_element_from_f64(dtype, value, jm_tensor_at(&want, to));
        } while (op_test_next(&slabs, place));
        op_test_input(&t, x);
        op_test_input(&t, at);
        op_test_input(&t, updates);
        op_test_string(&t, "reduction", reductions[reduction]);
        jm_tensor y = run_every_way(&t, &random);
        assert_same_numbers("ScatterND", &y, &want);
        op_test_end(&t);
    }
}

/* ---- MaxPoolIndices ---- */

static void places_of_maxima(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 16; way++) {
        const bool columns = way & 1;
        const int64_t kernel[] = {3, 2}, strides[] = {2, 1}, pads[] = {1, 0, 1, 1},
                      dilations[] = {1, 1 + (way >> 1 & 1)};
        jm_shape shape = {.rank = 4, .dim = {2, 3, 7, 6}};
        op_test t;
        op_test_begin(&t, "MaxPoolIndices");
        jm_tensor x = floats(&t, &shape, &random);
        /* Few values, so that maxima repeat and the first one counts. */
        for (int64_t i = 0; i < 2 * 3 * 7 * 6; i++) ((float *)x.data)[i] = roundf(((float *)x.data)[i]);
        op_test_input(&t, x);
        op_test_ints(&t, "kernel_shape", kernel, 2);
        op_test_ints(&t, "strides", strides, 2);
        op_test_ints(&t, "pads", pads, 4);
        op_test_ints(&t, "dilations", dilations, 2);
        op_test_int(&t, "storage_order", columns);
        jm_tensor y = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            int64_t best = -1;
            double most = -INFINITY;
            for (int64_t r = 0; r < kernel[0]; r++)
                for (int64_t c = 0; c < kernel[1]; c++) {
                    const int64_t row = index[2] * 2 - 1 + r, column = index[3] + c * dilations[1];
                    if (row < 0 || row >= 7 || column < 0 || column >= 6) continue;
                    const double value = number_at(&x, (int64_t[JM_MAX_RANK]){index[0], index[1], row, column});
                    if (value <= most) continue;
                    most = value;
                    best = (index[0] * 3 + index[1]) * 42 + (columns ? column * 7 + row : row * 6 + column);
                }
            assert_int_equal((int64_t)number_at(&y, index), best);
        } while (op_test_next(&y.shape, index));
        op_test_end(&t);
    }
}

/* ---- Det ---- */

/* By the first row, recursively. */
static double minors(const double *a, int n)
{
    if (n == 1) return a[0];
    double sum = 0;
    for (int skip = 0; skip < n; skip++) {
        double rest[16];
        for (int r = 1, to = 0; r < n; r++)
            for (int c = 0; c < n; c++)
                if (c != skip) rest[to++] = a[r * n + c];
        sum += (skip % 2 ? -1 : 1) * a[skip] * minors(rest, n - 1);
    }
    return sum;
}

static void determinants(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int way = 0; way < 12; way++) {
        const int n = 1 + way % 5;
        const jm_dtype dtype = way % 2 ? JM_F32 : JM_F64;
        jm_shape shape = {.rank = 3, .dim = {4, n, n}};
        op_test t;
        op_test_begin(&t, "Det");
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, -2, 2, false);
        op_test_input(&t, x);
        jm_tensor y = run_every_way(&t, &random);
        for (int64_t b = 0; b < 4; b++) {
            double a[25];
            for (int i = 0; i < n * n; i++) a[i] = number_at(&x, (int64_t[JM_MAX_RANK]){b, i / n, i % n});
            assert_close("Det", dtype, number_at(&y, (int64_t[JM_MAX_RANK]){b}), minors(a, n), 1e-4);
        }
        op_test_end(&t);
    }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_products), cmocka_unit_test(sequences),        cmocka_unit_test(scatter_elements),
        cmocka_unit_test(scatter_slabs),    cmocka_unit_test(places_of_maxima), cmocka_unit_test(determinants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
