/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that read where data say, and the loop over time: against models in float64, on any strides, at every
 * level, in any order of chunks. test_onnx_operators.py compares more forms with onnxruntime.
 */
#include "numeric.h"

enum { ROUNDS = 30 };

static double element(const jm_tensor *tensor, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return number_at(tensor, (int64_t[JM_MAX_RANK]){a, b, c, d});
}

static void check(const char *what, const jm_tensor *out, const int64_t index[JM_MAX_RANK], double want)
{
    assert_close(what, out->dtype, number_at(out, index), want, 1e-5 * (1 + fabs(want)));
}

/* A map that is 1 + y + 10 x + 100 c: sampling between pixels gives the place itself. */
static jm_tensor ramp(op_test *t, const jm_shape *shape, uint64_t *random)
{
    int64_t index[JM_MAX_RANK] = {0};
    jm_tensor map = random_numbers(t, JM_F32, shape, random, -1, 1, false);
    do {
        const double value = 1 + (double)index[2] + 10 * (double)index[3] + 100 * (double)index[1];
        jm_element_from_f64(JM_F32, value, jm_tensor_at(&map, index));
    } while (op_test_next(shape, index));
    return map;
}

static void grid_sample(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "GridSample");
        const int64_t height = op_random_int(&random, 2, 9), width = op_random_int(&random, 2, 9);
        const jm_shape map = {.rank = 4, .dim = {2, op_random_int(&random, 1, 4), height, width}};
        const jm_shape grid = {.rank = 4, .dim = {2, op_random_int(&random, 1, 6), op_random_int(&random, 1, 6), 2}};
        const bool align = op_random(&random) & 1;
        op_test_input(&t, ramp(&t, &map, &random));
        /* Inside of the corner pixels' centers, where no padding is needed. */
        op_test_input(&t,
                      random_numbers(&t, JM_F32, &grid, &random, align ? -0.99 : -0.49, align ? 0.99 : 0.49, false));
        op_test_int(&t, "align_corners", align);
        op_test_string(&t, "mode", op_random(&random) & 1 ? "linear" : "bilinear");
        const jm_tensor out = run_every_way(&t, &random);
        int64_t at[JM_MAX_RANK] = {0};
        do {
            const double gx = element(&t.in[1], at[0], at[2], at[3], 0), gy = element(&t.in[1], at[0], at[2], at[3], 1);
            const double x = align ? (gx + 1) / 2 * (double)(width - 1) : ((gx + 1) * (double)width - 1) / 2;
            const double y = align ? (gy + 1) / 2 * (double)(height - 1) : ((gy + 1) * (double)height - 1) / 2;
            check("GridSample", &out, at, 1 + y + 10 * x + 100 * (double)at[1]);
        } while (op_test_next(&out.shape, at));
        op_test_end(&t);
    }
}

static void roi_align(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "RoiAlign");
        const jm_shape map = {.rank = 4, .dim = {2, 3, 12, 15}}, rois = {.rank = 2, .dim = {5, 4}};
        const jm_shape list = {.rank = 1, .dim = {5}};
        op_test_input(&t, ramp(&t, &map, &random));
        jm_tensor boxes = random_numbers(&t, JM_F32, &rois, &random, 1, 5, false);
        for (int64_t r = 0; r < 5; r++) /* x2 and y2 behind x1 and y1, inside of the map */
            for (int64_t k = 2; k < 4; k++)
                jm_element_from_f64(JM_F32, element(&boxes, r, k, 0, 0) + 5, jm_tensor_at(&boxes, (int64_t[8]){r, k}));
        op_test_input(&t, boxes);
        jm_tensor batch = random_numbers(&t, JM_I64, &list, &random, 0, 2, false);
        op_test_input(&t, batch);
        op_test_int(&t, "output_height", 2);
        op_test_int(&t, "output_width", 3);
        op_test_int(&t, "sampling_ratio", op_random_int(&random, 0, 3));
        const jm_tensor out = run_every_way(&t, &random);
        int64_t at[JM_MAX_RANK] = {0};
        do { /* samples lie evenly around the middle of a cell, and the ramp is linear */
            const double x1 = element(&boxes, at[0], 0, 0, 0), x2 = element(&boxes, at[0], 2, 0, 0);
            const double y1 = element(&boxes, at[0], 1, 0, 0), y2 = element(&boxes, at[0], 3, 0, 0);
            const double x = x1 - 0.5 + (x2 - x1) * ((double)at[3] + 0.5) / 3;
            const double y = y1 - 0.5 + (y2 - y1) * ((double)at[2] + 0.5) / 2;
            check("RoiAlign", &out, at, 1 + y + 10 * x + 100 * (double)at[1]);
        } while (op_test_next(&out.shape, at));
        op_test_end(&t);
    }
}

