/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators whose addresses or values come from data or shapes: gather, scatter, TopK, running sums, generators.
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

static jm_dtype pick_dtype(void)
{
    static const jm_dtype dtypes[] = {JM_F32, JM_F16, JM_I8, JM_I64, JM_BOOL, JM_F64};
    return dtypes[pick(0, (int64_t)JM_COUNT(dtypes) - 1)];
}

static int64_t count_of(const jm_shape *shape)
{
    int64_t count;
    assert_ok(jm_shape_count(shape, &count));
    return count;
}

static jm_tensor add_input(op_test *t, jm_dtype dtype, const jm_shape *shape)
{
    jm_tensor tensor = op_test_tensor(t, dtype, shape, rng);
    op_test_input(t, op_test_restride(t, &tensor, rng));
    return tensor;
}

/* Random legal indices below dims[i mod depth], negative ones too; returns them without strides. */
static jm_tensor add_indices(op_test *t, const jm_shape *shape, const int64_t *dims, int depth)
{
    jm_tensor tensor = op_test_tensor(t, pick(0, 1) ? JM_I32 : JM_I64, shape, rng);
    int64_t count = count_of(shape);
    char *element = tensor.data;
    for (int64_t i = 0; i < count; i++, element += jm_dtype_size(tensor.dtype)) {
        int64_t dim = dims[i % depth];
        jm_element_from_i64(tensor.dtype, pick(-dim, dim - 1), element);
    }
    op_test_input(t, op_test_restride(t, &tensor, rng));
    return tensor;
}

static int64_t index_at(const jm_tensor *indices, const int64_t *at, int64_t dim)
{
    int64_t value = jm_element_to_i64(indices->dtype, jm_tensor_at(indices, at));
    return value < 0 ? value + dim : value;
}

static void copy_element(const jm_tensor *to, const int64_t *to_index, const jm_tensor *from, const int64_t *from_index)
{
    memcpy(jm_tensor_at(to, to_index), jm_tensor_at(from, from_index), jm_dtype_size(to->dtype));
}

#define EACH_ROUND(t, name)                                                                                            \
    op_test t;                                                                                                         \
    for (int round_ = 0; round_ < ROUNDS && (op_test_begin(&t, name), true); round_++, op_test_end(&t))

/* ---- Gather ---- */

