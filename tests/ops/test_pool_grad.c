/* SPDX-License-Identifier: Apache-2.0
 *
 * Maxima with their places, masks, and the gradients of pooling and interpolation, against direct models. A gradient is
 * held to the matrix of its forward operator.
 */
#include "numeric.h"

static const jm_dtype types[] = {JM_F32, JM_F16, JM_BF16};

typedef struct window {
    int64_t kernel[2], stride[2], padding[2], dilation[2];
    bool ceil;
} window;

static window random_window(uint64_t *random, bool dilated)
{
    window w = {.ceil = op_random(random) & 1};
    for (int k = 0; k < 2; k++) {
        w.kernel[k] = op_random_int(random, 1, 4);
        w.stride[k] = op_random_int(random, 1, 4);
        w.padding[k] = op_random_int(random, 0, w.kernel[k] / 2);
        w.dilation[k] = dilated ? op_random_int(random, 1, 2) : 1;
    }
    return w;
}

static void set_window(op_test *t, const window *w)
{
    op_test_ints(t, "kernel", w->kernel, 2);
    op_test_ints(t, "stride", w->stride, 2);
    op_test_ints(t, "padding", w->padding, 2);
    op_test_ints(t, "dilation", w->dilation, 2);
    op_test_int(t, "ceil_mode", w->ceil);
}

/* Output size: a window may not begin in the padding behind the input. */
static int64_t out_size(const window *w, int k, int64_t in)
{
    const int64_t span = (w->kernel[k] - 1) * w->dilation[k] + 1, end = in + w->padding[k];
    int64_t out = 0;
    for (int64_t start = -w->padding[k]; start < in; start += w->stride[k], out++) {
        const bool fits = start + span <= end, enough = w->ceil && start + span - w->stride[k] < end;
        if (!fits && !enough) break;
    }
    return out;
}

static jm_shape pooled(const window *w, const jm_shape *x)
{
    jm_shape y = *x;
    for (int k = 0; k < 2; k++) y.dim[x->rank - 2 + k] = out_size(w, k, x->dim[x->rank - 2 + k]);
    return y;
}

/* Sizes that hold the window. */
static jm_shape random_maps(uint64_t *random, const window *w)
{
    jm_shape shape = {.rank = 4, .dim = {op_random_int(random, 1, 2), op_random_int(random, 1, 3)}};
    for (int k = 0; k < 2; k++) {
        const int64_t span = (w->kernel[k] - 1) * w->dilation[k] + 1;
        shape.dim[2 + k] = op_random_int(random, JM_MAX(span - 2 * w->padding[k], 1), span + 20);
    }
    return shape;
}

/* Tap `tap` of the window at (y, x): false where it lies outside; its place. */
static bool tap_at(const window *w, const jm_shape *shape, const int64_t at[], int64_t tap, int64_t place[2])
{
    const int64_t own[2] = {tap / w->kernel[1], tap % w->kernel[1]};
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        place[k] = at[2 + k] * w->stride[k] - w->padding[k] + own[k] * w->dilation[k];
        inside = inside && place[k] >= 0 && place[k] < shape->dim[2 + k];
    }
    return inside;
}

/* ---- Maxima ---- */

