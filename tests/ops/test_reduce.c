/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions, ArgMax, Softmax and the normalisations, against models in float64.
 */
#include "numeric.h"

/* ---- Reductions ---- */

enum { SUM, MEAN, MAX, MIN, PROD, L1, L2, SQUARE };

static const struct {
    const char *op;
    int kind;
} reductions[] = {
    {"ReduceSum", SUM},   {"ReduceMean", MEAN}, {"ReduceMax", MAX}, {"ReduceMin", MIN},
    {"ReduceProd", PROD}, {"ReduceL1", L1},     {"ReduceL2", L2},   {"ReduceSumSquare", SQUARE},
};

/* A running float64 value with the sum of what went in, which bounds the rounding error. */
struct sum {
    double value, size;
    int64_t count;
};

static void add(int kind, struct sum *sum, double x)
{
    if (sum->count++ == 0) *sum = (struct sum){kind == PROD ? 1 : (kind == MAX || kind == MIN ? x : 0), 0, 1};
    switch (kind) {
    case MAX:
        sum->value = x != x || sum->value != sum->value ? NAN : fmax(sum->value, x);
        break;
    case MIN:
        sum->value = x != x || sum->value != sum->value ? NAN : fmin(sum->value, x);
        break;
    case PROD:
        sum->value *= x;
        break;
    default:
        x = kind == L1 ? fabs(x) : (kind == L2 || kind == SQUARE ? x * x : x);
        sum->value += x;
        sum->size += fabs(x);
        break;
    }
}

static double finish(int kind, const struct sum *sum, double empty)
{
    if (sum->count == 0) return kind == MEAN ? NAN : empty;
    if (kind == MEAN) return sum->value / (double)sum->count;
    return kind == L2 ? sqrt(sum->value) : sum->value;
}

static void check_reduction(const char *name, int kind, const jm_tensor *in, const bool reduced[], bool keep,
                            const jm_tensor *out)
{
    int64_t index[JM_MAX_RANK] = {0}, count;
    assert_ok(jm_shape_count(&out->shape, &count));
    if (count == 0) return;
    do {
        int64_t at[JM_MAX_RANK] = {0};
        jm_shape inner = in->shape;
        for (int k = 0, from = 0; k < in->shape.rank; k++) {
            if (!reduced[k] || keep) at[k] = index[from++];
            if (!reduced[k]) inner.dim[k] = 1;
        }
        struct sum sum = {0};
        int64_t step[JM_MAX_RANK] = {0}, total;
        assert_ok(jm_shape_count(&inner, &total));
        if (total > 0) do {
                int64_t place[JM_MAX_RANK];
                for (int k = 0; k < JM_MAX_RANK; k++) place[k] = at[k] + step[k];
                add(kind, &sum, number_at(in, place));
            } while (op_test_next(&inner, step));
        double least = in->dtype == JM_BOOL ? 0 : -INFINITY; /* every number but 0 is true, -INFINITY too */
        double empty = kind == PROD ? 1 : (kind == MAX ? least : (kind == MIN ? INFINITY : 0));
        double want = finish(kind, &sum, empty), error = 0;
        if (is_float(in->dtype)) {
            double unit = in->dtype == JM_F64 ? 0x1p-53 : 0x1p-24;
            error = kind == MAX || kind == MIN ? 0 : unit * (sum.size + fabs(want)) * (2 + (double)total / 16);
            if (kind == MEAN) error /= (double)(total ? total : 1);
            if (kind == L2 && want > 0) error /= want;
            if (kind == PROD) error = unit * fabs(want) * (double)(total + 1) + 0x1p-149;
            if (in->dtype != JM_F64) error += 0.51 * ulp_of(in->dtype, want);
        } else {
            unsigned char element[8] = {0};
            if (kind == SUM || kind == L1 || kind == SQUARE || kind == PROD)
                jm_element_from_i64(in->dtype, (int64_t)want, element);
            else
                jm_element_from_f64(in->dtype, want, element);
            want = jm_element_to_f64(in->dtype, element);
        }
        assert_close(name, in->dtype, number_at(out, index), want, error);
    } while (op_test_next(&out->shape, index));
}

