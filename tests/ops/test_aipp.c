/* SPDX-License-Identifier: Apache-2.0
 *
 * Aipp in every form, cut and stride. tests/tools/test_aipp.py compares all of its arithmetic with a model in numpy.
 */
#include "test.h"

#include "kernels/kernels.h"
#include "op_test.h"
#include "ops/picture_block.h"

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

/* ---- Parameters that come with the run ---- */

static void add_bytes(op_test *t, const void *data, size_t size, bool constant)
{
    const jm_shape shape = {.rank = 1, .dim = {(int64_t)size}};
    jm_tensor tensor = constant ? op_test_constant(t, JM_U8, &shape, data) : op_test_tensor(t, JM_U8, &shape, &seed);
    tensor.constant = false;
    op_test_input(t, tensor);
}

/* Two pictures of XRGB, each with its own cut, padding and numbers. */
static void parameters_are_read(void **state)
{
    (void)state;
    struct {
        jm_picture_common common;
        jm_picture_own own[N];
    } block = {.common = {.format = JM_PICTURE_XRGB, .swap = 1, .first_last = 1, .batch = N, .width = W, .height = H}};
    for (int n = 0; n < N; n++)
        block.own[n] = (jm_picture_own){.crop = 1,
                                        .pad = (int8_t)n,
                                        .x = X + n,
                                        .y = Y,
                                        .width = n ? CROP_W - 4 : CROP_W,
                                        .height = n ? CROP_H - 6 : CROP_H,
                                        .top = 4,
                                        .bottom = 2,
                                        .left = 3,
                                        .right = 1,
                                        .mean = {7, 0, (int16_t)n, 0},
                                        .low = {1.5f, 0, 2, 0},
                                        .scale = {0.25f, -1, (float)n + 0.5f, 1}};
    for (int level = 0; level < JM_CPU_LEVELS; level++) {
        if (!jm_kernels_at((jm_cpu_level)level)) continue;
        op_test t;
        op_test_begin(&t, "Aipp");
        t.kernels = jm_kernels_at((jm_cpu_level)level);
        add_bytes(&t, NULL, (size_t)N * H * W * 4, false);
        add_bytes(&t, &block, sizeof block, true);
        op_test_int(&t, "format", 0);
        op_test_int(&t, "channels", 3);
        op_test_ints(&t, "size", (const int64_t[]){N, CROP_H, CROP_W}, 3);
        const jm_shape out = {.rank = 4, .dim = {N, 3, CROP_H, CROP_W}};
        jm_tensor want = op_test_tensor(&t, JM_F32, &out, &seed);
        const uint8_t *pixel = t.in[0].data;
        float *y = want.data;
        int64_t at[JM_MAX_RANK] = {0};
        do {
            const jm_picture_own *own = &block.own[at[0]];
            const int64_t c = at[1], row = at[2] - own->pad * 4, column = at[3] - own->pad * 3;
            const bool inside = row >= 0 && row < own->height && column >= 0 && column < own->width;
            /* X goes to the end, then R and B change places. */
            const int64_t i = ((at[0] * H + row + own->y) * W + column + own->x) * 4 + (c == 0 ? 3 : c == 1 ? 2 : 1);
            *y++ = inside ? ((float)(pixel[i] - own->mean[c]) - own->low[c]) * own->scale[c] : 0;
        } while (op_test_next(&out, at));
        op_test_check(&t, &want, &seed);
        op_test_end(&t);
    }
}

static void wrong_parameters_fault(void **state)
{
    (void)state;
    struct {
        jm_picture_common common;
        jm_picture_own own[N];
    } good = {.common = {.format = JM_PICTURE_RGB, .batch = N, .width = W, .height = H}}, bad[10];
    for (int n = 0; n < N; n++)
        good.own[n] = (jm_picture_own){.crop = 1, .x = X, .y = Y, .width = CROP_W, .height = CROP_H};
    for (size_t i = 0; i < JM_COUNT(bad); i++) bad[i] = good;
    bad[0].common.format = 0;
    bad[1].common.format = 5;
    bad[2].common.format = -1;
    bad[3].common.batch = N - 1;
    bad[4].common.height = H + 1; /* more than the memory */
    bad[5].own[1].x = W;
    bad[6].own[1].y = -1;
    bad[7].own[0].width = CROP_W - 1;
    bad[8].own[1].resize = 1;
    bad[9].own[0].mean[2] = 256;
    for (size_t i = 0; i <= JM_COUNT(bad); i++) {
        op_test t;
        op_test_begin(&t, "Aipp");
        t.kernels = jm_kernels_at(JM_CPU_REFERENCE);
        add_bytes(&t, NULL, (size_t)N * H * W * 3, false);
        add_bytes(&t, i < JM_COUNT(bad) ? &bad[i] : &good, sizeof good, true);
        op_test_int(&t, "format", 0);
        op_test_int(&t, "channels", 3);
        op_test_ints(&t, "size", (const int64_t[]){N, CROP_H, CROP_W}, 3);
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, i < JM_COUNT(bad) ? JM_INVALID_ARGUMENT : JM_OK);
        op_test_end(&t);
    }
}

static void wrong_calls_with_parameters_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int64_t format, channels, size[3];
        size_t bytes, parameters;
    } bad[] = {
        {"format", 3, 3, {1, 8, 8}, 300, 160},       {"channels", 0, 2, {1, 8, 8}, 300, 160},
        {"size must be", 0, 3, {1, 0, 8}, 300, 160}, {"size must be", 0, 3, {-1, 8, 8}, 300, 160},
        {"64 and 96", 0, 3, {1, 8, 8}, 300, 159},    {"64 and 96", 0, 3, {2, 8, 8}, 300, 160},
        {"may be", 0, 3, {1 << 20, 8, 8}, 300, 160},
    };
    for (size_t i = 0; i < JM_COUNT(bad); i++) {
        op_test t;
        op_test_begin(&t, "Aipp");
        add_bytes(&t, NULL, bad[i].bytes, false);
        add_bytes(&t, NULL, bad[i].parameters, false);
        op_test_int(&t, "format", bad[i].format);
        op_test_int(&t, "channels", bad[i].channels);
        op_test_ints(&t, "size", bad[i].size, 3);
        const jm_status status = op_test_run(&t);
        assert_error(status, status == JM_OUT_OF_RANGE ? status : JM_INVALID_ARGUMENT, bad[i].words);
        op_test_end(&t);
    }
}

int main(void)
{
    seed = *test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_become_planes),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(parameters_are_read),
        cmocka_unit_test(wrong_parameters_fault),
        cmocka_unit_test(wrong_calls_with_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
