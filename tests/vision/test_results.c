/* SPDX-License-Identifier: Apache-2.0
 *
 * What tasks make of rows: turned boxes, masks, keypoints, classes; each against a slower model of its own.
 */
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "vision/results.h"

/* ---- Turned boxes ---- */

/* The part of the line at height y that lies inside: a box is where two linear functions stay within bounds. */
static bool slice(const jm_box *b, double y, double *from, double *to)
{
    double cx = ((double)b->x1 + b->x2) / 2, cy = ((double)b->y1 + b->y2) / 2;
    double half[2] = {((double)b->x2 - b->x1) / 2, ((double)b->y2 - b->y1) / 2};
    double c = cos(b->angle), s = sin(b->angle);
    double slope[2] = {c, -s}, at[2] = {(y - cy) * s, (y - cy) * c}; /* along the sides: slope * (x - cx) + at */
    *from = -1e9;
    *to = 1e9;
    for (int k = 0; k < 2; k++) {
        if (fabs(slope[k]) < 1e-12) {
            if (fabs(at[k]) > half[k]) return false;
            continue;
        }
        double one = cx + (-half[k] - at[k]) / slope[k], two = cx + (half[k] - at[k]) / slope[k];
        *from = fmax(*from, fmin(one, two));
        *to = fmin(*to, fmax(one, two));
    }
    return *to > *from;
}

static double slow_iou(const jm_box *a, const jm_box *b)
{
    enum { LINES = 20000 };
    double inter = 0, reach = hypot(a->x2 - a->x1, a->y2 - a->y1) / 2, middle = ((double)a->y1 + a->y2) / 2;
    for (int i = 0; i < LINES; i++) {
        double y = middle + ((i + 0.5) / LINES * 2 - 1) * reach, from_a, to_a, from_b, to_b;
        if (slice(a, y, &from_a, &to_a) && slice(b, y, &from_b, &to_b))
            inter += fmax(fmin(to_a, to_b) - fmax(from_a, from_b), 0) * 2 * reach / LINES;
    }
    double area_a = ((double)a->x2 - a->x1) * ((double)a->y2 - a->y1);
    double area_b = ((double)b->x2 - b->x1) * ((double)b->y2 - b->y1);
    return inter / (area_a + area_b - inter);
}

static float random_float(int low, int high)
{
    return (float)test_random_int(low * 16, high * 16) / 16;
}

static jm_box random_turned(void)
{
    float x = random_float(0, 40), y = random_float(0, 40);
    return (jm_box){x, y, x + random_float(1, 40), y + random_float(1, 40), 1, 0, random_float(-4, 4), 0};
}

static void overlap_of_turned_boxes_is_that_of_polygons(void **state)
{
    (void)state;
    int overlapping = 0;
    for (int i = 0; i < 200; i++) {
        jm_box a = random_turned(), b = random_turned();
        double got = jm_oriented_iou(&a, &b), want = slow_iou(&a, &b);
        overlapping += want > 0.1;
        if (fabs(got - want) > 2e-3 || fabs(got - jm_oriented_iou(&b, &a)) > 1e-6)
            fail_msg("got %g, want %g", got, want);
    }
    assert_true(overlapping > 20);
    for (int i = 0; i < 200; i++) {
        /* Not turned, it is the overlap of upright boxes; with itself it is 1, also turned by half a circle. */
        jm_box a = random_turned(), b = random_turned(), same = a;
        same.angle += 3.14159265f;
        assert_true(fabsf(jm_oriented_iou(&a, &same) - 1) < 1e-5f);
        a.angle = b.angle = 0;
        assert_true(fabsf(jm_oriented_iou(&a, &b) - jm_box_iou(&a, &b)) < 1e-5f);
        b.x2 = b.x1;
        assert_true(jm_oriented_iou(&a, &b) == 0);
    }
}

static void turned_boxes_return_to_the_picture(void **state)
{
    (void)state;
    const jm_head head = {.kind = JM_HEAD_YOLOV8, .task = JM_TASK_ORIENTED, .classes = 1, .extra = 1};
    const jm_placement p = {
        .scale_x = 0.5f, .scale_y = 0.5f, .offset_x = 10, .offset_y = 20, .width = 200, .height = 100};
    jm_box box[] = {{40, 30, 80, 50, 0.9f, 0, 0.5f, 0}, {-90, 30, -50, 50, 0.8f, 0, 0, 0}};
    jm_boxes boxes = {.box = box, .count = 2, .capacity = 2, .oriented = true};
    jumar_results *r;
    assert_ok(jm_results_create(&head, NULL, &p, &boxes, &r));
    assert_int_equal(jumar_results_count(r), 1); /* the other one's centre lies outside */
    const jumar_oriented_box *o = jumar_results_oriented(r, 0);
    assert_null(jumar_results_oriented(r, 1));
    assert_null(jumar_results_mask(r, 0));
    const float want[] = {100, 40, 80, 40, 0.5f};
    for (int k = 0; k < 5; k++) assert_true(fabsf((&o->x)[k] - want[k]) < 1e-3f);
    for (int k = 0; k < 4; k++) {
        float dx = k == 1 || k == 2 ? 40 : -40, dy = k > 1 ? 20 : -20;
        assert_true(fabsf(o->corner[k][0] - (100 + dx * cosf(0.5f) - dy * sinf(0.5f))) < 1e-3f);
        assert_true(fabsf(o->corner[k][1] - (40 + dx * sinf(0.5f) + dy * cosf(0.5f))) < 1e-3f);
    }
    const jumar_box *around = jumar_results_box(r, 0);
    assert_true(fabsf(around->x1 - (100 - 40 * cosf(0.5f) - 20 * sinf(0.5f))) < 1e-3f);
    assert_true(fabsf(around->y2 - (40 + 40 * sinf(0.5f) + 20 * cosf(0.5f))) < 1e-3f);
    jumar_results_free(r);
}

