/* SPDX-License-Identifier: Apache-2.0
 *
 * Aipp in every form, cut and stride. tests/tools/test_aipp.py compares all of its arithmetic with a model in numpy.
 */
#include "test.h"

#include "kernels/kernels.h"
#include "op_test.h"

static uint64_t seed;

enum { N = 2, H = 23, W = 37, X = 5, Y = 2, CROP_W = 29, CROP_H = 19, LEFT = 3, TOP = 4, RIGHT = 1, BOTTOM = 2 };

static void pictures_become_planes(void **state)
{
    (void)state;
    static const double low[] = {123.675, 116.28, 103.53, 0}, scale[] = {0.0171, 0.0175, -1, 1};
    static const int64_t mean[] = {1, 2, 3, 4};
    const int channels[] = {3, 4};
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        if (!jm_kernels_at((jm_cpu_level)level)) continue;
        for (size_t k = 0; k < JM_COUNT(channels); k++) {
            const int planes = channels[k];
            op_test t;
            op_test_begin(&t, "Aipp");
            t.kernels = jm_kernels_at((jm_cpu_level)level);
            const jm_shape shape = {.rank = 4, .dim = {N, H, W, planes}};
            op_test_input(&t, op_test_tensor(&t, JM_U8, &shape, &seed));
            op_test_int(&t, "format", planes == 3 ? 3 : 2);
            op_test_int(&t, "channels", 3);
            op_test_int(&t, "swap", 1);
            op_test_ints(&t, "crop", (const int64_t[]){X, Y, CROP_W, CROP_H}, 4);
            op_test_ints(&t, "pads", (const int64_t[]){LEFT, TOP, RIGHT, BOTTOM}, 4);
            op_test_float(&t, "pad_value", 0.25);
            op_test_ints(&t, "mean", mean, 4);
            t.attr[jm_op_attr_index(t.op, "min")] = (jm_attr){.present = true, .count = 4, .floats = low};
            t.attr[jm_op_attr_index(t.op, "scale")] = (jm_attr){.present = true, .count = 4, .floats = scale};
            const jm_shape out = {.rank = 4, .dim = {N, 3, TOP + CROP_H + BOTTOM, LEFT + CROP_W + RIGHT}};
            jm_tensor want = op_test_tensor(&t, JM_F32, &out, &seed);
            const uint8_t *pixel = t.in[0].data;
            float *y = want.data;
            int64_t at[JM_MAX_RANK] = {0};
            do {
                const int64_t row = at[2] - TOP, column = at[3] - LEFT, c = at[1];
                const bool inside = row >= 0 && row < CROP_H && column >= 0 && column < CROP_W;
                const int64_t i = ((at[0] * H + row + Y) * W + column + X) * planes + 2 - c;
                *y++ = inside ? ((float)(pixel[i] - mean[c]) - (float)low[c]) * (float)scale[c] : 0.25f;
            } while (op_test_next(&out, at));
            op_test_check(&t, &want, &seed);
            op_test_end(&t);
        }
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *attr, *words;
        int64_t value[4];
        int count;
    } bad[] = {
        {"crop", "does not lie", {30, 0, 8, 8}, 4}, {"crop", "number of values", {30, 0, 8}, 3},
        {"crop", "out of range", {-1, 0, 8, 8}, 4}, {"pads", "out of range", {-1, 0, 0, 0}, 4},
        {"resize", "out of range", {0, 4}, 2},      {"mean", "out of range", {0, 256, 0, 0}, 4},
    };
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        op_test t;
        op_test_begin(&t, "Aipp");
        const jm_shape shape = {.rank = 4, .dim = {1, H, W, 3}};
        op_test_input(&t, op_test_tensor(&t, JM_U8, &shape, &seed));
        op_test_int(&t, "format", 3);
        op_test_int(&t, "channels", 3);
        op_test_ints(&t, bad[i].attr, bad[i].value, bad[i].count);
        assert_error(op_test_run(&t), JM_INVALID_ARGUMENT, bad[i].words);
        op_test_end(&t);
    }
}

int main(void)
{
    seed = *test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_become_planes),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