static void gather_picks_slabs(void **state)
{
    (void)state;
    EACH_ROUND(t, "Gather")
    {
        jm_shape from = op_test_shape(rng, (int)pick(1, 4), 1, 20, 2000);
        jm_shape picks = op_test_shape(rng, (int)pick(0, 3), 1, 12, 100), to = {0};
        if (picks.rank && pick(0, 9) == 0) picks.dim[0] = 0;
        int axis = (int)pick(0, from.rank - 1);
        for (int k = 0; k < axis; k++) to.dim[to.rank++] = from.dim[k];
        for (int k = 0; k < picks.rank; k++) to.dim[to.rank++] = picks.dim[k];
        for (int k = axis + 1; k < from.rank; k++) to.dim[to.rank++] = from.dim[k];
        jm_tensor data = add_input(&t, pick_dtype(), &from);
        jm_tensor indices = add_indices(&t, &picks, &from.dim[axis], 1);
        jm_tensor want = op_test_tensor(&t, data.dtype, &to, rng);
        op_test_int(&t, "axis", pick(0, 1) ? axis : axis - from.rank);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        if (count_of(&to)) do {
                for (int k = 0; k < from.rank; k++)
                    if (k != axis) at[k] = k < axis ? index[k] : index[k + picks.rank - 1];
                at[axis] = index_at(&indices, index + axis, from.dim[axis]);
                copy_element(&want, index, &data, at);
            } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

static void gather_nd_picks_by_coordinates(void **state)
{
    (void)state;
    EACH_ROUND(t, "GatherND")
    {
        jm_shape from = op_test_shape(rng, (int)pick(1, 5), 1, 9, 2000);
        int batch = (int)pick(0, JM_MIN(from.rank - 1, 2)), depth = (int)pick(1, from.rank - batch);
        jm_shape picks = op_test_shape(rng, batch + (int)pick(0, 2), 1, 6, 100), to;
        for (int k = 0; k < batch; k++) picks.dim[k] = from.dim[k];
        to = picks;
        for (int k = batch + depth; k < from.rank; k++) to.dim[to.rank++] = from.dim[k];
        int lead = picks.rank;
        picks.dim[picks.rank++] = depth;
        jm_tensor data = add_input(&t, pick_dtype(), &from);
        jm_tensor indices = add_indices(&t, &picks, from.dim + batch, depth);
        jm_tensor want = op_test_tensor(&t, data.dtype, &to, rng);
        op_test_int(&t, "batch_dims", batch);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK], coordinate[JM_MAX_RANK];
        do {
            memcpy(coordinate, index, sizeof(coordinate));
            memcpy(at, index, sizeof(at));
            for (int k = 0; k < depth; k++) {
                coordinate[lead] = k;
                at[batch + k] = index_at(&indices, coordinate, from.dim[batch + k]);
            }
            for (int k = batch + depth; k < from.rank; k++) at[k] = index[lead + k - batch - depth];
            copy_element(&want, index, &data, at);
        } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

static void gather_and_scatter_elements(void **state)
{
    (void)state;
    for (int scatter = 0; scatter < 2; scatter++) {
        EACH_ROUND(t, scatter ? "ScatterElements" : "GatherElements")
        {
            jm_shape from = op_test_shape(rng, (int)pick(1, 5), 1, 12, 2000), picks = from;
            int axis = (int)pick(0, from.rank - 1);
            for (int k = 0; k < from.rank; k++) picks.dim[k] = k == axis ? pick(0, 10) : pick(1, from.dim[k]);
            jm_tensor data = add_input(&t, pick_dtype(), &from), updates = {0};
            jm_tensor indices = add_indices(&t, &picks, &from.dim[axis], 1);
            if (scatter) updates = add_input(&t, data.dtype, &picks);
            op_test_int(&t, "axis", axis);
            jm_tensor want =
                scatter ? op_test_copy(&t, &data, JM_PLAIN, NULL) : op_test_tensor(&t, data.dtype, &picks, rng);
            int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
            if (count_of(&picks)) do {
                    memcpy(at, index, sizeof(at));
                    at[axis] = index_at(&indices, index, from.dim[axis]);
                    if (scatter)
                        copy_element(&want, at, &updates, index);
                    else
                        copy_element(&want, index, &data, at);
                } while (op_test_next(&picks, index));
            op_test_check(&t, &want, rng);
        }
    }
}

static void scatter_nd_replaces_slabs(void **state)
{
    (void)state;
    EACH_ROUND(t, "ScatterND")
    {
        jm_shape from = op_test_shape(rng, (int)pick(1, 5), 1, 9, 2000);
        int depth = (int)pick(1, from.rank);
        jm_shape picks = op_test_shape(rng, (int)pick(0, 2), 1, 6, 100), updates_shape = picks;
        int lead = picks.rank;
        for (int k = depth; k < from.rank; k++) updates_shape.dim[updates_shape.rank++] = from.dim[k];
        picks.dim[picks.rank++] = depth;
        jm_tensor data = add_input(&t, pick_dtype(), &from);
        jm_tensor indices = add_indices(&t, &picks, from.dim, depth);
        jm_tensor updates = add_input(&t, data.dtype, &updates_shape);
        jm_tensor want = op_test_copy(&t, &data, JM_PLAIN, NULL);
        int64_t index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK], coordinate[JM_MAX_RANK];
        do {
            memcpy(coordinate, index, sizeof(coordinate));
            for (int k = 0; k < from.rank; k++) {
                coordinate[lead] = k;
                at[k] = k < depth ? index_at(&indices, coordinate, from.dim[k]) : index[lead + k - depth];
            }
            copy_element(&want, at, &updates, index);
        } while (op_test_next(&updates_shape, index));
        op_test_check(&t, &want, rng);
    }
}

/* An index out of range is a fault, writes nothing and spares its neighbours. */
static void bad_indices_fault(void **state)
{
    (void)state;
    static const char *const ops[] = {"Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND"};
    static const int64_t bad[] = {4, -5, INT64_MAX, INT64_MIN};
    for (size_t o = 0; o < JM_COUNT(ops); o++)
        for (size_t b = 0; b < JM_COUNT(bad); b++) {
            op_test t;
            op_test_begin(&t, ops[o]);
            bool nd = strstr(ops[o], "ND") != NULL, scatter = ops[o][0] == 'S';
            jm_shape data_shape = {.rank = 1, .dim = {4}}, list = {.rank = 1, .dim = {3}};
            jm_shape column = {.rank = 2, .dim = {3, 1}};
            float data[4] = {10, 11, 12, 13}, updates[3] = {1, 2, 3};
            int64_t indices[3] = {2, bad[b], 0};
            op_test_input(&t, op_test_constant(&t, JM_F32, &data_shape, data));
            op_test_input(&t, op_test_constant(&t, JM_I64, nd ? &column : &list, indices));
            if (scatter) op_test_input(&t, op_test_constant(&t, JM_F32, &list, updates));
            assert_ok(op_test_run(&t));
            assert_int_equal(t.fault, JM_OUT_OF_RANGE);
            const float *out = t.out[0].data;
            static const unsigned char poison[4] = {0xFF, 0xFF, 0xFF, 0xFF};
            assert_true(scatter ? out[2] == 1 && out[0] == 3 && out[1] == 11 && out[3] == 13
                                : out[0] == 12 && memcmp(&out[1], poison, 4) == 0 && out[2] == 10);
            op_test_end(&t);
        }
}

/* ---- TopK ---- */

static double value_at(const jm_tensor *tensor, int64_t i, int axis, const int64_t *base)
{
    int64_t at[JM_MAX_RANK];
    memcpy(at, base, sizeof(at));
    at[axis] = i;
    return jm_element_to_f64(tensor->dtype, jm_tensor_at(tensor, at));
}

/* NaN is above everything. */
static bool above(double a, double b)
{
    return isnan(a) ? !isnan(b) : a > b;
}

static void topk_selects_stably(void **state)
{
    (void)state;
    static const jm_dtype dtypes[] = {JM_F32, JM_F16, JM_F64, JM_I32, JM_U8, JM_I8};
    EACH_ROUND(t, "TopK")
    {
        jm_shape from = op_test_shape(rng, (int)pick(1, 4), 1, 60, 3000), to = from;
        int axis = (int)pick(0, from.rank - 1);
        int64_t k = pick(0, from.dim[axis]);
        bool largest = pick(0, 1);
        to.dim[axis] = k;
        jm_tensor data = op_test_tensor(&t, dtypes[pick(0, (int64_t)JM_COUNT(dtypes) - 1)], &from, rng);
        int64_t index[JM_MAX_RANK] = {0};
        do { /* many ties, both zeros, NaN and infinities */
            double value = (double)pick(0, 6) - 3;
            if (value == 0 && pick(0, 1)) value = -0.0;
            if (data.dtype <= JM_F16 && pick(0, 20) == 0) value = pick(0, 1) ? NAN : pick(0, 1) ? INFINITY : -INFINITY;
            jm_element_from_f64(data.dtype, data.dtype == JM_U8 ? fabs(value) : value, jm_tensor_at(&data, index));
        } while (op_test_next(&from, index));
        op_test_input(&t, op_test_restride(&t, &data, rng));
        op_test_ints_input(&t, &k, 1);
        op_test_int(&t, "axis", axis);
        op_test_int(&t, "largest", largest);
        t.outputs = 2;
        jm_tensor want[2] = {op_test_tensor(&t, data.dtype, &to, rng), op_test_tensor(&t, JM_I64, &to, rng)};
        /* Rank of an element: how many come before it. */
        memset(index, 0, sizeof(index));
        do {
            double mine = value_at(&data, index[axis], axis, index);
            int64_t before = 0, at[JM_MAX_RANK];
            for (int64_t i = 0; i < from.dim[axis]; i++) {
                double other = value_at(&data, i, axis, index);
                bool better = largest ? above(other, mine) : above(mine, other);
                bool tie = !above(other, mine) && !above(mine, other) && i < index[axis];
                before += better || tie;
            }
            if (before >= k) continue;
            memcpy(at, index, sizeof(at));
            at[axis] = before;
            copy_element(&want[0], at, &data, index);
            memcpy(jm_tensor_at(&want[1], at), &index[axis], sizeof(int64_t));
        } while (op_test_next(&from, index));
        op_test_check(&t, want, rng);
    }
}

/* ---- Lines ---- */

static void cumsum_adds_in_order(void **state)
{
    (void)state;
    static const jm_dtype dtypes[] = {JM_F32, JM_F64, JM_I32, JM_I64};
    EACH_ROUND(t, "CumSum")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(1, 4), 1, 30, 3000);
        int axis = (int)pick(0, shape.rank - 1);
        bool exclusive = pick(0, 1), reverse = pick(0, 1);
        jm_tensor x = add_input(&t, dtypes[pick(0, 3)], &shape), want = op_test_tensor(&t, x.dtype, &shape, rng);
        int64_t given = pick(0, 1) ? axis : axis - shape.rank, index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        op_test_ints_input(&t, &given, 1);
        op_test_int(&t, "exclusive", exclusive);
        op_test_int(&t, "reverse", reverse);
        do {
            double real = 0;
            uint64_t whole = 0;
            int64_t last = reverse ? shape.dim[axis] - 1 - index[axis] : index[axis];
            memcpy(at, index, sizeof(at));
            for (int64_t i = 0; i < last + !exclusive; i++) {
                at[axis] = reverse ? shape.dim[axis] - 1 - i : i;
                const void *element = jm_tensor_at(&x, at);
                real = x.dtype == JM_F32 ? (float)real + *(const float *)element
                                         : real + jm_element_to_f64(x.dtype, element);
                whole += (uint64_t)jm_element_to_i64(x.dtype, element);
            }
            void *out = jm_tensor_at(&want, index);
            if (x.dtype == JM_F32 || x.dtype == JM_F64)
                jm_element_from_f64(x.dtype, real, out);
            else
                jm_element_from_i64(x.dtype, (int64_t)whole, out);
        } while (op_test_next(&shape, index));
        op_test_check(&t, &want, rng);
    }
}