static void random_reductions(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (size_t i = 0; i < JM_COUNT(reductions); i++) {
        const jm_op *op = jm_op_find(reductions[i].op);
        for (int dtype = 0; dtype < 32; dtype++) {
            if (!jm_dtype_size((jm_dtype)dtype) || !(op->dtypes >> dtype & 1)) continue;
            for (int round = 0; round < (dtype == JM_F32 ? 14 : 4); round++) {
                op_test t;
                int rank = round < 3 ? 4 : (int)op_random_int(&random, 0, JM_MAX_RANK);
                jm_shape shape =
                    op_test_shape(&random, rank, op_random_int(&random, 0, 15) ? 1 : 0, round < 3 ? 40 : 12, 5000);
                bool reduced[JM_MAX_RANK] = {false}, keep = op_random(&random) & 1;
                int64_t axes[JM_MAX_RANK];
                int count = 0;
                for (int k = 0; k < rank; k++) {
                    reduced[k] = round == 0 ? k >= 2 : (round == 1 ? k == 1 : op_random(&random) & 1);
                    if (reduced[k]) axes[count++] = op_random(&random) & 1 ? k : k - rank;
                }
                op_test_begin(&t, reductions[i].op);
                bool all = op_random_int(&random, 0, 5) == 0;
                if (all)
                    for (int k = 0; k < rank; k++) reduced[k] = true;
                else
                    op_test_ints(&t, "axes", axes, count);
                keep = keep || round == 0;
                op_test_int(&t, "keepdims", keep);
                double low = dtype == JM_U8 || dtype == JM_U16 || dtype == JM_U32 ? 0 : -1.5;
                bool extremes = reductions[i].kind == MAX || reductions[i].kind == MIN;
                jm_tensor in = random_numbers(&t, (jm_dtype)dtype, &shape, &random, low, 2, extremes);
                op_test_input(&t, in);
                jm_tensor out = run_every_way(&t, &random);
                check_reduction(reductions[i].op, reductions[i].kind, &in, reduced, keep, &out);
                op_test_end(&t);
            }
        }
    }
}

static void global_pools(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 20; round++) {
        op_test t;
        bool maximum = round & 1, reduced[JM_MAX_RANK];
        jm_dtype dtype = round % 5 == 0 ? JM_F16 : (round % 7 == 0 ? JM_F64 : JM_F32);
        jm_shape shape = op_test_shape(&random, (int)op_random_int(&random, 3, 6), 1, 40, 20000);
        for (int k = 0; k < shape.rank; k++) reduced[k] = k >= 2;
        op_test_begin(&t, maximum ? "GlobalMaxPool" : "GlobalAveragePool");
        jm_tensor in = random_numbers(&t, dtype, &shape, &random, -2, 2, maximum);
        op_test_input(&t, in);
        jm_form forms[JM_MAX_FORMS];
        assert_int_equal(op_test_forms(&t, forms), dtype == JM_F32 ? 2 : 1);
        jm_tensor out = run_every_way(&t, &random);
        check_reduction(maximum ? "GlobalMaxPool" : "GlobalAveragePool", maximum ? MAX : MEAN, &in, reduced, true,
                        &out);
        op_test_end(&t);
    }
}

/* ---- ArgMax, ArgMin ---- */

static bool better(bool minimum, double value, double best)
{
    if (best != best) return false;
    return value != value || (minimum ? value < best : value > best);
}

static void arg_max(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int dtype = 0; dtype < 32; dtype++) {
        const jm_op *op = jm_op_find("ArgMax");
        if (!jm_dtype_size((jm_dtype)dtype) || !(op->dtypes >> dtype & 1)) continue;
        for (int round = 0; round < 8; round++) {
            op_test t;
            int rank = (int)op_random_int(&random, 1, 6), axis = (int)op_random_int(&random, 0, rank - 1);
            bool minimum = round & 1, last = round & 2, keep = round & 4;
            jm_shape shape = op_test_shape(&random, rank, 1, 12, 4000);
            op_test_begin(&t, minimum ? "ArgMin" : "ArgMax");
            op_test_int(&t, "axis", op_random(&random) & 1 ? axis : axis - rank);
            op_test_int(&t, "keepdims", keep);
            op_test_int(&t, "select_last_index", last);
            jm_tensor in = random_numbers(&t, (jm_dtype)dtype, &shape, &random, 0, 6, true);
            op_test_input(&t, in);
            jm_tensor out = run_every_way(&t, &random);
            int64_t index[JM_MAX_RANK] = {0};
            do {
                int64_t at[JM_MAX_RANK] = {0}, best = 0;
                for (int k = 0, from = 0; k < rank; k++)
                    if (k != axis || keep) at[k] = index[from++];
                double value = number_at(&in, at);
                for (int64_t i = 1; i < shape.dim[axis]; i++) {
                    at[axis] = i;
                    double next = number_at(&in, at);
                    bool equal = next == value || (next != next && value != value);
                    if (!better(minimum, next, value) && !(last && equal)) continue;
                    value = next;
                    best = i;
                }
                assert_int_equal((int64_t)number_at(&out, index), best);
            } while (op_test_next(&out.shape, index));
            op_test_end(&t);
        }
    }
}