/* A batch that does not exist, or a region that needs too many samples: nothing is written and the run faults. */
static void roi_align_faults(void **state)
{
    (void)state;
    for (int bad = 0; bad < 2; bad++) {
        op_test t;
        op_test_begin(&t, "RoiAlign");
        const jm_shape map = {.rank = 4, .dim = {1, 1, 2, 2}}, rois = {.rank = 2, .dim = {1, 4}};
        const jm_shape list = {.rank = 1, .dim = {1}};
        op_test_input(&t, op_test_constant(&t, JM_F32, &map, (float[]){1, 2, 3, 4}));
        op_test_input(&t, op_test_constant(&t, JM_F32, &rois, (float[]){0, 0, bad ? 1e30f : 1, 1}));
        op_test_input(&t, op_test_constant(&t, JM_I64, &list, (int64_t[]){bad ? 0 : 1}));
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_OUT_OF_RANGE);
        op_test_end(&t);
    }
}

/* Two boxes overlap by half, a third lies apart; the output has a row for every box that could be selected. */
static void non_max_suppression(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const float boxes[] = {0, 0, 2, 2, 0, 0, 2, 4, 5, 5, 6, 6}, scores[] = {0.5f, 0.9f, 0.7f};
    static const struct {
        float overlap, least;
        int64_t most, want[3];
    } cases[] = {{0.6f, 0, 3, {1, 2, 0}},     {0.4f, 0, 3, {1, 2, -1}},   {0.6f, 0, 1, {1, -1, -1}},
                 {0.6f, 0.6f, 3, {1, 2, -1}}, {0.6f, 1, 3, {-1, -1, -1}}, {0.6f, 0, 9, {1, 2, 0}}};
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        op_test t;
        op_test_begin(&t, "NonMaxSuppression");
        const jm_shape b = {.rank = 3, .dim = {1, 3, 4}}, s = {.rank = 3, .dim = {1, 1, 3}},
                       one = {.rank = 1, .dim = {1}};
        jm_tensor in[] = {op_test_constant(&t, JM_F32, &b, boxes), op_test_constant(&t, JM_F32, &s, scores)};
        for (int k = 0; k < 2; k++) {
            in[k].constant = false;
            op_test_input(&t, op_test_restride(&t, &in[k], &random));
        }
        op_test_input(&t, op_test_constant(&t, JM_I64, &one, &cases[i].most));
        op_test_input(&t, op_test_constant(&t, JM_F32, &one, &cases[i].overlap));
        op_test_input(&t, op_test_constant(&t, JM_F32, &one, &cases[i].least));
        const jm_tensor out = run_every_way(&t, &random);
        assert_int_equal(out.shape.dim[0], JM_MIN(cases[i].most, 3));
        for (int64_t row = 0; row < out.shape.dim[0]; row++) {
            const int64_t want = cases[i].want[row];
            assert_int_equal((int64_t)element(&out, row, 2, 0, 0), want);
            assert_int_equal((int64_t)element(&out, row, 0, 0, 0), want < 0 ? -1 : 0);
        }
        op_test_end(&t);
    }
}

