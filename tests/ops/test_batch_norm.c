/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics and gradients of batch normalisation, and the statistics of LayerNormalization, against sums in double.
 */
#include "numeric.h"

static const jm_dtype types[] = {JM_F32, JM_F16, JM_BF16};

static jm_dtype random_type(uint64_t *random)
{
    return types[op_random_int(random, 0, 2)];
}

static jm_tensor channel_vector(op_test *t, jm_dtype dtype, int64_t count, double low, double high, uint64_t *random)
{
    const jm_shape shape = {.rank = 1, .dim = {count}};
    return random_numbers(t, dtype, &shape, random, low, high, false);
}

/* Short and long channels: they are summed along different ways. */
static jm_shape random_batch(uint64_t *random, int round)
{
    jm_shape shape = op_test_shape(random, (int)op_random_int(random, 2, 5), 1, 9, 3000);
    if (round % 4 == 0) shape = (jm_shape){.rank = 4, .dim = {op_random_int(random, 1, 3), 3, 37, 41}};
    if (round % 4 == 1) shape = (jm_shape){.rank = 2, .dim = {op_random_int(random, 1, 3000), 3}};
    return shape;
}

/* Mean and mean of squares around `center` of a channel, a product with `with` where given. */
static double channel_mean(const jm_tensor *x, const jm_tensor *with, int64_t channel, double center, int power)
{
    int64_t index[JM_MAX_RANK] = {0};
    double sum = 0, count = 0;
    do {
        if (index[1] != channel) continue;
        sum += pow(number_at(x, index) - center, power) * (with ? number_at(with, index) : 1);
        count++;
    } while (op_test_next(&x->shape, index));
    return sum / count;
}

static double at(const jm_tensor *vector, int64_t i)
{
    return number_at(vector, (int64_t[JM_MAX_RANK]){i});
}

static double count_of(const jm_shape *shape)
{
    int64_t count;
    assert_ok(jm_shape_count(shape, &count));
    return (double)count / (double)shape->dim[1];
}

static void statistics(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 40; round++) {
        op_test t;
        jm_shape shape = random_batch(&random, round);
        const double epsilon = 1e-3, momentum = 0.25;
        op_test_begin(&t, "BatchNormStatistics");
        op_test_float(&t, "epsilon", epsilon);
        op_test_float(&t, "momentum", momentum);
        /* A mean far from zero costs no accuracy. */
        jm_tensor x = random_numbers(&t, random_type(&random), &shape, &random, 90, 110, false);
        jm_tensor running[2];
        for (int i = 0; i < 2; i++)
            running[i] = channel_vector(&t, random_type(&random), shape.dim[1], 0.5, 2, &random);
        op_test_input(&t, x);
        op_test_input(&t, running[0]);
        op_test_input(&t, running[1]);
        t.outputs = 4;
        run_every_way(&t, &random);
        jm_tensor out[4];
        for (int i = 0; i < 4; i++) out[i] = op_test_output(&t, i);
        const double count = count_of(&shape);
        for (int64_t c = 0; c < shape.dim[1]; c++) {
            const double mean = channel_mean(&x, NULL, c, 0, 1), var = channel_mean(&x, NULL, c, mean, 2);
            const double invstd = 1 / sqrt(var + epsilon);
            assert_close("mean", JM_F32, at(&out[0], c), mean, 2e-5);
            assert_close("invstd", JM_F32, at(&out[1], c), invstd, 1e-5 * invstd);
            const double want[] = {mean, var * count / (count - 1)};
            for (int i = 0; i < 2; i++) {
                const double now = at(&running[i], c) * (1 - momentum) + want[i] * momentum;
                const double error = 1e-5 * fabs(now) + 0.51 * ulp_of(running[i].dtype, now);
                assert_close("running", running[i].dtype, at(&out[2 + i], c), now, error);
            }
        }
        op_test_end(&t);
    }
}