/* ---- Softmax ---- */

static void check_softmax(bool log_form, int axis, const jm_tensor *in, const jm_tensor *out)
{
    int64_t index[JM_MAX_RANK] = {0};
    do {
        int64_t at[JM_MAX_RANK];
        memcpy(at, index, sizeof(at));
        double max = -INFINITY, sum = 0;
        for (at[axis] = 0; at[axis] < in->shape.dim[axis]; at[axis]++) max = fmax(max, number_at(in, at));
        for (at[axis] = 0; at[axis] < in->shape.dim[axis]; at[axis]++) sum += exp(number_at(in, at) - max);
        double x = number_at(in, index), want = log_form ? x - max - log(sum) : exp(x - max) / sum;
        double unit = in->dtype == JM_F64 ? 0x1p-53 : 0x1p-24;
        double error = unit * (log_form ? 8 + 4 * fabs(x - max) : (8 + 2 * fabs(x - max)) * want) + 0x1p-126;
        if (in->dtype != JM_F64) error += 0.51 * ulp_of(in->dtype, want);
        assert_close(log_form ? "LogSoftmax" : "Softmax", in->dtype, number_at(out, index), want, error);
    } while (op_test_next(&in->shape, index));
}

static void softmax(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype dtypes[] = {JM_F32, JM_F32, JM_F32, JM_F16, JM_BF16, JM_F64};
    for (int round = 0; round < 60; round++) {
        op_test t;
        bool log_form = round & 1;
        int rank = round < 4 ? 4 : (int)op_random_int(&random, 1, 6);
        int axis = round < 4 ? 1 : (int)op_random_int(&random, 0, rank - 1);
        jm_shape shape = op_test_shape(&random, rank, 1, 30, 6000);
        op_test_begin(&t, log_form ? "LogSoftmax" : "Softmax");
        op_test_int(&t, "axis", op_random(&random) & 1 ? axis : axis - rank);
        jm_tensor in = random_numbers(&t, dtypes[round % JM_COUNT(dtypes)], &shape, &random, -9, 9, false);
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        check_softmax(log_form, axis, &in, &out);
        op_test_end(&t);
    }
}

/* Large values do not overflow; -inf is probability 0; NaN spreads; no elements are no work. */
static void softmax_edges(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const float rows[4][3] = {{1e30f, 1e30f, -1e30f}, {-INFINITY, 0, 0}, {NAN, 1, 2}, {-200, 0, -90}};
    static const float want[4][3] = {{0.5f, 0.5f, 0}, {0, 0.5f, 0.5f}, {NAN, NAN, NAN}, {0, 1, 8.194e-40f}};
    for (int across = 0; across < 2; across++) {
        op_test t;
        jm_shape shape = {.rank = 2, .dim = {across ? 3 : 4, across ? 4 : 3}};
        op_test_begin(&t, "Softmax");
        op_test_int(&t, "axis", across ? 0 : 1);
        jm_tensor in = op_test_tensor(&t, JM_F32, &shape, &random);
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++) ((float *)in.data)[across ? c * 4 + r : r * 3 + c] = rows[r][c];
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++)
                assert_close("Softmax", JM_F32, (double)((float *)out.data)[across ? c * 4 + r : r * 3 + c],
                             (double)want[r][c], 1e-7);
        op_test_end(&t);
    }
    op_test t;
    jm_shape empty = {.rank = 2, .dim = {3, 0}};
    op_test_begin(&t, "Softmax");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &empty, &random));
    run_every_way(&t, &random);
    op_test_end(&t);
}