static void places_and_maxima(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 60; round++) {
        op_test t;
        window w = random_window(&random, true);
        const jm_shape shape = random_maps(&random, &w);
        const jm_dtype dtype = types[round % 3];
        int64_t pads[4];
        for (int k = 0; k < 4; k++) pads[k] = w.padding[k % 2];
        op_test_begin(&t, "MaxPoolIndices");
        op_test_ints(&t, "kernel_shape", w.kernel, 2);
        op_test_ints(&t, "strides", w.stride, 2);
        op_test_ints(&t, "pads", pads, 4);
        op_test_ints(&t, "dilations", w.dilation, 2);
        op_test_int(&t, "ceil_mode", w.ceil);
        op_test_int(&t, "each_map", 1);
        op_test_dtype(&t, "index_type", round & 1 ? JM_I32 : JM_I64);
        jm_tensor x = random_numbers(&t, dtype, &shape, &random, -3, 3, round % 4 == 3);
        op_test_input(&t, x);
        t.outputs = 2;
        jm_tensor places = run_every_way(&t, &random), maxima = op_test_output(&t, 1);
        int64_t at[JM_MAX_RANK] = {0};
        do {
            int64_t place[2], best = -1;
            double most = -INFINITY;
            for (int64_t tap = 0; tap < w.kernel[0] * w.kernel[1]; tap++) {
                if (!tap_at(&w, &shape, at, tap, place)) continue;
                const double value = number_at(&x, (int64_t[JM_MAX_RANK]){at[0], at[1], place[0], place[1]});
                if (best >= 0 && !(value > most || value != value)) continue;
                most = value;
                best = place[0] * shape.dim[3] + place[1];
            }
            assert_int_equal((int64_t)number_at(&places, at), JM_MAX(best, 0)); /* 0 where no tap is inside */
            const double have = number_at(&maxima, at);
            assert_true(have == most || (have != have && most != most));
        } while (op_test_next(&places.shape, at));
        op_test_end(&t);
    }
}

/* A mask made of indices gives them back; bits are where the format says; a wrong index is a fault. */
static void masks(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 40; round++) {
        window w = random_window(&random, false); /* some tap is always inside */
        if (round % 10 == 9) w.kernel[0] = w.kernel[1] = 17;
        const jm_shape shape = random_maps(&random, &w), out = pooled(&w, &shape);
        const int64_t points = out.dim[2] * out.dim[3], taps = w.kernel[0] * w.kernel[1];
        op_test t, back;
        op_test_begin(&t, "MaxPoolMask");
        set_window(&t, &w);
        op_test_ints(&t, "shape", shape.dim, 4);
        jm_tensor index = random_numbers(&t, JM_I32, &out, &random, 0, 1, false);
        int64_t at[JM_MAX_RANK] = {0}, place[2];
        do { /* a random tap inside */
            int64_t tap = op_random_int(&random, 0, taps - 1);
            while (!tap_at(&w, &shape, at, tap, place)) tap = (tap + 1) % taps;
            *(int32_t *)jm_tensor_at(&index, at) = (int32_t)(place[0] * shape.dim[3] + place[1]);
        } while (op_test_next(&out, at));
        op_test_input(&t, index);
        jm_tensor mask = run_every_way(&t, &random);
        assert_int_equal(mask.shape.dim[2], taps);
        assert_int_equal(mask.shape.dim[3], ((points + 15) / 16 + 1) * 32);
        memset(at, 0, sizeof(at));
        do
            for (int64_t tap = 0; tap < taps; tap++) {
                const int64_t point = at[2] * out.dim[3] + at[3];
                const int64_t byte[JM_MAX_RANK] = {at[0], at[1], tap, point / 8};
                const bool bit = *(uint8_t *)jm_tensor_at(&mask, byte) >> point % 8 & 1;
                const bool inside = tap_at(&w, &shape, at, tap, place);
                assert_true(bit == (inside && place[0] * shape.dim[3] + place[1] == (int64_t)number_at(&index, at)));
            }
        while (op_test_next(&out, at));
        op_test_begin(&back, "MaxPoolMaskIndices");
        set_window(&back, &w);
        op_test_ints(&back, "shape", shape.dim, 4);
        jm_tensor copy = op_test_strided(&back, JM_I8, &mask.shape, &random);
        assert_ok(jm_tensor_copy(&mask, &copy));
        op_test_input(&back, copy);
        jm_tensor again = run_every_way(&back, &random);
        assert_same_numbers("indices", &again, &index);
        op_test_end(&back);
        memset(at, 0, sizeof(at));
        *(int32_t *)jm_tensor_at(&index, at) = round & 1 ? -1 : (int32_t)(shape.dim[2] * shape.dim[3]);
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_OUT_OF_RANGE);
        op_test_end(&t);
    }
}

