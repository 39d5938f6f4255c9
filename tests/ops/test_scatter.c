/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that bring many values to one place: scatters that reduce, gradients of embeddings, histograms.
 */
#include "op_test.h"
#include "test.h"

#include <math.h>

#define ROUNDS 60

static uint64_t *rng;

static int64_t pick(int64_t low, int64_t high)
{
    return op_random_int(rng, low, high);
}

static int64_t count_of(const jm_shape *shape)
{
    int64_t count;
    assert_ok(jm_shape_count(shape, &count));
    return count;
}

/* Whole numbers, so that sums of floats are exact in any order but must still be taken in theirs. */
static jm_tensor numbers(op_test *t, jm_dtype dtype, const jm_shape *shape, int64_t low, int64_t high)
{
    jm_tensor tensor = op_test_tensor(t, dtype, shape, rng);
    char *element = tensor.data;
    for (int64_t i = 0; i < count_of(shape); i++, element += jm_dtype_size(dtype))
        jm_element_from_i64(dtype, pick(low, high), element);
    return tensor;
}

static double value(const jm_tensor *tensor, const int64_t *index)
{
    return jm_element_to_f64(tensor->dtype, jm_tensor_at(tensor, index));
}

#define EACH_ROUND(t, name)                                                                                            \
    op_test t;                                                                                                         \
    for (int round_ = 0; round_ < ROUNDS && (op_test_begin(&t, name), true); round_++, op_test_end(&t))

static double joined(int reduction, double a, double b)
{
    switch (reduction) {
    case 0:
        return b;
    case 2:
        return a * b;
    case 3:
        return a > b ? a : b;
    case 4:
        return a < b ? a : b;
    default:
        return a + b;
    }
}

static void scatter_reduce_joins(void **state)
{
    (void)state;
    static const char *const text[] = {"none", "add", "mul", "max", "min", "mean"};
    EACH_ROUND(t, "ScatterReduce")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(1, 4), 1, 6, 300), picks = shape;
        const int axis = (int)pick(0, shape.rank - 1), reduction = (int)pick(0, 5);
        const bool include = pick(0, 1);
        for (int k = 0; k < shape.rank; k++) picks.dim[k] = k == axis ? pick(0, 8) : pick(1, shape.dim[k]);
        const jm_dtype dtype = pick(0, 1) ? JM_F64 : JM_I32;
        jm_tensor data = numbers(&t, dtype, &shape, -3, 3), updates = numbers(&t, dtype, &picks, -3, 3);
        jm_tensor indices = numbers(&t, JM_I64, &picks, -shape.dim[axis], shape.dim[axis] - 1);
        jm_tensor want = op_test_copy(&t, &data, JM_PLAIN, NULL);
        const jm_shape counts_shape = shape;
        jm_tensor times = numbers(&t, JM_I64, &counts_shape, 0, 0);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        if (count_of(&picks)) do {
                memcpy(at, index, sizeof(at));
                at[axis] = *(const int64_t *)jm_tensor_at(&indices, index);
                at[axis] += at[axis] < 0 ? shape.dim[axis] : 0;
                int64_t *seen = jm_tensor_at(&times, at);
                const double old = value(&want, at), next = value(&updates, index);
                jm_element_from_f64(dtype, !include && *seen == 0 ? next : joined(reduction, old, next),
                                    jm_tensor_at(&want, at));
                ++*seen;
            } while (op_test_next(&picks, index));
        memset(index, 0, sizeof(index));
        do {
            const int64_t count = *(const int64_t *)jm_tensor_at(&times, index);
            if (reduction != 5 || count == 0) continue;
            const double mean = value(&want, index) / (double)(count + include);
            jm_element_from_f64(dtype, dtype == JM_I32 ? floor(mean) : mean, jm_tensor_at(&want, index));
        } while (op_test_next(&shape, index));
        op_test_input(&t, op_test_restride(&t, &data, rng));
        op_test_input(&t, op_test_restride(&t, &indices, rng));
        op_test_input(&t, op_test_restride(&t, &updates, rng));
        op_test_int(&t, "axis", pick(0, 1) ? axis : axis - shape.rank);
        op_test_string(&t, "reduction", text[reduction]);
        op_test_int(&t, "include_self", include);
        op_test_check(&t, &want, rng);
    }
}