/* The expectation of each distribution, in float64. */
static void softmax_dot(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 40; round++) {
        op_test t;
        jm_shape shape = {.rank = 4}, count = {.rank = 1};
        for (int k = 0; k < 4; k++) shape.dim[k] = op_random_int(&random, 1, k == 3 ? 70 : k == 2 ? 20 : 3);
        if (round & 1) shape.dim[2] = 16;
        count.dim[0] = shape.dim[2];
        op_test_begin(&t, "SoftmaxDot");
        jm_tensor in = random_numbers(&t, JM_F32, &shape, &random, -9, 9, false);
        jm_tensor weight = random_numbers(&t, JM_F32, &count, &random, -20, 20, false);
        op_test_input(&t, in);
        op_test_input(&t, weight);
        jm_tensor out = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            int64_t at[JM_MAX_RANK] = {index[0], index[1], 0, index[2]};
            double max = -INFINITY, sum = 0, want = 0, size = 0;
            for (at[2] = 0; at[2] < count.dim[0]; at[2]++) max = fmax(max, number_at(&in, at));
            for (at[2] = 0; at[2] < count.dim[0]; at[2]++) {
                const int64_t k[JM_MAX_RANK] = {at[2]};
                const double e = exp(number_at(&in, at) - max), w = number_at(&weight, k);
                sum += e;
                want += w * e;
                size += fabs(w) * e;
            }
            /* Each probability within 8 + 2 * 18 units of rounding, as above; then a sum of at most 20. */
            assert_close("SoftmaxDot", JM_F32, number_at(&out, index), want / sum, 64 * 0x1p-24 * size / sum);
        } while (op_test_next(&out.shape, index));
        op_test_end(&t);
    }
}

/* ---- Normalisations ---- */

/* A positive vector for variances, anything for the others. */
static jm_tensor channel_values(op_test *t, jm_dtype dtype, int64_t channels, uint64_t *random, bool positive,
                                bool constant)
{
    jm_shape shape = {.rank = 1, .dim = {channels}};
    jm_tensor tensor = random_numbers(t, dtype, &shape, random, positive ? 0.1 : -2, 3, false);
    tensor.constant = constant;
    op_test_input(t, tensor);
    return tensor;
}