static void trilu_keeps_one_side(void **state)
{
    (void)state;
    EACH_ROUND(t, "Trilu")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(2, 4), 1, 12, 2000);
        jm_tensor in = add_input(&t, pick_dtype(), &shape), want = op_test_copy(&t, &in, JM_PLAIN, NULL);
        int64_t k = pick(0, 9) ? pick(-8, 8) : INT64_MIN, index[JM_MAX_RANK] = {0};
        bool upper = pick(0, 1), given = pick(0, 3) > 0;
        if (given)
            op_test_ints_input(&t, &k, 1);
        else
            k = 0;
        op_test_int(&t, "upper", upper);
        do {
            int64_t above_diagonal = index[shape.rank - 1] - index[shape.rank - 2];
            if (upper ? above_diagonal < k : above_diagonal > k)
                memset(jm_tensor_at(&want, index), 0, jm_dtype_size(want.dtype));
        } while (op_test_next(&shape, index));
        op_test_check(&t, &want, rng);
    }
}

static void onehot_marks_one(void **state)
{
    (void)state;
    EACH_ROUND(t, "OneHot")
    {
        jm_shape from = op_test_shape(rng, (int)pick(0, 3), 1, 8, 200), to = {.rank = from.rank + 1};
        jm_shape pair = {.rank = 1, .dim = {2}};
        int axis = (int)pick(0, from.rank);
        int64_t depth = pick(1, 9), odd = depth + 2, index[JM_MAX_RANK] = {0}, at[JM_MAX_RANK];
        for (int k = 0; k < to.rank; k++) to.dim[k] = k == axis ? depth : from.dim[k - (k > axis)];
        jm_tensor indices = add_indices(&t, &from, &odd, 1); /* some are out of range: all off */
        op_test_ints_input(&t, &depth, 1);
        jm_tensor values = add_input(&t, pick_dtype(), &pair), want = op_test_tensor(&t, values.dtype, &to, rng);
        op_test_int(&t, "axis", axis);
        do {
            for (int k = 0; k < from.rank; k++) at[k] = index[k + (k >= axis)];
            bool on = index_at(&indices, at, depth) == index[axis];
            copy_element(&want, index, &values, (int64_t[JM_MAX_RANK]){on});
        } while (op_test_next(&to, index));
        op_test_check(&t, &want, rng);
    }
}