static void gradient_of_maxima(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 40; round++) {
        op_test t;
        window w = random_window(&random, true);
        jm_shape shape = random_maps(&random, &w), out = pooled(&w, &shape);
        const jm_dtype dtype = types[round % 3];
        const int64_t area = shape.dim[2] * shape.dim[3];
        op_test_begin(&t, "MaxPool2dIndicesGrad");
        set_window(&t, &w);
        jm_tensor dy = random_numbers(&t, dtype, &out, &random, -2, 2, false);
        jm_tensor index = random_numbers(&t, round & 1 ? JM_I32 : JM_I64, &out, &random, 0, (double)area, false);
        op_test_input(&t, dy);
        op_test_input(&t, op_test_tensor(&t, dtype, &shape, &random));
        op_test_input(&t, index);
        jm_tensor dx = run_every_way(&t, &random);
        double *want = calloc((size_t)(shape.dim[0] * shape.dim[1] * area), sizeof(*want));
        int64_t at[JM_MAX_RANK] = {0};
        do want[(at[0] * shape.dim[1] + at[1]) * area + (int64_t)number_at(&index, at)] += number_at(&dy, at);
        while (op_test_next(&out, at));
        memset(at, 0, sizeof(at));
        int64_t i = 0;
        do {
            assert_close("dX", dtype, number_at(&dx, at), want[i], 1e-4 + 0.51 * ulp_of(dtype, want[i]));
            i++;
        } while (op_test_next(&shape, at));
        free(want);
        memset(at, 0, sizeof(at));
        jm_element_from_i64(index.dtype, round & 2 ? -1 : area, jm_tensor_at(&index, at));
        assert_ok(op_test_run(&t));
        assert_int_equal(t.fault, JM_OUT_OF_RANGE);
        op_test_end(&t);
    }
}

/* ---- Linear maps ---- */

/* Forward weights of one axis: weight[o * in + i]. */
typedef struct dense {
    int64_t in, out;
    double weight[64 * 64];
} dense;

static double entry(const dense *d, int64_t o, int64_t i)
{
    return d->weight[o * d->in + i];
}

/* Every element of `got` is that of rows * x * columns^T, or with both matrices transposed. */
static void check_linear(const jm_tensor *got, const jm_tensor *x, const dense *rows, const dense *columns,
                         bool transposed, double slack)
{
    const int rank = x->shape.rank;
    int64_t at[JM_MAX_RANK] = {0};
    do {
        double want = 0, size = 0;
        int64_t from[JM_MAX_RANK];
        memcpy(from, at, sizeof(from));
        for (int64_t r = 0; r < x->shape.dim[rank - 2]; r++)
            for (int64_t c = 0; c < x->shape.dim[rank - 1]; c++) {
                const int64_t y = at[rank - 2], z = at[rank - 1];
                const double w =
                    transposed ? entry(rows, r, y) * entry(columns, c, z) : entry(rows, y, r) * entry(columns, z, c);
                from[rank - 2] = r;
                from[rank - 1] = c;
                if (w == 0) continue;
                want += w * number_at(x, from);
                size += fabs(w * number_at(x, from));
            }
        assert_close("linear", got->dtype, number_at(got, at), want,
                     slack + 2e-6 * size + 0.51 * ulp_of(got->dtype, want));
    } while (op_test_next(&got->shape, at));
}

static void average_matrix(const window *w, int k, int64_t in, bool include, int64_t divisor, dense *d)
{
    *d = (dense){.in = in, .out = out_size(w, k, in)};
    for (int64_t o = 0; o < d->out; o++) {
        const int64_t start = o * w->stride[k] - w->padding[k];
        int64_t inside = 0, padded = 0;
        for (int64_t i = start; i < start + w->kernel[k]; i++) {
            inside += i >= 0 && i < in;
            padded += i < in + w->padding[k];
        }
        const double count = divisor ? (k ? 1 : (double)divisor) : (double)(include ? padded : inside);
        for (int64_t i = JM_MAX(start, 0); i < JM_MIN(start + w->kernel[k], in); i++) d->weight[o * in + i] = 1 / count;
    }
}