/* ---- Masks ---- */

enum { PROTOTYPES = 5, WIDE = 12, HIGH = 9, WIDTH = 53, HEIGHT = 37 };

/* In float64, for one pixel: 2 when it is too close to call. */
static int slow_mask(const jm_head *head, const float *prototype, const float *coefficient, const jm_placement *p,
                     const jumar_box *box, int x, int y)
{
    if (x + 0.5 < box->x1 || x + 0.5 >= box->x2 || y + 0.5 < box->y1 || y + 0.5 >= box->y2) return 0;
    double px = ((x + 0.5) * p->scale_x + p->offset_x) * WIDE / head->input_width - 0.5;
    double py = ((y + 0.5) * p->scale_y + p->offset_y) * HIGH / head->input_height - 0.5;
    px = fmin(fmax(px, 0), WIDE - 1);
    py = fmin(fmax(py, 0), HIGH - 1);
    double value = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            int ix = (int)px + dx, iy = (int)py + dy;
            double weight = (dx ? px - (int)px : 1 - (px - (int)px)) * (dy ? py - (int)py : 1 - (py - (int)py));
            if (weight == 0) continue;
            for (int k = 0; k < PROTOTYPES; k++)
                value += weight * coefficient[k] * prototype[(k * HIGH + iy) * WIDE + ix];
        }
    return fabs(value) < 1e-4 ? 2 : value > 0;
}

static void masks_are_products_of_prototypes(void **state)
{
    (void)state;
    const jm_head head = {.task = JM_TASK_SEGMENT, .extra = PROTOTYPES, .input_width = 96, .input_height = 72};
    const jm_placement p = {
        .scale_x = 1.7f, .scale_y = 1.9f, .offset_x = 3, .offset_y = 1, .width = WIDTH, .height = HEIGHT};
    static float prototype[PROTOTYPES * HIGH * WIDE], logit[HIGH * WIDE], coefficient[PROTOTYPES];
    jm_head_output output = {.name = "p", .shape = {4, {1, PROTOTYPES, HIGH, WIDE}}, .data = prototype};
    uint64_t inside = 0, all = 0;
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < JM_COUNT(prototype); i++) prototype[i] = random_float(-4, 4);
        for (int k = 0; k < PROTOTYPES; k++) coefficient[k] = random_float(-2, 2);
        jumar_box box = {random_float(0, WIDTH - 1), random_float(0, HEIGHT - 1), WIDTH, HEIGHT, 1, 0};
        box.x2 = box.x1 + (WIDTH - box.x1) * random_float(0, 1);
        box.y2 = box.y1 + (HEIGHT - box.y1) * random_float(0, 1);
        jumar_mask mask;
        static uint8_t pixel[WIDTH * HEIGHT];
        assert_ok(jm_mask_create(&head, &output, coefficient, &p, &box, logit, &mask));
        assert_int_equal(jumar_mask_pixels(&mask, WIDTH, HEIGHT, pixel), JUMAR_OK);
        uint64_t area = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                int want = slow_mask(&head, prototype, coefficient, &p, &box, x, y);
                area += pixel[y * WIDTH + x];
                if (want != 2 && pixel[y * WIDTH + x] != want)
                    fail_msg("round %d: (%d,%d) is not %d", round, x, y, want);
            }
        assert_int_equal(mask.area, area);
        for (size_t i = 1; i < mask.runs; i++) assert_true(mask.run[i] > 0);
        assert_int_equal(jumar_mask_pixels(&mask, WIDTH, HEIGHT + 1, pixel), JUMAR_INVALID_ARGUMENT);
        inside += area;
        all += WIDTH * HEIGHT;
        jm_free((void *)(uintptr_t)mask.run);
    }
    assert_true(inside > all / 50 && inside < all / 2);
}

