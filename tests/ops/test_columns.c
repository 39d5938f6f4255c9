/* SPDX-License-Identifier: Apache-2.0
 *
 * Im2Col and Col2Im by index arithmetic, for random windows; Col2Im with any number of dimensions.
 */
#include "numeric.h"

typedef struct windows {
    int spatial;
    int64_t batch, channels, area, places;
    int64_t image[3], kernel[3], stride[3], dilation[3], pad[3], count[3];
} windows;

static windows random_windows(uint64_t *random, int spatial)
{
    windows w = {.spatial = spatial,
                 .batch = op_random_int(random, 1, 3),
                 .channels = op_random_int(random, 1, 5),
                 .area = 1,
                 .places = 1};
    for (int k = 0; k < spatial; k++) {
        w.kernel[k] = op_random_int(random, 1, 4);
        w.stride[k] = op_random_int(random, 1, 3);
        w.dilation[k] = op_random_int(random, 1, 3);
        w.pad[k] = op_random_int(random, 0, 3);
        const int64_t extent = (w.kernel[k] - 1) * w.dilation[k] + 1;
        const int64_t size = op_random_int(random, 1, 9);
        w.image[k] = JM_MAX(size, extent - 2 * w.pad[k]);
        w.count[k] = (w.image[k] + 2 * w.pad[k] - extent) / w.stride[k] + 1;
        w.area *= w.kernel[k];
        w.places *= w.count[k];
    }
    return w;
}

/* The index of the point that kernel point `tap` meets at place `place`, both row-major; false beside the image. */
static bool point_of(const windows *w, int64_t tap, int64_t place, int64_t *point)
{
    for (int k = w->spatial - 1; k >= 0; k--) {
        point[k] = place % w->count[k] * w->stride[k] + tap % w->kernel[k] * w->dilation[k] - w->pad[k];
        tap /= w->kernel[k];
        place /= w->count[k];
        if (point[k] < 0 || point[k] >= w->image[k]) return false;
    }
    return true;
}

static void im2col(void **unused)
{
    (void)unused;
    static const jm_dtype dtypes[] = {JM_F32, JM_F16, JM_F64, JM_U8, JM_I32, JM_BOOL};
    uint64_t random = *test_random_state();
    for (int i = 0; i < 60; i++) {
        const windows w = random_windows(&random, 2);
        const jm_dtype dtype = dtypes[i % (int)JM_COUNT(dtypes)];
        const int lead = i % 2; /* with or without images */
        jm_shape shape = {.rank = 3 + lead};
        if (lead) shape.dim[0] = w.batch;
        memcpy(shape.dim + lead, (int64_t[]){w.channels, w.image[0], w.image[1]}, 3 * sizeof(int64_t));
        op_test t;
        op_test_begin(&t, "Im2Col");
        op_test_input(&t, random_numbers(&t, dtype, &shape, &random, 0, 9, false));
        op_test_ints(&t, "kernel_size", w.kernel, 2);
        op_test_ints(&t, "dilation", w.dilation, 2);
        op_test_ints(&t, "padding", w.pad, 2);
        op_test_ints(&t, "stride", w.stride, 2);
        const jm_tensor out = run_every_way(&t, &random);
        assert_int_equal(out.shape.rank, 2 + lead);
        assert_int_equal(out.shape.dim[lead], w.channels * w.area);
        assert_int_equal(out.shape.dim[lead + 1], w.places);
        int64_t at[JM_MAX_RANK] = {0}, from[JM_MAX_RANK];
        do {
            memcpy(from, at, sizeof(from));
            from[lead] = at[lead] / w.area;
            const bool inside = point_of(&w, at[lead] % w.area, at[lead + 1], from + lead + 1);
            const double want = inside ? number_at(&t.in[0], from) : 0;
            if (number_at(&out, at) != want) fail_msg("%g, want %g", number_at(&out, at), want);
        } while (op_test_next(&out.shape, at));
        op_test_end(&t);
    }
}

static void col2im(void **unused)
{
    (void)unused;
    static const jm_dtype dtypes[] = {JM_F32, JM_F64, JM_I32};
    uint64_t random = *test_random_state();
    for (int i = 0; i < 60; i++) {
        const windows w = random_windows(&random, 1 + i % 3);
        const jm_dtype dtype = dtypes[i / 3 % (int)JM_COUNT(dtypes)];
        const jm_shape shape = {.rank = 3, .dim = {w.batch, w.channels * w.area, w.places}};
        int64_t pads[6];
        for (int k = 0; k < w.spatial; k++) pads[k] = pads[w.spatial + k] = w.pad[k];
        op_test t;
        op_test_begin(&t, "Col2Im");
        op_test_input(&t, random_numbers(&t, dtype, &shape, &random, -9, 9, false));
        op_test_ints_input(&t, w.image, w.spatial);
        op_test_ints_input(&t, w.kernel, w.spatial);
        op_test_ints(&t, "dilations", w.dilation, w.spatial);
        op_test_ints(&t, "strides", w.stride, w.spatial);
        op_test_ints(&t, "pads", pads, 2 * w.spatial);
        const jm_tensor out = run_every_way(&t, &random);
        int64_t count;
        assert_ok(jm_shape_count(&out.shape, &count));
        double *want = jm_alloc((size_t)count, sizeof(*want));
        assert_non_null(want);
        int64_t at[JM_MAX_RANK] = {0}, point[3];
        do {
            if (!point_of(&w, at[1] % w.area, at[2], point)) continue;
            int64_t to = at[0] * w.channels + at[1] / w.area;
            for (int k = 0; k < w.spatial; k++) to = to * w.image[k] + point[k];
            want[to] += number_at(&t.in[0], at);
        } while (op_test_next(&shape, at));
        int64_t place[JM_MAX_RANK] = {0};
        for (int64_t p = 0; p < count; p++, op_test_next(&out.shape, place))
            assert_close("image", dtype, number_at(&out, place), want[p], dtype == JM_F32 ? 1e-4 : 1e-11);
        jm_free(want);
        op_test_end(&t);
    }
}

int main(void)
{
    test_random_state();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(im2col),
        cmocka_unit_test(col2im),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