static void embedding_gradient_adds_rows(void **state)
{
    (void)state;
    EACH_ROUND(t, "EmbeddingGradient")
    {
        jm_shape picks = op_test_shape(rng, (int)pick(0, 3), 1, 5, 60), grad_shape = picks;
        const int64_t columns = pick(1, 70), rows = pick(1, 6), padding = pick(-1, rows - 1);
        const bool scale = pick(0, 1);
        grad_shape.dim[grad_shape.rank++] = columns;
        const jm_dtype dtype = pick(0, 1) ? JM_F64 : JM_F32;
        jm_tensor grad = numbers(&t, dtype, &grad_shape, -9, 9), indices = numbers(&t, JM_I64, &picks, 0, rows - 1);
        const jm_shape to = {.rank = 2, .dim = {rows, columns}};
        jm_tensor want = numbers(&t, dtype, &to, 0, 0);
        int64_t times[6] = {0}, index[JM_MAX_RANK] = {0};
        do {
            const int64_t row = *(const int64_t *)jm_tensor_at(&indices, index);
            times[row] += index[picks.rank] == 0;
            if (row == padding) continue;
            void *sum = jm_tensor_at(&want, (int64_t[JM_MAX_RANK]){row, index[picks.rank]});
            jm_element_from_f64(dtype, jm_element_to_f64(dtype, sum) + value(&grad, index), sum);
        } while (op_test_next(&grad_shape, index));
        for (int64_t i = 0; scale && i < rows * columns; i++) {
            void *sum = (char *)want.data + (size_t)i * jm_dtype_size(dtype);
            const double count = times[i / columns] ? (double)times[i / columns] : 1;
            jm_element_from_f64(dtype, jm_element_to_f64(dtype, sum) / count, sum);
        }
        op_test_input(&t, op_test_restride(&t, &grad, rng));
        op_test_input(&t, op_test_restride(&t, &indices, rng));
        op_test_int(&t, "rows", rows);
        op_test_int(&t, "padding", padding);
        op_test_int(&t, "scale", scale);
        op_test_check(&t, &want, rng);
    }
}

static void histogram_counts(void **state)
{
    (void)state;
    static const jm_dtype dtypes[] = {JM_F32, JM_F64, JM_I8, JM_I64};
    EACH_ROUND(t, "Histogram")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(0, 4), 1, 6, 300);
        const int64_t bins = pick(1, 9), low = pick(-4, 2), width = pick(1, 4);
        jm_tensor x = numbers(&t, dtypes[pick(0, 3)], &shape, -9, 9);
        const jm_shape line = {.rank = 1, .dim = {bins}};
        jm_tensor want = numbers(&t, JM_I64, &line, 0, 0);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            /* The bounds of the intervals are whole numbers: the range has width * bins. */
            const int64_t place = (int64_t)value(&x, index) - low;
            if (place < 0 || place > width * bins) continue;
            ((int64_t *)want.data)[place == width * bins ? bins - 1 : place / width]++;
        } while (op_test_next(&shape, index));
        op_test_input(&t, op_test_restride(&t, &x, rng));
        op_test_int(&t, "bins", bins);
        op_test_float(&t, "min", (double)low);
        op_test_float(&t, "max", (double)(low + width * bins));
        op_test_check(&t, &want, rng);
    }
}

static void bad_indices_fault(void **state)
{
    (void)state;
    static const int64_t bad[] = {4, -5, INT64_MAX, INT64_MIN};
    for (size_t b = 0; b < 2 * JM_COUNT(bad); b++) {
        op_test t;
        const bool scatter = b & 1;
        const jm_shape four = {.rank = 1, .dim = {4}}, three = {.rank = 1, .dim = {3}},
                       rows = {.rank = 2, .dim = {3, 1}};
        const float data[4] = {10, 11, 12, 13}, updates[3] = {1, 2, 3};
        const int64_t indices[3] = {2, bad[b / 2], 0};
        op_test_begin(&t, scatter ? "ScatterReduce" : "EmbeddingGradient");
        op_test_input(&t, scatter ? op_test_constant(&t, JM_F32, &four, data)
                                  : op_test_constant(&t, JM_F32, &rows, updates));
        op_test_input(&t, op_test_constant(&t, JM_I64, &three, indices));
        if (scatter) op_test_input(&t, op_test_constant(&t, JM_F32, &three, updates));
        if (scatter)
            op_test_string(&t, "reduction", "add");
        else
            op_test_int(&t, "rows", 4);
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_OUT_OF_RANGE);
        const float *out = t.out[0].data;
        assert_true(scatter ? out[2] == 13 && out[0] == 13 && out[1] == 11 && out[3] == 13
                            : out[2] == 1 && out[0] == 3 && out[1] == 0 && out[3] == 0);
        op_test_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scatter_reduce_joins),
        cmocka_unit_test(embedding_gradient_adds_rows),
        cmocka_unit_test(histogram_counts),
        cmocka_unit_test(bad_indices_fault),
    };
    rng = test_random_state();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