static void masks_and_keypoints_belong_to_their_rows(void **state)
{
    (void)state;
    enum { N = 3, ROWS = 5 + 4 };
    /* [1, 4 + 1 + 4, N]: two keypoints of two values, or four coefficients. */
    static float data[ROWS * N], prototype[4 * 4] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < N; i++) data[(5 + k) * N + i] = (float)(10 * i + k) * (i == 1 ? -1 : 1);
    const jm_head_output output[] = {{.name = "o", .shape = {3, {1, ROWS, N}}, .data = data},
                                     {.name = "p", .shape = {4, {1, 4, 2, 2}}, .data = prototype}};
    jm_head head = {.kind = JM_HEAD_YOLOV8,
                    .task = JM_TASK_POSE,
                    .classes = 1,
                    .extra = 4,
                    .keypoints = 2,
                    .keypoint_values = 2,
                    .prototypes = 1,
                    .input_width = 50,
                    .input_height = 50};
    const jm_placement p = {.scale_x = 0.5f, .scale_y = 2, .offset_x = 2, .offset_y = 4, .width = 100, .height = 25};
    for (int task = JM_TASK_SEGMENT; task <= JM_TASK_POSE; task++) {
        /* The first box lies outside and goes. */
        jm_box box[] = {
            {-9, -9, 1, 1, 0.9f, 0, 0, 0}, {10, 10, 20, 20, 0.8f, 0, 0, 2}, {10, 10, 20, 20, 0.7f, 0, 0, 1}};
        jm_boxes boxes = {.box = box, .count = 3, .capacity = 3};
        jumar_results *r;
        head.task = (jm_task)task;
        assert_ok(jm_results_create(&head, output, &p, &boxes, &r));
        assert_int_equal(jumar_results_count(r), 2);
        if (task == JM_TASK_SEGMENT) {
            /* All coefficients of row 2 are positive: the whole box; of row 1 negative: nothing. */
            assert_int_equal(jumar_results_mask(r, 0)->area, 20 * 5);
            assert_int_equal(jumar_results_mask(r, 1)->area, 0);
        } else {
            assert_int_equal(jumar_results_keypoint_count(r), 2);
            const jumar_keypoint *point = jumar_results_keypoints(r, 0);
            const float want[] = {36, 8.5f, 1, 40, 9.5f, 1};
            for (int k = 0; k < 6; k++) assert_true(fabsf((&point->x)[k] - want[k]) < 1e-5f);
        }
        jumar_results_free(r);
    }
    /* Every allocation may fail. */
    for (uint64_t n = 1;; n++) {
        jm_box box[] = {{10, 10, 20, 20, 0.8f, 0, 0, 2}, {10, 10, 20, 20, 0.7f, 0, 0, 1}};
        jm_boxes boxes = {.box = box, .count = 2, .capacity = 2};
        jumar_results *r;
        head.task = JM_TASK_SEGMENT;
        jm_alloc_fail_at(n);
        jm_status status = jm_results_create(&head, output, &p, &boxes, &r);
        jm_alloc_fail_at(0);
        jumar_results_free(r);
        if (status == JM_OK) break;
        assert_int_equal(status, JM_OUT_OF_MEMORY);
        assert_null(r);
    }
}

/* ---- Classes ---- */

static void the_best_classes_come_first(void **state)
{
    (void)state;
    enum { CLASSES = 40 };
    float value[CLASSES];
    const jm_head head = {.kind = JM_HEAD_CLASSES, .task = JM_TASK_CLASSIFY, .classes = CLASSES};
    const jm_head_output output = {.name = "o", .shape = {2, {1, CLASSES}}, .data = value};
    for (int round = 0; round < 50; round++) {
        bool logits = round % 2;
        double sum = 0;
        for (int c = 0; c < CLASSES; c++) {
            value[c] = logits ? random_float(-5, 5) : random_float(0, 10) + 0.001f;
            sum += logits ? exp((double)value[c]) : (double)value[c];
        }
        for (int c = 0; c < CLASSES && !logits; c++) value[c] = (float)(value[c] / sum);
        jm_boxes best = {0};
        assert_ok(jm_head_classify(&head, &output, 5, &best));
        assert_int_equal(best.count, 5);
        bool taken[CLASSES] = {false};
        for (size_t k = 0; k < 5; k++) {
            int want = -1;
            for (int c = 0; c < CLASSES; c++)
                if (!taken[c] && (want < 0 || value[c] > value[want])) want = c;
            taken[want] = true;
            assert_int_equal(best.box[k].label, want);
            double score = logits ? exp((double)value[want]) / sum : (double)value[want];
            assert_true(fabs((double)best.box[k].score - score) < 1e-6);
        }
        jm_boxes_destroy(&best);
    }
    value[3] = NAN;
    jm_boxes best = {0};
    assert_error(jm_head_classify(&head, &output, 5, &best), JM_INVALID_ARGUMENT, "class 3 is not finite");
    jm_boxes_destroy(&best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_of_turned_boxes_is_that_of_polygons),
        cmocka_unit_test(turned_boxes_return_to_the_picture),
        cmocka_unit_test(masks_are_products_of_prototypes),
        cmocka_unit_test(masks_and_keypoints_belong_to_their_rows),
        cmocka_unit_test(the_best_classes_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
