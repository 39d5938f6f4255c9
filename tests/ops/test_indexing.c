/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that pick by tuples of indices, and those whose outputs are filled as far as the data say.
 */
#include "op_test.h"
#include "test.h"

#define ROUNDS 60

static uint64_t *rng;

static int64_t pick(int64_t low, int64_t high)
{
    return op_random_int(rng, low, high);
}

static jm_dtype pick_dtype(void)
{
    static const jm_dtype dtypes[] = {JM_F32, JM_F16, JM_BF16, JM_I8, JM_I64, JM_U64, JM_BOOL, JM_F64};
    return dtypes[pick(0, (int64_t)JM_COUNT(dtypes) - 1)];
}

static int64_t count_of(const jm_shape *shape)
{
    int64_t count;
    assert_ok(jm_shape_count(shape, &count));
    return count;
}

/* An output whose elements hold the bytes that the harness leaves where nobody writes. */
static jm_tensor unwritten(op_test *t, jm_dtype dtype, const jm_shape *shape)
{
    jm_tensor tensor = op_test_tensor(t, dtype, shape, rng);
    memset(tensor.data, 0xFF, (size_t)count_of(shape) * jm_dtype_size(dtype));
    return tensor;
}

static jm_tensor list_of(op_test *t, const int64_t *values, int count)
{
    const jm_shape shape = {.rank = 1, .dim = {count}};
    return op_test_constant(t, JM_I64, &shape, values);
}

/* Small whole numbers, so that many are equal or 0. */
static jm_tensor small_numbers(op_test *t, jm_dtype dtype, const jm_shape *shape)
{
    jm_tensor tensor = op_test_tensor(t, dtype, shape, rng);
    const bool floats = JM_DTYPES_FLOAT >> dtype & 1, positive = !floats && !(JM_DTYPES_SIGNED >> dtype & 1);
    char *element = tensor.data;
    for (int64_t i = 0; i < count_of(shape); i++, element += jm_dtype_size(dtype))
        jm_element_from_f64(dtype, (double)pick(positive ? 0 : -1, 1), element);
    return tensor;
}

static double value(const jm_tensor *tensor, int64_t flat)
{
    return jm_element_to_f64(tensor->dtype, (const char *)tensor->data + (size_t)flat * jm_dtype_size(tensor->dtype));
}

#define EACH_ROUND(t, name)                                                                                            \
    op_test t;                                                                                                         \
    for (int round_ = 0; round_ < ROUNDS && (op_test_begin(&t, name), true); round_++, op_test_end(&t))

/* ---- Tuples of indices ---- */

/* What one round indexes: which dimensions, by which numbers, and how its result is made. */
typedef struct tuple {
    jm_shape data, picks, result;
    bool taken[JM_MAX_RANK];
    jm_tensor index[JM_MAX_RANK]; /* of taken dimensions: int64 of shape `picks`, dense */
    int lead;
} tuple;

static tuple pick_tuple(op_test *t)
{
    tuple u = {.data = op_test_shape(rng, (int)pick(1, 4), 1, 7, 500),
               .picks = op_test_shape(rng, (int)pick(0, 2), 1, 5, 20)};
    int first = -1, last = 0, count = 0;
    if (u.picks.rank && pick(0, 9) == 0) u.picks.dim[0] = 0;
    for (int k = 0; k < u.data.rank; k++) {
        u.taken[k] = pick(0, 1) || (k == u.data.rank - 1 && !count);
        if (!u.taken[k]) continue;
        if (first < 0) first = k;
        last = k;
        count++;
        u.index[k] = op_test_tensor(t, JM_I64, &u.picks, rng);
        for (int64_t i = 0; i < count_of(&u.picks); i++)
            ((int64_t *)u.index[k].data)[i] = pick(-u.data.dim[k], u.data.dim[k] - 1);
    }
    u.lead = last - first == count - 1 ? first : 0;
    for (int k = 0, seen = 0; k <= u.data.rank; k++) {
        if (seen == u.lead && u.result.rank == u.lead)
            for (int p = 0; p < u.picks.rank; p++) u.result.dim[u.result.rank++] = u.picks.dim[p];
        if (k == u.data.rank || u.taken[k]) continue;
        u.result.dim[u.result.rank++] = u.data.dim[k];
        seen++;
    }
    return u;
}