/* Channels without elements: zeros, and running statistics stay. */
static void no_elements(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    const jm_shape shapes[] = {{.rank = 3, .dim = {0, 3, 100}}, {.rank = 2, .dim = {0, 3}}};
    for (size_t i = 0; i < JM_COUNT(shapes); i++) {
        op_test t;
        op_test_begin(&t, "BatchNormStatistics");
        op_test_input(&t, op_test_tensor(&t, JM_F32, &shapes[i], &random));
        jm_tensor running = channel_vector(&t, JM_F32, 3, 1, 2, &random);
        op_test_input(&t, running);
        op_test_input(&t, running);
        t.outputs = 4;
        run_every_way(&t, &random);
        jm_tensor out[4];
        for (int k = 0; k < 4; k++) out[k] = op_test_output(&t, k);
        for (int64_t c = 0; c < 3; c++) {
            assert_true(at(&out[0], c) == 0 && at(&out[1], c) == 0);
            assert_true(at(&out[2], c) == at(&running, c) && at(&out[3], c) == at(&running, c));
        }
        op_test_end(&t);
    }
}

/* The statistics of parts, gathered, are those of the whole. */
static void gathered_statistics(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 20; round++) {
        op_test t;
        const int64_t parts = op_random_int(&random, 1, 4), channels = 3;
        const jm_shape shape = {.rank = 2, .dim = {2, channels}}, table = {.rank = 2, .dim = {parts, channels}};
        const double epsilon = 1e-2;
        op_test_begin(&t, "BatchNormGatherStatistics");
        op_test_float(&t, "epsilon", epsilon);
        jm_tensor mean = random_numbers(&t, JM_F32, &table, &random, -2, 2, false);
        jm_tensor invstd = random_numbers(&t, JM_F32, &table, &random, 0.5, 3, false);
        jm_tensor counts = channel_vector(&t, round & 1 ? JM_I32 : JM_F32, parts, 1, 9, &random);
        op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
        op_test_input(&t, mean);
        op_test_input(&t, invstd);
        op_test_input(&t, counts);
        t.outputs = 2;
        jm_tensor out[2];
        out[0] = run_every_way(&t, &random);
        out[1] = op_test_output(&t, 1);
        for (int64_t c = 0; c < channels; c++) {
            double count = 0, sum = 0, squares = 0;
            for (int64_t p = 0; p < parts; p++) {
                const int64_t index[JM_MAX_RANK] = {p, c};
                const double own = at(&counts, p), inverse = number_at(&invstd, index);
                count += own;
                sum += own * number_at(&mean, index);
                squares += own * (1 / (inverse * inverse) - epsilon + pow(number_at(&mean, index), 2));
            }
            const double variance = squares / count - pow(sum / count, 2);
            assert_close("mean", JM_F32, at(&out[0], c), sum / count, 1e-6);
            assert_close("invstd", JM_F32, at(&out[1], c), 1 / sqrt(variance + epsilon),
                         1e-5 / sqrt(variance + epsilon));
        }
        op_test_end(&t);
    }
}

static void gradient_sums(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 30; round++) {
        op_test t;
        jm_shape shape = random_batch(&random, round);
        const jm_dtype dtype = random_type(&random);
        op_test_begin(&t, "BatchNormGradSums");
        jm_tensor dy = random_numbers(&t, dtype, &shape, &random, -2, 2, false);
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, 10, 12, false);
        jm_tensor mean = channel_vector(&t, JM_F32, shape.dim[1], 10, 12, &random);
        jm_tensor invstd = channel_vector(&t, random_type(&random), shape.dim[1], 0.5, 2, &random);
        op_test_input(&t, dy);
        op_test_input(&t, x);
        op_test_input(&t, mean);
        op_test_input(&t, invstd);
        t.outputs = 4;
        run_every_way(&t, &random);
        jm_tensor out[4];
        for (int i = 0; i < 4; i++) out[i] = op_test_output(&t, i);
        const double count = count_of(&shape), error = 1e-6 * count;
        for (int64_t c = 0; c < shape.dim[1]; c++) {
            const double sum = channel_mean(&dy, NULL, c, 0, 1) * count;
            const double product = channel_mean(&x, &dy, c, at(&mean, c), 1) * count;
            assert_close("sum", JM_F32, at(&out[0], c), sum, error);
            assert_close("product", JM_F32, at(&out[1], c), product, 3 * error);
            assert_close("weight", JM_F32, at(&out[2], c), product * at(&invstd, c), 6 * error);
            assert_true(at(&out[3], c) == at(&out[0], c));
        }
        op_test_end(&t);
    }
}

