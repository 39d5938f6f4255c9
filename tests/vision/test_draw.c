/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <float.h>
#include <math.h>

#include "base/alloc.h"
#include "vision/draw.h"

static void any_box_can_be_drawn(void **state)
{
    (void)state;
    const float edge[] = {-FLT_MAX, -1e6f, -3, 0, 0.5f, 20, 63.9f, 64, 1e6f, FLT_MAX, NAN, INFINITY};
    for (int i = 0; i < 400; i++) {
        jm_image image;
        assert_ok(jm_image_create((int)test_random_int(1, 64), (int)test_random_int(1, 64), &image));
        jm_box box[3] = {{0}};
        for (int b = 0; b < 3; b++) {
            float *value = &box[b].x1;
            for (int k = 0; k < 5; k++) value[k] = edge[test_random() % JM_COUNT(edge)];
            box[b].score = 0.5f;
            box[b].label = (int)test_random_int(-2, 3);
        }
        char longer[300];
        memset(longer, 'w', sizeof longer);
        longer[sizeof longer - 1] = 0;
        const char *const names[] = {"", "\xC3\xA9\xFF", longer};
        jm_boxes boxes = {.box = box, .count = 3, .capacity = 3};
        assert_ok(jm_draw_boxes(&image, &boxes, names, 3));
        jm_image_destroy(&image);
    }
}

static void a_box_is_drawn_where_it_is(void **state)
{
    (void)state;
    jm_image image;
    assert_ok(jm_image_create(200, 150, &image));
    jm_box box = {50, 60, 150, 120, 0.9f, 3, 0, 0};
    jm_boxes boxes = {.box = &box, .count = 1, .capacity = 1};
    assert_ok(jm_draw_boxes(&image, &boxes, NULL, 0));
    jm_color color = jm_class_color(3);
    const uint8_t *edge = image.rgb + (90 * 200 + 50) * 3, *outside = image.rgb + (90 * 200 + 40) * 3;
    assert_int_equal(edge[0], color.r);
    assert_int_equal(edge[1], color.g);
    assert_int_equal(edge[2], color.b);
    assert_int_equal(outside[0] + outside[1] + outside[2], 0);
    jm_image_destroy(&image);
}

static void colours_of_near_classes_differ(void **state)
{
    (void)state;
    for (int a = 0; a < 20; a++)
        for (int b = a + 1; b < a + 4; b++) {
            jm_color x = jm_class_color(a), y = jm_class_color(b);
            assert_true(abs(x.r - y.r) + abs(x.g - y.g) + abs(x.b - y.b) > 80);
        }
}

static void text_has_the_width_it_says(void **state)
{
    (void)state;
    jm_image image;
    assert_ok(jm_image_create(400, 40, &image));
    jm_draw_text(&image, "Jumar 100%", 10, 30, 16, (jm_color){255, 255, 255});
    float width = jm_text_width("Jumar 100%", 16);
    int last = 0;
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 400; x++)
            if (image.rgb[(y * 400 + x) * 3]) last = JM_MAX(last, x);
    assert_true(fabsf((float)last - (10 + width)) <= 3);
    assert_true(jm_text_width("", 16) == 0);
    jm_image_destroy(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_box_can_be_drawn),
        cmocka_unit_test(a_box_is_drawn_where_it_is),
        cmocka_unit_test(colours_of_near_classes_differ),
        cmocka_unit_test(text_has_the_width_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