static void add_tuple(op_test *t, const tuple *u)
{
    int last = u->data.rank - 1;
    while (!u->taken[last]) last--;
    for (int k = 0; k <= last; k++) {
        if (u->taken[k])
            op_test_input(t, op_test_restride(t, &u->index[k], rng));
        else
            op_test_absent(t);
    }
}

/* Where an element of the result comes from. */
static void data_index(const tuple *u, const int64_t *index, int64_t *at)
{
    int64_t flat = 0;
    for (int p = 0; p < u->picks.rank; p++) flat = flat * u->picks.dim[p] + index[u->lead + p];
    for (int k = 0, other = 0; k < u->data.rank; k++) {
        if (u->taken[k]) {
            at[k] = ((const int64_t *)u->index[k].data)[flat];
            at[k] += at[k] < 0 ? u->data.dim[k] : 0;
            continue;
        }
        at[k] = index[other < u->lead ? other : other + u->picks.rank];
        other++;
    }
}

static void index_get_picks(void **state)
{
    (void)state;
    EACH_ROUND(t, "IndexGet")
    {
        tuple u = pick_tuple(&t);
        jm_tensor data = op_test_tensor(&t, pick_dtype(), &u.data, rng),
                  want = op_test_tensor(&t, data.dtype, &u.result, rng);
        op_test_input(&t, op_test_restride(&t, &data, rng));
        op_test_ints_input(&t, u.result.dim, u.result.rank);
        add_tuple(&t, &u);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        if (count_of(&u.result)) do {
                data_index(&u, index, at);
                memcpy(jm_tensor_at(&want, index), jm_tensor_at(&data, at), jm_dtype_size(data.dtype));
            } while (op_test_next(&u.result, index));
        op_test_check(&t, &want, rng);
    }
}

static void index_put_writes_in_order(void **state)
{
    (void)state;
    EACH_ROUND(t, "IndexPut")
    {
        tuple u = pick_tuple(&t);
        jm_tensor data = op_test_tensor(&t, pick(0, 1) ? JM_I32 : JM_F64, &u.data, rng);
        jm_tensor values = op_test_tensor(&t, data.dtype, &u.result, rng);
        jm_tensor want = op_test_copy(&t, &data, JM_PLAIN, NULL);
        const bool accumulate = pick(0, 1);
        op_test_input(&t, op_test_restride(&t, &data, rng));
        op_test_input(&t, op_test_restride(&t, &values, rng));
        add_tuple(&t, &u);
        op_test_int(&t, "accumulate", accumulate);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        /* Row-major order of the result visits repeated places in the order of the indices. */
        if (count_of(&u.result)) do {
                data_index(&u, index, at);
                char *to = jm_tensor_at(&want, at);
                const char *from = jm_tensor_at(&values, index);
                if (!accumulate)
                    memcpy(to, from, jm_dtype_size(data.dtype));
                else if (data.dtype == JM_F64)
                    *(double *)to += *(const double *)from;
                else
                    *(uint32_t *)to += *(const uint32_t *)from;
            } while (op_test_next(&u.result, index));
        op_test_check(&t, &want, rng);
    }
}

static void bad_indices_fault(void **state)
{
    (void)state;
    static const int64_t bad[] = {4, -5, INT64_MAX, INT64_MIN};
    for (size_t b = 0; b < 2 * JM_COUNT(bad); b++) {
        op_test t;
        const bool put = b & 1;
        const jm_shape four = {.rank = 1, .dim = {4}}, three = {.rank = 1, .dim = {3}};
        const float data[4] = {10, 11, 12, 13}, values[3] = {1, 2, 3};
        const int64_t indices[3] = {2, bad[b / 2], 0}, length = 3;
        op_test_begin(&t, put ? "IndexPut" : "IndexGet");
        op_test_input(&t, op_test_constant(&t, JM_F32, &four, data));
        op_test_input(&t, put ? op_test_constant(&t, JM_F32, &three, values) : list_of(&t, &length, 1));
        op_test_input(&t, list_of(&t, indices, 3));
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_OUT_OF_RANGE);
        const float *out = t.out[0].data;
        static const unsigned char poison[4] = {0xFF, 0xFF, 0xFF, 0xFF};
        assert_true(put ? out[2] == 1 && out[0] == 3 && out[1] == 11 && out[3] == 13
                        : out[0] == 12 && memcmp(&out[1], poison, 4) == 0 && out[2] == 10);
        op_test_end(&t);
    }
}

