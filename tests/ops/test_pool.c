/* SPDX-License-Identifier: Apache-2.0
 *
 * MaxPool, AveragePool, DepthToSpace and SpaceToDepth against direct models.
 */
#include "numeric.h"

/* ---- Pooling ---- */

struct window {
    int spatial;
    int64_t kernel[3], stride[3], dilation[3], before[3], after[3];
    bool ceil_mode, include_pad;
};

/* Output size as PyTorch and ONNX define it: a window may not begin in the padding behind the input. */
static int64_t out_size(const struct window *w, int k, int64_t in)
{
    int64_t span = (w->kernel[k] - 1) * w->dilation[k] + 1, out = 0;
    for (int64_t start = -w->before[k]; start < in; start += w->stride[k]) {
        bool fits = start + span <= in + w->after[k];
        bool enough = w->ceil_mode && start + span - w->stride[k] < in + w->after[k];
        if (!fits && !enough) break;
        out++;
    }
    return out;
}

static double model(const struct window *w, bool maximum, const jm_tensor *in, const int64_t index[])
{
    double value = maximum ? -INFINITY : 0;
    int64_t counted = 0, inside_count = 0;
    jm_shape kernel = {.rank = w->spatial};
    memcpy(kernel.dim, w->kernel, sizeof(w->kernel));
    int64_t tap[JM_MAX_RANK] = {0};
    do {
        int64_t at[JM_MAX_RANK] = {index[0], index[1]};
        bool inside = true, padded = true;
        for (int k = 0; k < w->spatial; k++) {
            int64_t place = index[2 + k] * w->stride[k] - w->before[k] + tap[k] * w->dilation[k];
            inside = inside && place >= 0 && place < in->shape.dim[2 + k];
            padded = padded && place < in->shape.dim[2 + k] + w->after[k];
            at[2 + k] = place;
        }
        counted += padded;
        inside_count += inside;
        if (!inside) continue;
        double x = number_at(in, at);
        if (maximum)
            value = x != x || value != value ? NAN : fmax(value, x);
        else
            value += x;
    } while (op_test_next(&kernel, tap));
    if (maximum) return value;
    int64_t divisor = w->include_pad ? counted : inside_count;
    return divisor ? value / (double)divisor : 0;
}

static void set_window(op_test *t, const struct window *w)
{
    int64_t pads[6];
    for (int k = 0; k < w->spatial; k++) {
        pads[k] = w->before[k];
        pads[w->spatial + k] = w->after[k];
    }
    op_test_ints(t, "kernel_shape", w->kernel, w->spatial);
    op_test_ints(t, "strides", w->stride, w->spatial);
    op_test_ints(t, "dilations", w->dilation, w->spatial);
    op_test_ints(t, "pads", pads, 2 * w->spatial);
    op_test_int(t, "ceil_mode", w->ceil_mode);
}

static void check_pool(const struct window *w, bool maximum, const jm_tensor *in, const jm_tensor *out)
{
    int64_t index[JM_MAX_RANK] = {0}, count;
    for (int k = 0; k < w->spatial; k++) assert_int_equal(out->shape.dim[2 + k], out_size(w, k, in->shape.dim[2 + k]));
    assert_ok(jm_shape_count(&out->shape, &count));
    if (count == 0) return;
    do {
        double want = model(w, maximum, in, index), error = maximum ? 0 : 4e-6;
        if (maximum && isinf(want) && !is_float(in->dtype)) continue; /* a window without taps has no integer value */
        if (!maximum) error += 0.51 * ulp_of(in->dtype, want);
        assert_close("pool", in->dtype, number_at(out, index), want, error);
    } while (op_test_next(&out->shape, index));
}

static void run_pool(const struct window *w, bool maximum, jm_dtype dtype, const jm_shape *shape, uint64_t *random)
{
    op_test t;
    op_test_begin(&t, maximum ? "MaxPool" : "AveragePool");
    set_window(&t, w);
    if (!maximum) op_test_int(&t, "count_include_pad", w->include_pad);
    jm_tensor in = random_numbers(&t, dtype, shape, random, dtype == JM_U8 ? 0 : -9, 9, maximum);
    op_test_input(&t, in);
    jm_tensor out = run_every_way(&t, random);
    check_pool(w, maximum, &in, &out);
    op_test_end(&t);
}