/* Whole offsets read other pixels, which a plain convolution in float64 can do, too. */
static void deform_conv(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "DeformConv");
        const int64_t group = 1 + round % 2, deep = op_random_int(&random, 1, 3),
                      filters = 2 * op_random_int(&random, 1, 3);
        const jm_shape x = {.rank = 4, .dim = {2, deep * group, 6, 7}}, w = {.rank = 4, .dim = {filters, deep, 2, 3}};
        const jm_shape offset = {.rank = 4, .dim = {2, 12, 5, 5}}, list = {.rank = 1, .dim = {filters}};
        op_test_input(&t, random_numbers(&t, JM_F32, &x, &random, -1, 1, false));
        op_test_input(&t, random_numbers(&t, JM_F32, &w, &random, -1, 1, false));
        jm_tensor moved = random_numbers(&t, JM_F32, &offset, &random, -3, 3, false);
        int64_t at[JM_MAX_RANK] = {0};
        do jm_element_from_f64(JM_F32, floor(number_at(&moved, at)), jm_tensor_at(&moved, at));
        while (op_test_next(&offset, at));
        op_test_input(&t, moved);
        op_test_input(&t, random_numbers(&t, JM_F32, &list, &random, -1, 1, false));
        op_test_int(&t, "group", group);
        const jm_tensor out = run_every_way(&t, &random);
        do {
            double sum = element(&t.in[3], at[1], 0, 0, 0);
            for (int64_t c = 0; c < deep; c++)
                for (int64_t tap = 0; tap < 6; tap++) {
                    const int64_t row = at[2] + tap / 3 + (int64_t)element(&moved, at[0], 2 * tap, at[2], at[3]);
                    const int64_t column = at[3] + tap % 3 + (int64_t)element(&moved, at[0], 2 * tap + 1, at[2], at[3]);
                    if (row < 0 || row >= 6 || column < 0 || column >= 7) continue;
                    const int64_t channel = at[1] / (filters / group) * deep + c;
                    sum +=
                        element(&t.in[0], at[0], channel, row, column) * element(&t.in[1], at[1], c, tap / 3, tap % 3);
                }
            check("DeformConv", &out, at, sum);
        } while (op_test_next(&out.shape, at));
        op_test_end(&t);
    }
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* An LSTM in float64, step by step, for one direction and batch. */
static void lstm_model(const op_test *t, const jm_tensor *out, int64_t d, int64_t batch, int64_t steps, int64_t hidden)
{
    double h[32] = {0}, c[32] = {0}, gate[128];
    const int64_t length = (int64_t)element(&t->in[2], batch, 0, 0, 0);
    for (int64_t s = 0; s < steps; s++) {
        const int64_t time = s < length && d ? length - 1 - s : s;
        for (int64_t k = 0; k < 4 * hidden && s < length; k++) {
            gate[k] = element(&t->in[0], d, time, batch, k);
            for (int64_t j = 0; j < hidden; j++) gate[k] += h[j] * element(&t->in[1], d, j, k, 0);
        }
        for (int64_t k = 0; k < hidden; k++) {
            if (s < length) {
                c[k] = sigmoid(gate[2 * hidden + k]) * c[k] + sigmoid(gate[k]) * tanh(gate[3 * hidden + k]);
                h[k] = sigmoid(gate[hidden + k]) * tanh(c[k]);
            }
            check("Recurrence", out, (int64_t[JM_MAX_RANK]){time, d, batch, k}, s < length ? h[k] : 0);
        }
    }
}

static void recurrence(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < ROUNDS; round++) {
        op_test t;
        op_test_begin(&t, "Recurrence");
        const int64_t steps = op_random_int(&random, 1, 6), batches = op_random_int(&random, 1, 3);
        const int64_t hidden = op_random_int(&random, 1, 32), directions = 1 + round % 2;
        const jm_shape gates = {.rank = 4, .dim = {directions, steps, batches, 4 * hidden}};
        const jm_shape matrix = {.rank = 3, .dim = {directions, hidden, 4 * hidden}},
                       list = {.rank = 1, .dim = {batches}};
        op_test_input(&t, random_numbers(&t, JM_F32, &gates, &random, -1, 1, false));
        op_test_input(&t, random_numbers(&t, JM_F32, &matrix, &random, -0.3, 0.3, false));
        op_test_input(&t, random_numbers(&t, JM_I32, &list, &random, 0, (double)steps + 1, false));
        op_test_int(&t, "cell", 2);
        op_test_string(&t, "direction", directions == 2 ? "bidirectional" : "forward");
        t.outputs = 3;
        const jm_tensor out = run_every_way(&t, &random);
        for (int64_t d = 0; d < directions; d++)
            for (int64_t n = 0; n < batches; n++) lstm_model(&t, &out, d, n, steps, hidden);
        op_test_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_sample),         cmocka_unit_test(roi_align),   cmocka_unit_test(roi_align_faults),
        cmocka_unit_test(non_max_suppression), cmocka_unit_test(deform_conv), cmocka_unit_test(recurrence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