static void masks_must_fit_when_they_run(void **state)
{
    (void)state;
    for (int trues = 0; trues <= 4; trues++)
        for (int put = 0; put < 2; put++) {
            op_test t;
            const jm_shape four = {.rank = 1, .dim = {4}}, two = {.rank = 1, .dim = {2}};
            const float data[4] = {10, 11, 12, 13}, values[2] = {1, 2};
            const int64_t length = 2;
            uint8_t mask[4] = {0};
            for (int i = 0; i < trues; i++) mask[3 - i] = 1;
            op_test_begin(&t, put ? "IndexPut" : "IndexGet");
            op_test_input(&t, op_test_constant(&t, JM_F32, &four, data));
            op_test_input(&t, put ? op_test_constant(&t, JM_F32, &two, values) : list_of(&t, &length, 1));
            op_test_input(&t, op_test_constant(&t, JM_BOOL, &four, mask));
            assert_ok(op_test_run(&t));
            assert_int_equal(t.fault, trues == 2 ? JM_OK : JM_OUT_OF_RANGE);
            const float *out = t.out[0].data;
            if (trues == 2)
                assert_true(put ? out[1] == 11 && out[2] == 1 && out[3] == 2 : out[0] == 12 && out[1] == 13);
            if (trues != 2 && put) assert_memory_equal(out, data, sizeof(data));
            op_test_end(&t);
        }
}

/* ---- What the data choose ---- */

static void find_nonzero_lists_indices(void **state)
{
    (void)state;
    EACH_ROUND(t, "FindNonZero")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(0, 4), 1, 9, 300);
        if (shape.rank && pick(0, 9) == 0) shape.dim[0] = 0;
        jm_tensor x = small_numbers(&t, pick_dtype(), &shape);
        const jm_shape room = {.rank = 2, .dim = {count_of(&shape), shape.rank}};
        jm_tensor want[2] = {unwritten(&t, JM_I64, &room)};
        int64_t size[2] = {0, shape.rank}, index[JM_MAX_RANK] = {0}, flat = 0, *next = want[0].data;
        if (count_of(&shape)) do {
                if (value(&x, flat++) == 0) continue;
                for (int k = 0; k < shape.rank; k++) *next++ = index[k];
                size[0]++;
            } while (op_test_next(&shape, index));
        want[1] = list_of(&t, size, 2);
        op_test_input(&t, op_test_restride(&t, &x, rng));
        t.outputs = 2;
        op_test_check(&t, want, rng);
    }
}

static void masked_select_keeps_order(void **state)
{
    (void)state;
    EACH_ROUND(t, "MaskedSelect")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(0, 4), 1, 9, 300), own = {0};
        const int drop = (int)pick(0, shape.rank);
        for (int k = drop; k < shape.rank; k++) own.dim[own.rank++] = pick(0, 2) ? shape.dim[k] : 1;
        jm_tensor x = op_test_tensor(&t, pick_dtype(), &shape, rng), mask = op_test_tensor(&t, JM_BOOL, &own, rng);
        const jm_shape room = {.rank = 1, .dim = {count_of(&shape)}};
        jm_tensor want[2] = {unwritten(&t, x.dtype, &room)};
        const size_t bytes = jm_dtype_size(x.dtype);
        int64_t found = 0, index[JM_MAX_RANK] = {0};
        do {
            int64_t at[JM_MAX_RANK];
            for (int k = 0; k < own.rank; k++) at[k] = own.dim[k] == 1 ? 0 : index[drop + k];
            if (!*(const uint8_t *)jm_tensor_at(&mask, at)) continue;
            memcpy((char *)want[0].data + (size_t)found++ * bytes, jm_tensor_at(&x, index), bytes);
        } while (op_test_next(&shape, index));
        want[1] = list_of(&t, &found, 1);
        op_test_input(&t, op_test_restride(&t, &x, rng));
        op_test_input(&t, op_test_restride(&t, &mask, rng));
        t.outputs = 2;
        op_test_check(&t, want, rng);
    }
}