static void random_pools(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const jm_dtype max_types[] = {JM_F32, JM_F32, JM_F16, JM_U8, JM_F32, JM_I8, JM_BF16};
    static const jm_dtype average_types[] = {JM_F32, JM_F32, JM_F16, JM_BF16};
    for (int round = 0; round < 160; round++) {
        struct window w = {.spatial = 1 + round % 3, .ceil_mode = round & 4, .include_pad = round & 8};
        bool maximum = round & 1;
        jm_shape shape = op_test_shape(&random, 2 + w.spatial, 1, w.spatial == 3 ? 7 : 24, 4000);
        for (int k = 0; k < w.spatial; k++) {
            int64_t in = shape.dim[2 + k];
            w.kernel[k] = op_random_int(&random, 1, 5);
            w.stride[k] = op_random_int(&random, 1, 4);
            w.dilation[k] = op_random_int(&random, 0, 3) ? 1 : op_random_int(&random, 1, 3);
            w.before[k] = op_random_int(&random, 0, w.kernel[k] - 1);
            w.after[k] = op_random_int(&random, 0, w.kernel[k] - 1);
            int64_t span = (w.kernel[k] - 1) * w.dilation[k] + 1;
            while (span > in + w.before[k] + w.after[k]) w.after[k]++;
        }
        jm_dtype dtype = maximum ? max_types[round % JM_COUNT(max_types)] : average_types[round / 2 % 4];
        run_pool(&w, maximum, dtype, &shape, &random);
    }
}

/* What models use. */
static void usual_pools(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const struct {
        struct window w;
        bool maximum;
    } cases[] = {
        {{2, {5, 5}, {1, 1}, {1, 1}, {2, 2}, {2, 2}, false, false}, true},
        {{2, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, false, false}, true},
        {{2, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {0, 0}, false, false}, true},
        {{2, {13, 13}, {1, 1}, {1, 1}, {6, 6}, {6, 6}, false, false}, true},
        {{2, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, true, true}, false},
        {{2, {7, 7}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, false, false}, false},
    };
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        jm_shape shape = {.rank = 4, .dim = {1, 40, 19, 23}};
        run_pool(&cases[i].w, cases[i].maximum, JM_F32, &shape, &random);
    }
}

/* auto_pad: SAME_* give ceil(in / stride) outputs with the odd point of padding after or before. */
static void auto_pads(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    static const char *const text[] = {"SAME_UPPER", "SAME_LOWER", "VALID"};
    for (int round = 0; round < 30; round++) {
        op_test t;
        struct window w = {.spatial = 2, .dilation = {1, 1}};
        int mode = round % 3;
        jm_shape shape = op_test_shape(&random, 4, 6, 20, 6000);
        op_test_begin(&t, "MaxPool");
        op_test_string(&t, "auto_pad", text[mode]);
        int64_t want[2];
        for (int k = 0; k < 2; k++) {
            int64_t in = shape.dim[2 + k];
            w.kernel[k] = op_random_int(&random, 1, 5);
            w.stride[k] = op_random_int(&random, 1, 3);
            want[k] = mode == 2 ? (in - w.kernel[k]) / w.stride[k] + 1 : (in + w.stride[k] - 1) / w.stride[k];
            int64_t total = mode == 2 ? 0 : JM_MAX((want[k] - 1) * w.stride[k] + w.kernel[k] - in, 0);
            w.before[k] = mode == 1 ? total - total / 2 : total / 2;
            w.after[k] = total - w.before[k];
        }
        op_test_ints(&t, "kernel_shape", w.kernel, 2);
        op_test_ints(&t, "strides", w.stride, 2);
        jm_tensor in = random_numbers(&t, JM_F32, &shape, &random, -9, 9, true);
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        for (int k = 0; k < 2; k++) assert_int_equal(out.shape.dim[2 + k], want[k]);
        check_pool(&w, true, &in, &out);
        op_test_end(&t);
    }
}

/* Kernels, pads and strides near 2^31 are refused or computed, never overflow. */
static void huge_windows(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    int64_t big = (int64_t)1 << 31;
    struct window cases[] = {
        {1, {1}, {big}, {1}, {0}, {0}, false, false},
        {1, {2}, {1}, {big}, {0}, {big}, false, true},
        {1, {big}, {big}, {1}, {big}, {big}, false, true},
        {1, {big}, {big}, {1}, {big}, {big}, true, true},
        {2, {3, big}, {1, big}, {1, 1}, {1, 5}, {1, big}, true, true},
    };
    for (size_t i = 0; i < JM_COUNT(cases); i++) {
        op_test t;
        jm_form forms[JM_MAX_FORMS];
        jm_shape shape = {.rank = 2 + cases[i].spatial, .dim = {1, 3, 4, 5}};
        op_test_begin(&t, "AveragePool");
        set_window(&t, &cases[i]);
        op_test_int(&t, "count_include_pad", 1);
        op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
        if (op_test_forms(&t, forms) && t.out[0].shape.dim[2] <= 100) run_every_way(&t, &random);
        op_test_end(&t);
    }
}