static void gradient_of_means(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 45; round++) {
        op_test t;
        window w = random_window(&random, false);
        jm_shape shape = random_maps(&random, &w), out = pooled(&w, &shape);
        const bool include = round & 1;
        const int64_t divisor = round % 5 == 0 ? -7 : 0;
        static dense d[2];
        for (int k = 0; k < 2; k++) average_matrix(&w, k, shape.dim[2 + k], include, divisor, &d[k]);
        op_test_begin(&t, "AvgPool2dGrad");
        set_window(&t, &w);
        op_test_int(&t, "count_include_pad", include);
        op_test_int(&t, "divisor", divisor);
        jm_tensor dy = random_numbers(&t, types[round % 3], &out, &random, -2, 2, false);
        op_test_input(&t, dy);
        op_test_input(&t, op_test_tensor(&t, types[round % 3], &shape, &random));
        jm_tensor dx = run_every_way(&t, &random);
        check_linear(&dx, &dy, &d[0], &d[1], true, 0);
        op_test_end(&t);
    }
}

static void adaptive_means(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 40; round++) {
        op_test t;
        const bool gradient = round & 1;
        const jm_dtype dtype = types[round % 3];
        jm_shape x = op_test_shape(&random, (int)op_random_int(&random, 3, 4), 1, 20, 3000), y = x;
        static dense d[2];
        for (int k = 0; k < 2; k++) {
            int64_t *size = &y.dim[y.rank - 2 + k];
            d[k] = (dense){.in = *size, .out = round % 8 == 7 ? 1 : op_random_int(&random, 1, 24)};
            *size = d[k].out;
            for (int64_t o = 0; o < d[k].out; o++) {
                const int64_t begin = o * d[k].in / d[k].out, end = ((o + 1) * d[k].in + d[k].out - 1) / d[k].out;
                for (int64_t i = begin; i < end; i++) d[k].weight[o * d[k].in + i] = 1 / (double)(end - begin);
            }
        }
        op_test_begin(&t, gradient ? "AdaptiveAvgPool2dGrad" : "AdaptiveAvgPool2d");
        if (!gradient) op_test_ints(&t, "size", y.dim + y.rank - 2, 2);
        jm_tensor in = random_numbers(&t, dtype, gradient ? &y : &x, &random, -2, 2, false);
        op_test_input(&t, in);
        if (gradient) op_test_input(&t, op_test_tensor(&t, dtype, &x, &random));
        jm_tensor got = run_every_way(&t, &random);
        check_linear(&got, &in, &d[0], &d[1], gradient, 0);
        op_test_end(&t);
    }
}

/* PyTorch's places, in double. */
static void upsample_matrix(int mode, int64_t in, int64_t out, double scale, dense *d)
{
    *d = (dense){.in = in, .out = out};
    for (int64_t o = 0; o < out; o++) {
        const double ratio = scale > 0 ? 1 / scale : (double)in / (double)out;
        double place = mode == 0 ? (out == 2 * in ? floor((double)o / 2) : floor((double)o * ratio))
                                 : JM_MAX(((double)o + 0.5) * ratio - 0.5, 0);
        if (mode == 2) place = out > 1 ? (double)o * (double)(in - 1) / (double)(out - 1) : 0;
        if (in == out) place = (double)o;
        place = JM_MIN(place, (double)(in - 1));
        const int64_t low = (int64_t)place;
        d->weight[o * in + low] += 1 - (place - (double)low);
        d->weight[o * in + JM_MIN(low + 1, in - 1)] += place - (double)low;
    }
}