/* -1, 0 or 1: slices a and b of x, whose first dimension has `items`. */
static int compare(const jm_tensor *x, int64_t length, int64_t a, int64_t b)
{
    for (int64_t i = 0; i < length; i++) {
        const double p = value(x, a * length + i), q = value(x, b * length + i);
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

static void find_unique_counts_slices(void **state)
{
    (void)state;
    EACH_ROUND(t, "FindUnique")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(1, 3), 1, 6, 60);
        const int64_t items = shape.dim[0], length = count_of(&shape) / items, first_axis = 0;
        const bool consecutive = pick(0, 1);
        jm_tensor x = small_numbers(&t, pick_dtype(), &shape);
        const jm_shape line = {.rank = 1, .dim = {items}};
        jm_tensor want[5] = {unwritten(&t, x.dtype, &shape), unwritten(&t, JM_I64, &line),
                             unwritten(&t, JM_I64, &line)};
        int64_t *inverse = want[1].data, *counts = want[2].data, found = 0;
        const size_t bytes = (size_t)length * jm_dtype_size(x.dtype);
        for (int64_t i = 0; i < items; i++) {
            /* Rank of the item among the different ones, or the number of its run. */
            int64_t rank = consecutive && i > 0 ? inverse[i - 1] + (compare(&x, length, i - 1, i) != 0) : 0, first = i;
            for (int64_t j = 0; !consecutive && j < items; j++) {
                bool repeated = false;
                for (int64_t k = 0; k < j; k++) repeated = repeated || compare(&x, length, k, j) == 0;
                rank += !repeated && compare(&x, length, j, i) < 0;
                if (j < first && compare(&x, length, j, i) == 0) first = j;
            }
            inverse[i] = rank;
            if (consecutive && i > 0 && rank == inverse[i - 1]) continue;
            if (first == i) {
                memcpy((char *)want[0].data + (size_t)rank * bytes, (const char *)x.data + (size_t)i * bytes, bytes);
                found++;
            }
        }
        for (int64_t i = 0; i < found; i++) {
            counts[i] = 0;
            for (int64_t j = 0; j < items; j++) counts[i] += inverse[j] == i;
        }
        jm_shape filled = shape;
        filled.dim[0] = found;
        want[3] = list_of(&t, filled.dim, filled.rank);
        want[4] = list_of(&t, &found, 1);
        op_test_input(&t, op_test_restride(&t, &x, rng));
        op_test_ints(&t, "axis", &first_axis, 1);
        op_test_int(&t, "consecutive", consecutive);
        t.outputs = 5;
        op_test_check(&t, want, rng);
    }
}

static void linspace_has_exact_ends(void **state)
{
    (void)state;
    EACH_ROUND(t, "LinSpace")
    {
        const int64_t steps = pick(0, 40);
        const double ends[2] = {op_random_real(rng, -10, 10), op_random_real(rng, -10, 10)};
        const jm_shape line = {.rank = 1, .dim = {steps}}, scalar = {0};
        jm_tensor want = op_test_tensor(&t, JM_F64, &line, rng);
        const double step = steps > 1 ? (ends[1] - ends[0]) / (double)(steps - 1) : 0;
        for (int64_t i = 0; i < steps; i++) {
            const bool low = i < steps / 2 || steps == 1;
            ((double *)want.data)[i] = low ? ends[0] + step * (double)i : ends[1] - step * (double)(steps - 1 - i);
        }
        if (steps > 1) assert_true(((double *)want.data)[0] == ends[0] && ((double *)want.data)[steps - 1] == ends[1]);
        for (int i = 0; i < 2; i++) op_test_input(&t, op_test_constant(&t, JM_F64, &scalar, &ends[i]));
        op_test_int(&t, "steps", steps);
        op_test_check(&t, &want, rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_get_picks),
        cmocka_unit_test(index_put_writes_in_order),
        cmocka_unit_test(bad_indices_fault),
        cmocka_unit_test(masks_must_fit_when_they_run),
        cmocka_unit_test(find_nonzero_lists_indices),
        cmocka_unit_test(masked_select_keeps_order),
        cmocka_unit_test(find_unique_counts_slices),
        cmocka_unit_test(linspace_has_exact_ends),
    };
    rng = test_random_state();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