/* ---- Generators ---- */

static void shape_and_size_tell_dimensions(void **state)
{
    (void)state;
    EACH_ROUND(t, "Shape")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(0, 8), 0, 5, 500), out = {.rank = 1};
        add_input(&t, pick_dtype(), &shape);
        int64_t start = pick(-9, 9), end = pick(-9, 9), values[JM_MAX_RANK];
        bool cut = pick(0, 1);
        if (cut) op_test_int(&t, "start", start), op_test_int(&t, "end", end);
        for (int k = 0; k < shape.rank; k++) {
            int64_t first = start < 0 ? start + shape.rank : start, last = end < 0 ? end + shape.rank : end;
            if (!cut || (k >= first && k < last)) values[out.dim[0]++] = shape.dim[k];
        }
        jm_tensor want = op_test_constant(&t, JM_I64, &out, values);
        op_test_check(&t, &want, rng);

        op_test size;
        op_test_begin(&size, "Size");
        jm_shape scalar = {0};
        int64_t count = count_of(&shape);
        add_input(&size, JM_F32, &shape);
        jm_tensor total = op_test_constant(&size, JM_I64, &scalar, &count);
        op_test_check(&size, &total, rng);
        op_test_end(&size);
    }
}

static void constant_of_shape_fills(void **state)
{
    (void)state;
    EACH_ROUND(t, "ConstantOfShape")
    {
        jm_shape shape = op_test_shape(rng, (int)pick(0, 5), 0, 12, 3000), one = {.rank = (int)pick(0, 1), .dim = {1}};
        op_test_ints_input(&t, shape.dim, shape.rank);
        bool given = pick(0, 1);
        float zero = 0;
        jm_tensor value = given ? add_input(&t, pick_dtype(), &one) : op_test_constant(&t, JM_F32, &one, &zero);
        jm_tensor want = op_test_tensor(&t, value.dtype, &shape, rng);
        int64_t index[JM_MAX_RANK] = {0};
        if (count_of(&shape)) do
                copy_element(&want, index, &value, (int64_t[JM_MAX_RANK]){0});
            while (op_test_next(&shape, index));
        op_test_check(&t, &want, rng);
    }
}

