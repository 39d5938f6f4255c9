/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "vision/preprocess.h"

static jm_image random_image(int width, int height)
{
    jm_image image;
    assert_ok(jm_image_create(width, height, &image));
    for (int i = 0; i < width * height * 3; i++) image.rgb[i] = (uint8_t)test_random();
    return image;
}

/* Bilinear sample of channel c at the half-pixel position of output pixel (x, y), in float64. */
static double sample(const jm_image *image, int out_width, int out_height, int x, int y, int c)
{
    double sx = (x + 0.5) * image->width / out_width - 0.5, sy = (y + 0.5) * image->height / out_height - 0.5;
    double value = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            double fx = sx - floor(sx), fy = sy - floor(sy);
            int px = JM_MIN(JM_MAX((int)floor(sx) + dx, 0), image->width - 1);
            int py = JM_MIN(JM_MAX((int)floor(sy) + dy, 0), image->height - 1);
            value += (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * image->rgb[(py * image->width + px) * 3 + c];
        }
    return value;
}

static void every_family_follows_its_formula(void **state)
{
    (void)state;
    int count;
    const jm_family *family = jm_family_all(&count);
    const int sizes[][4] = {{50, 30, 32, 32}, {30, 50, 32, 32}, {32, 32, 32, 32},
                            {1, 1, 16, 24},   {100, 7, 24, 40}, {9, 300, 33, 17}};
    for (; count; count--, family++)
        for (size_t s = 0; s < JM_COUNT(sizes); s++) {
            int width = sizes[s][2], height = sizes[s][3];
            jm_image image = random_image(sizes[s][0], sizes[s][1]);
            float *tensor = jm_alloc((size_t)(3 * width * height), sizeof *tensor);
            jm_placement p;
            assert_ok(jm_preprocess(family, &image, width, height, tensor, &p));
            int inner_width = (int)lrintf(p.scale_x * (float)image.width);
            int inner_height = (int)lrintf(p.scale_y * (float)image.height);
            if (family->fit == JM_FIT_STRETCH) {
                assert_int_equal(inner_width, width);
                assert_int_equal(inner_height, height);
            } else {
                assert_true(inner_width == width || inner_height == height);
                double rx = (double)width / image.width, ry = (double)height / image.height;
                double ratio = family->fit == JM_FIT_CROP ? fmax(rx, ry) : fmin(rx, ry);
                assert_true(fabs(inner_width - JM_MAX(image.width * ratio, 1)) <= 0.5);
                assert_true(fabs(inner_height - JM_MAX(image.height * ratio, 1)) <= 0.5);
            }
            for (int c = 0; c < 3; c++)
                for (int y = 0; y < height; y++)
                    for (int x = 0; x < width; x++) {
                        int ix = x - (int)p.offset_x, iy = y - (int)p.offset_y;
                        double want = family->pad, slack = 0;
                        if (ix >= 0 && iy >= 0 && ix < inner_width && iy < inner_height) {
                            want = sample(&image, inner_width, inner_height, ix, iy, family->bgr ? 2 - c : c);
                            slack = 0.76; /* rounding to 8 bits, and 11-bit weights */
                        }
                        double got =
                            tensor[(c * height + y) * width + x] * (double)family->deviation[c] + family->mean[c];
                        if (fabs(got - want) > slack + 1e-4)
                            fail_msg("%s: (%d,%d,%d) is %g, want %g", family->name, c, y, x, got, want);
                    }
            jm_free(tensor);
            jm_image_destroy(&image);
        }
}

static void an_enlarged_constant_stays_constant(void **state)
{
    (void)state;
    jm_image image;
    jm_placement p;
    const jm_family *family;
    assert_ok(jm_family_find("yolov4", &family)); /* stretched */
    assert_ok(jm_image_create(5, 4, &image));
    memset(image.rgb, 201, 5 * 4 * 3);
    static float larger[3 * 37 * 51];
    assert_ok(jm_preprocess(family, &image, 37, 51, larger, &p));
    for (size_t i = 0; i < JM_COUNT(larger); i++) assert_float_equal(larger[i], 201.0f / 255, 0);
    jm_image_destroy(&image);
}

static void families_are_found_by_name(void **state)
{
    (void)state;
    const jm_family *family;
    assert_ok(jm_family_find("yolox", &family));
    assert_true(family->bgr);
    assert_error(jm_family_find("yoloz", &family), JM_NOT_FOUND, "yolox, nanodet, picodet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_follows_its_formula),
        cmocka_unit_test(an_enlarged_constant_stays_constant),
        cmocka_unit_test(families_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