static void gradient_of_input(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 30; round++) {
        op_test t;
        jm_shape shape = random_batch(&random, round);
        const jm_dtype dtype = random_type(&random);
        const bool sums = round % 3 != 0, parts = sums && round % 5 == 0;
        op_test_begin(&t, "BatchNormGradInput");
        jm_tensor dy = random_numbers(&t, dtype, &shape, &random, -2, 2, false);
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, -2, 2, false), vector[5];
        op_test_input(&t, dy);
        op_test_input(&t, x);
        for (int i = 0; i < 5; i++) {
            vector[i] = channel_vector(&t, random_type(&random), shape.dim[1], i == 1 ? 0.5 : -2, 2, &random);
            if (i < 3 || sums)
                op_test_input(&t, vector[i]);
            else
                op_test_absent(&t);
        }
        if (parts)
            op_test_input(&t, op_test_constant(&t, JM_I32, &(jm_shape){.rank = 1, .dim = {2}}, (int32_t[]){7, 9}));
        jm_tensor dx = run_every_way(&t, &random);
        const double count = parts ? 16 : count_of(&shape);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            const int64_t c = index[1];
            double want = number_at(&dy, index), away = number_at(&x, index) - at(&vector[0], c);
            const double invstd = at(&vector[1], c);
            if (sums) want -= at(&vector[3], c) / count + away * invstd * invstd * at(&vector[4], c) / count;
            want *= invstd * at(&vector[2], c);
            assert_close("dX", dtype, number_at(&dx, index), want, 4e-5 + 0.51 * ulp_of(dtype, want));
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

/* Sums and gradient in one. */
static void gradients_of_channels(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 30; round++) {
        op_test t;
        jm_shape shape = random_batch(&random, round);
        const jm_dtype dtype = random_type(&random);
        const bool wanted[2] = {round % 3 != 0, round % 5 != 0};
        op_test_begin(&t, "BatchNormGradChannels");
        op_test_int(&t, "weight_g", wanted[0]);
        op_test_int(&t, "bias_g", wanted[1]);
        jm_tensor dy = random_numbers(&t, dtype, &shape, &random, -2, 2, false);
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, -2, 2, false), vector[3], out[2];
        op_test_input(&t, dy);
        op_test_input(&t, x);
        for (int i = 0; i < 3; i++) {
            vector[i] = channel_vector(&t, random_type(&random), shape.dim[1], i == 1 ? 0.5 : -2, 2, &random);
            op_test_input(&t, vector[i]);
        }
        t.outputs = 3;
        jm_tensor dx = run_every_way(&t, &random);
        const double count = count_of(&shape);
        for (int i = 0; i < 2; i++) {
            out[i] = op_test_output(&t, 1 + i);
            assert_int_equal(out[i].shape.dim[0], wanted[i] ? shape.dim[1] : 0);
        }
        for (int64_t c = 0; c < shape.dim[1]; c++) {
            const double mean = at(&vector[0], c), invstd = at(&vector[1], c);
            const double own[2] = {channel_mean(&x, &dy, c, mean, 1) * invstd, channel_mean(&dy, NULL, c, 0, 1)};
            for (int i = 0; i < 2; i++)
                if (wanted[i]) assert_close("sum", JM_F32, at(&out[i], c), own[i] * count, 1e-6 * (count + 10));
            int64_t index[JM_MAX_RANK] = {0};
            do {
                if (index[1] != c) continue;
                const double away = (number_at(&x, index) - mean) * invstd;
                const double want = (number_at(&dy, index) - own[1] - away * own[0]) * invstd * at(&vector[2], c);
                assert_close("dX", dtype, number_at(&dx, index), want, 4e-5 + 0.51 * ulp_of(dtype, want));
            } while (op_test_next(&shape, index));
        }
        op_test_end(&t);
    }
}