static void range_counts(void **state)
{
    (void)state;
    static const jm_dtype dtypes[] = {JM_F32, JM_F64, JM_I16, JM_I32, JM_I64};
    jm_shape scalar = {0};
    EACH_ROUND(t, "Range")
    {
        jm_dtype dtype = dtypes[pick(0, 4)];
        double numbers[3] = {(double)pick(-20, 20), (double)pick(-20, 20),
                             (double)(pick(0, 1) ? pick(1, 5) : pick(-5, -1))};
        if (dtype <= JM_F16 || dtype == JM_F64) numbers[0] /= 4, numbers[1] /= 4, numbers[2] /= 4; /* exact in binary */
        for (int i = 0; i < 3; i++) {
            char element[8];
            jm_element_from_f64(dtype, numbers[i], element);
            op_test_input(&t, op_test_constant(&t, dtype, &scalar, element));
        }
        jm_shape out = {.rank = 1};
        for (double at = numbers[0]; numbers[2] > 0 ? at < numbers[1] : at > numbers[1]; at += numbers[2]) out.dim[0]++;
        jm_tensor want = op_test_tensor(&t, dtype, &out, rng);
        for (int64_t i = 0; i < out.dim[0]; i++)
            jm_element_from_f64(dtype, numbers[0] + (double)i * numbers[2],
                                (char *)want.data + i * (int64_t)jm_dtype_size(dtype));
        op_test_check(&t, &want, rng);
    }
}

int main(void)
{
    rng = test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_picks_slabs),
        cmocka_unit_test(gather_nd_picks_by_coordinates),
        cmocka_unit_test(gather_and_scatter_elements),
        cmocka_unit_test(scatter_nd_replaces_slabs),
        cmocka_unit_test(bad_indices_fault),
        cmocka_unit_test(topk_selects_stably),
        cmocka_unit_test(cumsum_adds_in_order),
        cmocka_unit_test(trilu_keeps_one_side),
        cmocka_unit_test(onehot_marks_one),
        cmocka_unit_test(shape_and_size_tell_dimensions),
        cmocka_unit_test(constant_of_shape_fills),
        cmocka_unit_test(range_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