static void batch_normalization(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 24; round++) {
        op_test t;
        jm_form forms[JM_MAX_FORMS];
        jm_dtype dtype = round % 4 == 3 ? (round & 4 ? JM_F16 : JM_BF16) : JM_F32;
        jm_shape shape = op_test_shape(&random, (int)op_random_int(&random, 2, 5), 1, 40, 6000);
        bool constant = round % 3 != 1;
        op_test_begin(&t, "BatchNormalization");
        op_test_float(&t, "epsilon", 1e-3);
        jm_tensor in = random_numbers(&t, dtype, &shape, &random, -3, 3, false), value[4];
        op_test_input(&t, in);
        for (int i = 0; i < 4; i++) value[i] = channel_values(&t, dtype, shape.dim[1], &random, i == 3, constant);
        bool blocked = dtype == JM_F32 && shape.rank >= 3 && constant;
        assert_int_equal(op_test_forms(&t, forms), blocked ? 2 : 1);
        jm_tensor out = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            int64_t c[JM_MAX_RANK] = {index[1]};
            double x = number_at(&in, index), factor = number_at(&value[0], c) / sqrt(number_at(&value[3], c) + 1e-3);
            double shift = number_at(&value[1], c) - number_at(&value[2], c) * factor, want = x * factor + shift;
            double error = 0x1p-23 * (fabs(x * factor) + fabs(shift)) + 0.51 * ulp_of(dtype, want);
            assert_close("BatchNormalization", dtype, number_at(&out, index), want, error);
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

/* Mean and 1 / sqrt(variance + epsilon) over the dims from `axis` on. */
static void statistics(const jm_tensor *in, const int64_t index[], int axis, double *mean, double *scale)
{
    int64_t at[JM_MAX_RANK], inner[JM_MAX_RANK] = {0}, count;
    jm_shape shape = {.rank = in->shape.rank - axis};
    memcpy(shape.dim, in->shape.dim + axis, (size_t)shape.rank * sizeof(int64_t));
    memcpy(at, index, sizeof(at));
    assert_ok(jm_shape_count(&shape, &count));
    double sum = 0, square = 0;
    do {
        memcpy(at + axis, inner, (size_t)shape.rank * sizeof(int64_t));
        sum += number_at(in, at);
    } while (op_test_next(&shape, inner));
    *mean = sum / (double)count;
    memset(inner, 0, sizeof(inner));
    do {
        memcpy(at + axis, inner, (size_t)shape.rank * sizeof(int64_t));
        square += (number_at(in, at) - *mean) * (number_at(in, at) - *mean);
    } while (op_test_next(&shape, inner));
    *scale = 1 / sqrt(square / (double)count + 1e-5);
}

static void instance_normalization(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 16; round++) {
        op_test t;
        jm_dtype dtype = round % 4 == 3 ? JM_F16 : JM_F32;
        jm_shape shape = op_test_shape(&random, (int)op_random_int(&random, 3, 5), 2, 20, 4000);
        op_test_begin(&t, "InstanceNormalization");
        jm_tensor in = random_numbers(&t, dtype, &shape, &random, 10, 12, false), value[2];
        op_test_input(&t, in);
        for (int i = 0; i < 2; i++) value[i] = channel_values(&t, dtype, shape.dim[1], &random, false, round & 1);
        jm_tensor out = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            double mean, scale;
            statistics(&in, index, 2, &mean, &scale);
            int64_t c[JM_MAX_RANK] = {index[1]};
            double center = (number_at(&in, index) - mean) * scale;
            double gamma = number_at(&value[0], c), want = center * gamma + number_at(&value[1], c);
            double error = 1e-6 * (10 + 12 * scale * fabs(gamma)) + 0.51 * ulp_of(dtype, want);
            assert_close("InstanceNormalization", dtype, number_at(&out, index), want, error);
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

static void layer_normalization(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 24; round++) {
        op_test t;
        jm_dtype dtype = round % 4 == 3 ? JM_BF16 : JM_F32;
        int rank = (int)op_random_int(&random, 1, 5), axis = (int)op_random_int(&random, 0, rank - 1);
        jm_shape shape = op_test_shape(&random, rank, 2, 20, 3000), inner = {.rank = rank - axis};
        memcpy(inner.dim, shape.dim + axis, (size_t)inner.rank * sizeof(int64_t));
        op_test_begin(&t, "LayerNormalization");
        op_test_int(&t, "axis", op_random(&random) & 1 ? axis : axis - rank);
        jm_tensor in = random_numbers(&t, dtype, &shape, &random, -3, 5, false);
        jm_tensor weight = random_numbers(&t, dtype, &inner, &random, -2, 2, false);
        jm_tensor bias = random_numbers(&t, dtype, &inner, &random, -2, 2, false);
        op_test_input(&t, in);
        op_test_input(&t, weight);
        if (round & 1) op_test_input(&t, bias);
        jm_tensor out = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            double mean, scale;
            int64_t own[JM_MAX_RANK] = {0};
            statistics(&in, index, axis, &mean, &scale);
            memcpy(own, index + axis, (size_t)inner.rank * sizeof(int64_t));
            double want = (number_at(&in, index) - mean) * scale * number_at(&weight, own);
            if (round & 1) want += number_at(&bias, own);
            double error = 1e-6 * (10 + 5 * scale * fabs(number_at(&weight, own))) + 0.51 * ulp_of(dtype, want);
            assert_close("LayerNormalization", dtype, number_at(&out, index), want, error);
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

/* ---- Errors ---- */

static void refuse(const char *op, const char *attr, int64_t value, jm_shape shape, const char *words)
{
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    uint64_t random = 1;
    op_test_begin(&t, op);
    if (attr && strcmp(attr, "axes") == 0)
        op_test_ints(&t, "axes", (int64_t[]){value, value}, 2);
    else if (attr)
        op_test_int(&t, attr, value);
    op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
    assert_int_equal(op_test_forms(&t, forms), 0);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' lacks '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void errors(void **state)
{
    (void)state;
    jm_shape shape = {.rank = 2, .dim = {3, 4}}, empty = {.rank = 2, .dim = {3, 0}};
    refuse("ReduceSum", "axes", 2, shape, "axis 2 is not one of rank 2");
    refuse("ReduceSum", "axes", 1, shape, "twice");
    refuse("GlobalAveragePool", NULL, 0, shape, "rank 2");
    refuse("ArgMax", "axis", -3, shape, "axis -3");
    refuse("ArgMax", "axis", 1, empty, "no elements");
    refuse("Softmax", "axis", 5, shape, "axis 5");
    refuse("LayerNormalization", "axis", 5, shape, "axis 5 is not one of rank 2");
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_reductions),
        cmocka_unit_test(global_pools),
        cmocka_unit_test(arg_max),
        cmocka_unit_test(softmax),
        cmocka_unit_test(softmax_edges),
        cmocka_unit_test(softmax_dot),
        cmocka_unit_test(batch_normalization),
        cmocka_unit_test(instance_normalization),
        cmocka_unit_test(layer_normalization),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