static void gradient_of_upsampling(void **state)
{
    (void)state;
    uint64_t random = *test_random_state();
    for (int round = 0; round < 60; round++) {
        op_test t;
        const int mode = round % 3; /* nearest, linear, linear with corners */
        const int64_t in[2] = {op_random_int(&random, 1, 12), op_random_int(&random, 1, 12)};
        /* Nearest: sizes and factors whose places float32 holds exactly; tests/aclnn compares the others with PyTorch.
         */
        const double scale[2] = {round % 5 == 1 ? 2 : 0, 0};
        int64_t out[2];
        for (int k = 0; k < 2; k++) {
            out[k] = op_random_int(&random, 1, 30);
            if (mode == 0) out[k] = in[k] * op_random_int(&random, 1, 4);
            if (mode == 0 && in[k] % 3 == 0 && round % 2) out[k] = in[k] / 3;
        }
        static dense d[2];
        for (int k = 0; k < 2; k++) upsample_matrix(mode, in[k], out[k], scale[k], &d[k]);
        op_test_begin(&t, "Upsample2dGrad");
        op_test_string(&t, "mode", mode ? "linear" : "nearest");
        op_test_int(&t, "align_corners", mode == 2);
        op_test_float(&t, "scale_h", scale[0]);
        op_test_ints(&t, "output_size", out, 2);
        op_test_ints(&t, "input_size", (int64_t[]){2, 3, in[0], in[1]}, 4);
        const jm_shape shape = {.rank = 4, .dim = {2, 3, out[0], out[1]}};
        jm_tensor dy = random_numbers(&t, types[round / 3 % 3], &shape, &random, -2, 2, false);
        op_test_input(&t, dy);
        jm_tensor dx = run_every_way(&t, &random);
        check_linear(&dx, &dy, &d[0], &d[1], true, mode ? 2e-4 : 0);
        op_test_end(&t);
    }
}

/* ---- Errors ---- */

static void refuse(const char *op, int inputs, const jm_tensor *in, void (*set)(op_test *t), const char *words)
{
    op_test t;
    jm_form forms[JM_MAX_FORMS];
    op_test_begin(&t, op);
    t.outputs = jm_op_outputs(t.op);
    for (int i = 0; i < inputs; i++) op_test_input(&t, in[i]);
    set(&t);
    assert_int_equal(op_test_forms(&t, forms), 0);
    if (!strstr(jm_last_error(), words)) fail_msg("'%s' lacks '%s'", jm_last_error(), words);
    op_test_end(&t);
}

static void good_window(op_test *t)
{
    op_test_ints(t, "kernel", (int64_t[]){2}, 1);
}

static void wide_padding(op_test *t)
{
    op_test_ints(t, "kernel", (int64_t[]){3, 3}, 2);
    op_test_ints(t, "padding", (int64_t[]){1, 2}, 2);
}

static void three_numbers(op_test *t)
{
    op_test_ints(t, "kernel", (int64_t[]){3, 3, 3}, 3);
}

static void no_numbers(op_test *t)
{
    op_test_ints(t, "kernel", NULL, 0);
}

static void wrong_size(op_test *t)
{
    op_test_ints(t, "size", (int64_t[]){3, -1}, 2);
}

static void errors(void **state)
{
    (void)state;
    const jm_tensor x = {.dtype = JM_F32, .shape = {.rank = 4, .dim = {1, 2, 6, 6}}};
    const jm_tensor y = {.dtype = JM_F32, .shape = {.rank = 4, .dim = {1, 2, 3, 3}}};
    const jm_tensor flat = {.dtype = JM_F32, .shape = {.rank = 2, .dim = {6, 6}}};
    const jm_tensor index = {.dtype = JM_I32, .shape = {.rank = 4, .dim = {1, 2, 3, 3}}};
    refuse("MaxPool2dIndices", 1, &x, wide_padding, "padding[1] is 2 and must be at most half of 3");
    refuse("MaxPool2dIndices", 1, &x, three_numbers, "kernel has 3 numbers and must have 1 or 2");
    refuse("MaxPool2dMask", 1, &x, no_numbers, "kernel has 0 numbers");
    refuse("AvgPool2d", 1, &flat, good_window, "rank 2 and must have 3 or 4");
    refuse("AvgPool2dGrad", 2, (jm_tensor[]){x, x}, good_window, "dY has shape [1,2,6,6] and must have [1,2,3,3]");
    refuse("MaxPool2dIndicesGrad", 3, (jm_tensor[]){y, x, y}, good_window, "indices");
    refuse("MaxPool2dIndicesGrad", 3, (jm_tensor[]){x, x, index}, good_window, "the same shape");
    refuse("AdaptiveAvgPool2d", 1, &x, wrong_size, "size[1] is -1");
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_maxima),
        cmocka_unit_test(masks),
        cmocka_unit_test(gradient_of_maxima),
        cmocka_unit_test(gradient_of_means),
        cmocka_unit_test(adaptive_means),
        cmocka_unit_test(gradient_of_upsampling),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