static void refuse(const char *attr, const int64_t *values, int count, const char *words)
{
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    uint64_t random = 1;
    jm_shape shape = {.rank = 4, .dim = {1, 3, 4, 5}};
    op_test_begin(&t, "MaxPool");
    op_test_ints(&t, "kernel_shape", (int64_t[]){2, 2}, 2);
    if (attr) op_test_ints(&t, attr, values, count);
    if (!attr) op_test_string(&t, "auto_pad", "sometimes");
    op_test_input(&t, op_test_tensor(&t, JM_F32, &shape, &random));
    assert_int_equal(op_test_forms(&t, forms), 0);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' lacks '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void errors(void **state)
{
    (void)state;
    refuse("kernel_shape", (int64_t[]){9, 2}, 2, "spans 9 points of dimension 2; it has 4");
    refuse("kernel_shape", (int64_t[]){2}, 1, "kernel_shape has 1 numbers");
    refuse("kernel_shape", NULL, 0, "empty");
    refuse("strides", (int64_t[]){1, 0}, 2, "strides[1] is 0");
    refuse("pads", (int64_t[]){1, 1, -1, 0}, 4, "pads[2] is -1");
    refuse("pads", (int64_t[]){1, 1}, 2, "pads has 2 numbers and must have 4");
    refuse("dilations", (int64_t[]){1, (int64_t)1 << 40}, 2, "dilations[1]");
    refuse(NULL, NULL, 0, "auto_pad is 'sometimes'");
}

/* ---- DepthToSpace and SpaceToDepth ---- */

static void depth_to_space(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 24; round++) {
        op_test t;
        bool crd = round & 1;
        int64_t block = op_random_int(&random, 1, 4), c = op_random_int(&random, 1, 5);
        jm_shape shape = {.rank = 4, .dim = {2, c * block * block, op_random_int(&random, 1, 6), 5}};
        jm_dtype dtype = round % 3 ? JM_F32 : JM_U8;
        op_test_begin(&t, "DepthToSpace");
        op_test_int(&t, "blocksize", block);
        op_test_string(&t, "mode", crd ? "CRD" : "DCR");
        jm_tensor in = random_numbers(&t, dtype, &shape, &random, 0, 200, false);
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        assert_int_equal(out.shape.dim[1], c);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            int64_t i = index[2] % block, j = index[3] % block;
            int64_t channel = crd ? index[1] * block * block + i * block + j : (i * block + j) * c + index[1];
            int64_t from[JM_MAX_RANK] = {index[0], channel, index[2] / block, index[3] / block};
            assert_true(number_at(&out, index) == number_at(&in, from));
        } while (op_test_next(&out.shape, index));
        op_test_end(&t);
    }
}

static void space_to_depth(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 16; round++) {
        op_test t;
        int64_t block = op_random_int(&random, 1, 4), c = op_random_int(&random, 1, 5);
        jm_shape shape = {.rank = 4, .dim = {2, c, block * 3, block * op_random_int(&random, 1, 6)}};
        op_test_begin(&t, "SpaceToDepth");
        op_test_int(&t, "blocksize", block);
        jm_tensor in = random_numbers(&t, JM_F32, &shape, &random, 0, 200, false);
        op_test_input(&t, in);
        jm_tensor out = run_every_way(&t, &random);
        int64_t index[JM_MAX_RANK] = {0};
        do {
            int64_t i = index[1] / c / block, j = index[1] / c % block;
            int64_t from[JM_MAX_RANK] = {index[0], index[1] % c, index[2] * block + i, index[3] * block + j};
            assert_true(number_at(&out, index) == number_at(&in, from));
        } while (op_test_next(&out.shape, index));
        op_test_end(&t);
    }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pools),   cmocka_unit_test(usual_pools), cmocka_unit_test(auto_pads),
        cmocka_unit_test(huge_windows),   cmocka_unit_test(errors),      cmocka_unit_test(depth_to_space),
        cmocka_unit_test(space_to_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
