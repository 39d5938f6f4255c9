/* SPDX-License-Identifier: Apache-2.0
 *
 * NormGradRows against its formulas in double, for rows of elements and of channels with several points, dense and with
 * gaps, at every level with the same bits; NormGradParts.
 */
#include "numeric.h"

typedef struct norm_case {
    int64_t images, groups, own, points, parts;
} norm_case;

enum { DY, X, MEAN, INVSTD, SCALE };

static norm_case draw(uint64_t *random)
{
    norm_case c = {.images = op_random_int(random, 1, 9), .groups = op_random_int(random, 1, 4)};
    c.own = op_random_int(random, 1, 30);
    c.points = op_random_int(random, 0, 2) ? op_random_int(random, 1, 90) : 1;
    if (op_random_int(random, 0, 7) == 0) c = (norm_case){2, 1, 2, op_random_int(random, 4000, 9000), 1};
    if (op_random_int(random, 0, 7) == 0) c = (norm_case){3, 1, op_random_int(random, 4000, 9000), 1, 1};
    c.parts = op_random_int(random, 1, c.images);
    return c;
}

static double flat(const jm_tensor *tensor, int64_t i)
{
    int64_t index[JM_MAX_RANK] = {0};
    for (int k = tensor->shape.rank - 1; k >= 0; k--) {
        index[k] = i % tensor->shape.dim[k];
        i /= tensor->shape.dim[k];
    }
    return number_at(tensor, index);
}

/* Outputs 1 and 2 have the same bits at every level, too. */
static void same_sums(op_test *t)
{
    jm_tensor first[2];
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        t->kernels = jm_kernels_at((jm_cpu_level)level);
        if (!t->kernels) continue;
        assert_ok(op_test_run(t));
        for (int i = 0; i < 2; i++) {
            const jm_tensor out = op_test_output(t, 1 + i);
            if (level == 0)
                first[i] = out;
            else
                assert_same_numbers("sums", &out, &first[i]);
        }
    }
}

static void check(const norm_case *c, uint64_t *random)
{
    op_test t;
    const jm_shape whole = {.rank = 4, .dim = {c->images, c->groups, c->own, c->points}};
    const jm_shape rows = {.rank = 2, .dim = {c->images, c->groups}};
    const jm_shape channels = {.rank = 2, .dim = {c->groups, c->own}};
    const bool scaled = op_random(random) & 1;
    op_test_begin(&t, "NormGradRows");
    op_test_input(&t, random_numbers(&t, JM_F32, &whole, random, -2, 2, false));
    op_test_input(&t, random_numbers(&t, JM_F32, &whole, random, 5, 9, false));
    op_test_input(&t, random_numbers(&t, JM_F32, &rows, random, 6, 8, false));
    op_test_input(&t, random_numbers(&t, JM_F32, &rows, random, 0.5, 2, false));
    if (scaled) op_test_input(&t, random_numbers(&t, JM_F32, &channels, random, -2, 2, false));
    op_test_int(&t, "groups", c->groups);
    op_test_int(&t, "points", c->points);
    op_test_int(&t, "parts", c->parts);
    t.outputs = 3;
    const jm_tensor dx = run_every_way(&t, random);
    same_sums(&t);
    const jm_tensor out[2] = {op_test_output(&t, 1), op_test_output(&t, 2)};
    double *sum = calloc((size_t)(c->parts * c->groups * c->own) * 2, sizeof(double));
    for (int64_t row = 0; row < c->images * c->groups; row++) {
        const int64_t count = c->own * c->points, image = row / c->groups, first = row % c->groups * c->own;
        const double mean = flat(&t.in[MEAN], row), invstd = flat(&t.in[INVSTD], row);
        int64_t part = 0;
        while (c->images * (part + 1) / c->parts <= image) part++;
        double total[2] = {0};
        for (int64_t i = 0; i < count; i++) {
            const int64_t channel = first + i / c->points;
            const double dy = flat(&t.in[DY], row * count + i), away = flat(&t.in[X], row * count + i) - mean;
            const double g = scaled ? dy * flat(&t.in[SCALE], channel) : dy;
            total[0] += g / (double)count;
            total[1] += g * away * invstd * invstd / (double)count;
            sum[(part * c->groups * c->own + channel) * 2] += dy * away * invstd;
            sum[(part * c->groups * c->own + channel) * 2 + 1] += dy;
        }
        for (int64_t i = 0; i < count; i++) {
            const double dy = flat(&t.in[DY], row * count + i), away = flat(&t.in[X], row * count + i) - mean;
            const double g = scaled ? dy * flat(&t.in[SCALE], first + i / c->points) : dy;
            const double want = invstd * (g - total[0] - away * total[1]);
            assert_close("dX", JM_F32, flat(&dx, row * count + i), want, 2e-5);
        }
    }
    const double terms = (double)(c->images * c->points);
    for (int64_t i = 0; i < c->parts * c->groups * c->own; i++)
        for (int k = 0; k < 2; k++)
            assert_close(k ? "d_bias" : "d_scale", JM_F32, flat(&out[k], i), sum[2 * i + k], 2e-6 * (terms + 1));
    free(sum);
    op_test_end(&t);
}

static void random_rows(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int i = 0; i < 60; i++) {
        const norm_case c = draw(&random);
        check(&c, &random);
    }
}

static void parts(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 20; round++) {
        op_test t;
        const jm_shape shape = {.rank = 2, .dim = {op_random_int(&random, 1, 9), op_random_int(&random, 1, 50)}};
        op_test_begin(&t, "NormGradParts");
        for (int i = 0; i < 2; i++) op_test_input(&t, random_numbers(&t, JM_F32, &shape, &random, -1, 1, false));
        t.outputs = 2;
        run_every_way(&t, &random);
        for (int i = 0; i < 2; i++) {
            const jm_tensor out = op_test_output(&t, i);
            for (int64_t c = 0; c < shape.dim[1]; c++) {
                double want = 0;
                for (int64_t p = 0; p < shape.dim[0]; p++) want += flat(&t.in[i], p * shape.dim[1] + c);
                assert_close("sum", JM_F32, flat(&out, c), want, 1e-5);
            }
        }
        op_test_end(&t);
    }
}

static void errors(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    const jm_shape whole = {.rank = 2, .dim = {4, 6}}, rows = {.rank = 1, .dim = {4}}, wrong = {.rank = 1, .dim = {5}};
    for (int i = 0; i < 3; i++) {
        op_test t;
        op_test_begin(&t, "NormGradRows");
        op_test_input(&t, op_test_tensor(&t, JM_F32, &whole, &random));
        op_test_input(&t, op_test_tensor(&t, JM_F32, &whole, &random));
        op_test_input(&t, op_test_tensor(&t, JM_F32, i == 0 ? &wrong : &rows, &random));
        op_test_input(&t, op_test_tensor(&t, JM_F32, i == 1 ? &wrong : &rows, &random));
        op_test_int(&t, "points", i == 2 ? 4 : 1);
        t.outputs = 3;
        t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
        assert_int_equal(op_test_run(&t), JM_INVALID_ARGUMENT);
        op_test_end(&t);
    }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rows),
        cmocka_unit_test(parts),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