/* Mean and InvStdDev of LayerNormalization; X, Scale and B of different types; Scale and B absent. */
static void layer_statistics(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 20; round++) {
        op_test t;
        const jm_dtype dtype = random_type(&random);
        const jm_shape shape = {.rank = 3, .dim = {3, op_random_int(&random, 1, 5), op_random_int(&random, 1, 300)}};
        const jm_shape row = {.rank = 1, .dim = {shape.dim[2]}};
        op_test_begin(&t, "LayerNormalization");
        op_test_ints(&t, "normalized_shape", row.dim, 1);
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, 3, 5, false), own[2];
        op_test_input(&t, x);
        for (int i = 0; i < 2; i++) {
            own[i] = random_numbers(&t, random_type(&random), &row, &random, -2, 2, false);
            if (round >> i & 1)
                op_test_input(&t, own[i]);
            else
                op_test_absent(&t);
        }
        t.outputs = 3;
        jm_tensor out[3];
        out[0] = run_every_way(&t, &random);
        for (int i = 1; i < 3; i++) out[i] = op_test_output(&t, i);
        assert_int_equal(out[1].shape.dim[2], 1);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            double mean = 0, var = 0;
            int64_t at_row[JM_MAX_RANK] = {index[0], index[1]};
            for (at_row[2] = 0; at_row[2] < row.dim[0]; at_row[2]++) mean += number_at(&x, at_row) / (double)row.dim[0];
            for (at_row[2] = 0; at_row[2] < row.dim[0]; at_row[2]++)
                var += pow(number_at(&x, at_row) - mean, 2) / (double)row.dim[0];
            const int64_t first[JM_MAX_RANK] = {index[0], index[1]};
            const double factor = 1 / sqrt(var + 1e-5);
            assert_close("Mean", JM_F32, number_at(&out[1], first), mean, 2e-6);
            assert_close("InvStdDev", JM_F32, number_at(&out[2], first), factor, 2e-5 * factor);
            double want = (number_at(&x, index) - mean) * factor;
            if (round & 1) want *= at(&own[0], index[2]);
            if (round & 2) want += at(&own[1], index[2]);
            assert_close("Y", dtype, number_at(&out[0], index), want,
                         5e-6 * (1 + 2 * factor) + 0.51 * ulp_of(dtype, want));
        } while (op_test_next(&shape, index));
        op_test_end(&t);
    }
}

static void refuse(const char *op, int inputs, const jm_tensor *in, const char *words)
{
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    op_test_begin(&t, op);
    for (int i = 0; i < inputs; i++) op_test_input(&t, in[i]);
    t.outputs = jm_op_outputs(t.op);
    if (jm_op_attr_index(t.op, "training") >= 0) op_test_int(&t, "training", 0);
    assert_int_equal(op_test_forms(&t, forms), 0);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' lacks '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void errors(void **state)
{
    (void)state;
    const jm_tensor x = {.dtype = JM_F32, .shape = {.rank = 3, .dim = {2, 3, 4}}};
    const jm_tensor line = {.dtype = JM_F32, .shape = {.rank = 1, .dim = {3}}};
    const jm_tensor four = {.dtype = JM_F32, .shape = {.rank = 1, .dim = {4}}};
    const jm_tensor whole = {.dtype = JM_I32, .shape = {.rank = 1, .dim = {3}}};
    const jm_tensor half = {.dtype = JM_F16, .shape = {.rank = 3, .dim = {2, 3, 4}}};
    refuse("BatchNormStatistics", 1, &line, "rank 1 and must have 2");
    refuse("BatchNormStatistics", 2, (jm_tensor[]){x, four},
           "'running_mean' must have one value for each of 3 channels");
    refuse("BatchNormStatistics", 2, (jm_tensor[]){x, whole}, "'running_mean' cannot be");
    refuse("BatchNormGradSums", 4, (jm_tensor[]){x, half, line, line}, "the same type and shape");
    refuse("BatchNormGradInput", 6, (jm_tensor[]){x, x, line, line, line, line}, "go together");
    refuse("BatchNorm", 3, (jm_tensor[]){x, line, line}, "running_mean and running_var are needed");
    refuse("BatchNormGatherStatistics", 4, (jm_tensor[]){x, line, line, line}, "one row of 3 channels");
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics),          cmocka_unit_test(no_elements),
        cmocka_unit_test(gathered_statistics), cmocka_unit_test(gradient_sums),
        cmocka_unit_test(gradient_of_input),   cmocka_unit_test(gradients_of_channels),
        cmocka_unit_test(layer_statistics),    cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
