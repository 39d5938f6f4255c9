/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <math.h>

#include "base/alloc.h"
#include "vision/detection.h"

static jm_shape shape3(int64_t a, int64_t b, int64_t c)
{
    return (jm_shape){3, {a, b, c}};
}

static jm_shape shape4(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return (jm_shape){4, {a, b, c, d}};
}

static const jm_head_hints no_hints;

/* ---- Which head ---- */

static void check_head(const jm_head_output *output, int outputs, int size, int labels, jm_head_kind kind, int classes)
{
    jm_head head;
    const jm_head_hints hints = {.labels = labels};
    assert_ok(jm_head_identify(output, outputs, size, size, &hints, &head));
    if (head.kind != kind) fail_msg("got '%s', want '%s'", jm_head_text(head.kind), jm_head_text(kind));
    assert_int_equal(head.classes, classes);
}

static void heads_are_recognised(void **state)
{
    (void)state;
    jm_head_output one = {.name = "output", .shape = shape3(1, 25200, 85)};
    check_head(&one, 1, 640, 0, JM_HEAD_YOLOV5, 80);
    one.shape = shape3(1, 84, 8400);
    check_head(&one, 1, 640, 0, JM_HEAD_YOLOV8, 80);
    one.shape = shape3(1, 5, 2100); /* one class at 320 */
    check_head(&one, 1, 320, 0, JM_HEAD_YOLOV8, 1);
    one.shape = shape3(1, 300, 6);
    check_head(&one, 1, 640, 0, JM_HEAD_END_TO_END, 0);
    one.shape = shape3(1, 3549, 85);
    check_head(&one, 1, 416, 0, JM_HEAD_YOLOX, 80);
    one.shape = shape3(1, 8400, 6);
    check_head(&one, 1, 640, 1, JM_HEAD_YOLOX, 1);
    one.shape = shape4(1, 85, 22, 22);
    check_head(&one, 1, 352, 0, JM_HEAD_FASTESTDET, 80);
    jm_head_output three[3] = {{.name = "a", .shape = shape4(1, 255, 20, 20)},
                               {.name = "b", .shape = shape4(1, 255, 80, 80)},
                               {.name = "c", .shape = shape4(1, 255, 40, 40)}};
    check_head(three, 3, 640, 0, JM_HEAD_ANCHORS, 80);
    jm_head head;
    assert_ok(jm_head_identify(three, 3, 640, 640, &no_hints, &head));
    assert_int_equal(head.scale_output[0], 1);
    assert_int_equal(head.scale_output[1], 2);
    assert_int_equal(head.scale_output[2], 0);
    for (int i = 0; i < 3; i++) three[i].shape.dim[1] = 144;
    check_head(three, 3, 640, 0, JM_HEAD_DFL, 80);
    check_head(three, 3, 640, 43, JM_HEAD_ANCHORS, 43);
    for (int i = 0; i < 3; i++) three[i].shape.dim[1] = 67;
    check_head(three, 3, 640, 0, JM_HEAD_DFL, 3);
    jm_head_output six[6];
    const int64_t cells[] = {2704, 676, 169};
    for (int i = 0; i < 6; i++)
        six[i] = (jm_head_output){.name = "x", .shape = shape3(1, cells[i % 3], i < 3 ? 80 : 32)};
    check_head(six, 6, 416, 0, JM_HEAD_NANODET, 80);
}

/* Tasks and families tell what shapes alone do not. */
static void check_hints(const jm_head_output *output, int outputs, int size, jm_head_hints hints, jm_head_kind kind,
                        jm_task task, int classes, int extra)
{
    jm_head head;
    assert_ok(jm_head_identify(output, outputs, size, size, &hints, &head));
    if (head.kind != kind) fail_msg("got '%s', want '%s'", jm_head_text(head.kind), jm_head_text(kind));
    assert_int_equal(head.task, task);
    assert_int_equal(head.classes, classes);
    assert_int_equal(head.extra, extra);
}

static void tasks_and_families_are_hints(void **state)
{
    (void)state;
    jm_head_output two[2] = {{.name = "rows", .shape = shape3(1, 116, 8400)},
                             {.name = "proto", .shape = shape4(1, 32, 160, 160)}};
    jm_head_hints segment = {.task = "segment"}, none = {0}, pose = {.task = "pose"}, turned = {.task = "obb"};
    check_hints(two, 2, 640, segment, JM_HEAD_YOLOV8, JM_TASK_SEGMENT, 80, 32);
    check_hints(two, 2, 640, none, JM_HEAD_YOLOV8, JM_TASK_SEGMENT, 80, 32);
    two[0].shape = shape3(1, 25200, 117);
    check_hints(two, 2, 640, none, JM_HEAD_YOLOV5, JM_TASK_SEGMENT, 80, 32);
    two[0].shape = shape3(1, 300, 38);
    check_hints(two, 2, 640, segment, JM_HEAD_END_TO_END, JM_TASK_SEGMENT, 0, 32);
    jm_head_output one = {.name = "rows", .shape = shape3(1, 56, 8400)};
    pose.keypoints = 17;
    pose.keypoint_values = 3;
    check_hints(&one, 1, 640, pose, JM_HEAD_YOLOV8, JM_TASK_POSE, 1, 51);
    one.shape = shape3(1, 300, 57);
    check_hints(&one, 1, 640, pose, JM_HEAD_END_TO_END, JM_TASK_POSE, 0, 51);
    one.shape = shape3(1, 20, 8400);
    check_hints(&one, 1, 640, turned, JM_HEAD_YOLOV8, JM_TASK_ORIENTED, 15, 1);
    one.shape = shape3(1, 300, 7);
    check_hints(&one, 1, 640, turned, JM_HEAD_END_TO_END, JM_TASK_ORIENTED, 0, 1);
    one.shape = (jm_shape){2, {1, 1000}};
    check_hints(&one, 1, 224, none, JM_HEAD_CLASSES, JM_TASK_CLASSIFY, 1000, 0);
    one.shape = shape4(1, 10, 1, 1);
    check_hints(&one, 1, 224, none, JM_HEAD_CLASSES, JM_TASK_CLASSIFY, 10, 0);

    jm_head_hints rtdetr = {.family = "rtdetr"}, v6 = {.family = "yolov6"}, coco = {.labels = 80};
    one.shape = shape3(1, 300, 84);
    check_hints(&one, 1, 640, none, JM_HEAD_RTDETR, JM_TASK_DETECT, 80, 0);
    check_hints(&one, 1, 640, coco, JM_HEAD_RTDETR, JM_TASK_DETECT, 80, 0);
    one.shape = shape3(1, 300, 6);
    check_hints(&one, 1, 640, rtdetr, JM_HEAD_RTDETR_BEST, JM_TASK_DETECT, 0, 0);
    one.shape = shape3(1, 8400, 85);
    check_hints(&one, 1, 640, none, JM_HEAD_YOLOX, JM_TASK_DETECT, 80, 0);
    check_hints(&one, 1, 640, v6, JM_HEAD_YOLOV5, JM_TASK_DETECT, 80, 0);
    one.shape = shape3(1, 2125, 112);
    check_hints(&one, 1, 320, none, JM_HEAD_NANODET_PLUS, JM_TASK_DETECT, 80, 0);

    two[0].shape = shape3(1, 8400, 4);
    two[1].shape = shape3(1, 8400, 80);
    check_hints(two, 2, 640, none, JM_HEAD_CORNERS, JM_TASK_DETECT, 80, 0);
    two[1].shape = shape3(1, 80, 8400);
    check_hints(two, 2, 640, none, JM_HEAD_CORNERS, JM_TASK_DETECT, 80, 0);
    two[0].shape = shape3(1, 8732, 4);
    two[1].shape = shape3(1, 8732, 21);
    check_hints(two, 2, 300, none, JM_HEAD_SSD, JM_TASK_DETECT, 20, 0);
    two[0].shape = shape4(1, 10647, 1, 4);
    two[1].shape = shape3(1, 10647, 80);
    check_hints(two, 2, 416, none, JM_HEAD_YOLOV4, JM_TASK_DETECT, 80, 0);

    jm_head_output maps[3] = {{.name = "a", .shape = shape4(1, 255, 26, 26)},
                              {.name = "b", .shape = shape4(1, 255, 13, 13)}};
    jm_head_hints tiny = {.family = "yolov4-tiny"};
    check_hints(maps, 2, 416, tiny, JM_HEAD_ANCHORS, JM_TASK_DETECT, 80, 0);
    for (int i = 0; i < 3; i++) maps[i] = (jm_head_output){.name = "m", .shape = {5, {1, 3, 80 >> i, 80 >> i, 85}}};
    check_hints(maps, 3, 640, none, JM_HEAD_ANCHORS, JM_TASK_DETECT, 80, 0);

    /* A pose model that does not say how many points, and two maps whose anchors nobody names. */
    jm_head head;
    one.shape = shape3(1, 56, 8400);
    jm_head_hints nameless = {.task = "pose"};
    assert_error(jm_head_identify(&one, 1, 640, 640, &nameless, &head), JM_UNSUPPORTED, "pose head");
    maps[0].shape = shape4(1, 255, 26, 26);
    maps[1].shape = shape4(1, 255, 13, 13);
    assert_error(jm_head_identify(maps, 2, 416, 416, &none, &head), JM_UNSUPPORTED, "--family");
}

static void other_outputs_are_refused(void **state)
{
    (void)state;
    jm_head head;
    jm_head_output one = {.name = "p", .shape = {2, {1, 1000}}};
    assert_error(jm_head_identify(&one, 1, 224, 224, &(jm_head_hints){.task = "segment"}, &head), JM_UNSUPPORTED,
                 "[1,1000]");
    assert_error(jm_head_identify(&one, 1, 224, 224, &(jm_head_hints){.task = "depth"}, &head), JM_UNSUPPORTED,
                 "task 'depth'");
    one.shape = shape3(2, 84, 8400);
    assert_error(jm_head_identify(&one, 1, 640, 640, &no_hints, &head), JM_UNSUPPORTED, "no known detection head");
    one.shape = shape3(1, 4, 4);
    assert_error(jm_head_identify(&one, 1, 640, 640, &no_hints, &head), JM_UNSUPPORTED, "640 x 640");
    assert_error(jm_head_identify(&one, 0, 640, 640, &no_hints, &head), JM_UNSUPPORTED, "no known");
    one.shape = shape3(1, -1, 85);
    assert_error(jm_head_identify(&one, 1, 640, 640, &no_hints, &head), JM_UNSUPPORTED, "?");
}

/* ---- Decoding: a known box is written the way each head says it, everything else is far below the threshold ---- */

enum { SIZE = 128 };
static const jm_box truth = {32.5f, 40.25f, 80.5f, 72.75f, 0.8f, 2, 0, 0};

static void check_truth(const jm_head *head, const jm_head_output *output, int label)
{
    jm_detect_options options = JM_DETECT_DEFAULTS;
    jm_boxes boxes = {0};
    assert_ok(jm_head_decode(head, output, &options, &boxes));
    assert_ok(jm_nms(&options, &boxes));
    assert_int_equal(boxes.count, 1);
    const jm_box *got = boxes.box;
    if (jm_box_iou(got, &truth) < 0.999f || fabsf(got->score - truth.score) > 1e-4f || got->label != label)
        fail_msg("%s: got (%g,%g,%g,%g) %g class %d", jm_head_text(head->kind), got->x1, got->y1, got->x2, got->y2,
                 got->score, got->label);
    /* A class that nobody asked for, and a threshold above the score. */
    boxes.count = 0;
    const int other[] = {label + 1, label + 2};
    options.label = other;
    options.labels = 2;
    assert_ok(jm_head_decode(head, output, &options, &boxes));
    assert_int_equal(boxes.count, 0);
    options.label = NULL;
    options.confidence = 0.81f;
    assert_ok(jm_head_decode(head, output, &options, &boxes));
    assert_int_equal(boxes.count, 0);
    jm_boxes_destroy(&boxes);
}

static float inverse_sigmoid(float p)
{
    return logf(p / (1 - p));
}

static void centre_heads_decode(void **state)
{
    (void)state;
    enum { CLASSES = 3, GRID = 16 * 16 + 8 * 8 + 4 * 4 };
    float cx = (truth.x1 + truth.x2) / 2, cy = (truth.y1 + truth.y2) / 2, w = truth.x2 - truth.x1,
          h = truth.y2 - truth.y1;
    static float data[3 * GRID * 8];
    jm_head head;

    jm_head_output output = {.name = "output", .shape = shape3(1, 3 * GRID, 5 + CLASSES), .data = data};
    const float v5[] = {cx, cy, w, h, 0.9f, 0.1f, 0.2f, 0.8f / 0.9f};
    memcpy(data + 500 * 8, v5, sizeof v5);
    assert_ok(jm_head_identify(&output, 1, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, &output, 2);

    memset(data, 0, sizeof data);
    output.shape = shape3(1, 4 + CLASSES, GRID);
    const float v8[] = {cx, cy, w, h, 0.1f, 0.2f, 0.8f};
    for (int i = 0; i < 7; i++) data[i * GRID + 77] = v8[i];
    assert_ok(jm_head_identify(&output, 1, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, &output, 2);

    memset(data, 0, sizeof data);
    output.shape = shape3(1, 100, 6);
    const float v10[] = {truth.x1, truth.y1, truth.x2, truth.y2, 0.8f, 2};
    memcpy(data + 6 * 7, v10, sizeof v10);
    assert_ok(jm_head_identify(&output, 1, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, &output, 2);

    /* YOLOX: cell (5, 2) of stride 16 is number 16*16 + 2*8 + 5. */
    memset(data, 0, sizeof data);
    output.shape = shape3(1, GRID, 5 + CLASSES);
    const float x[] = {cx / 16 - 5, cy / 16 - 2, logf(w / 16), logf(h / 16), 0.9f, 0, 0, 0.8f / 0.9f};
    memcpy(data + (16 * 16 + 2 * 8 + 5) * 8, x, sizeof x);
    assert_ok(jm_head_identify(&output, 1, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, &output, 2);
}

static void raw_heads_decode(void **state)
{
    (void)state;
    enum { CLASSES = 3 };
    float cx = (truth.x1 + truth.x2) / 2, cy = (truth.y1 + truth.y2) / 2, w = truth.x2 - truth.x1,
          h = truth.y2 - truth.y1;
    static float map[3][70 * 256];
    jm_head_output output[3];
    jm_head head;

    /* Anchors: anchor 1 (62, 45) of stride 16 in cell (3, 3); everything else far below zero. */
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 70 * 256; i++) map[s][i] = -20;
        output[s] =
            (jm_head_output){.name = "m", .shape = shape4(1, 3 * (5 + CLASSES), 16 >> s, 16 >> s), .data = map[s]};
    }
    float *cell = map[1] + 8 * 64 + (3 * 8 + 3);
    const float a[] = {inverse_sigmoid((cx / 16 - 3 + 0.5f) / 2),
                       inverse_sigmoid((cy / 16 - 3 + 0.5f) / 2),
                       inverse_sigmoid(sqrtf(w / 62) / 2),
                       inverse_sigmoid(sqrtf(h / 45) / 2),
                       inverse_sigmoid(0.9f),
                       -20,
                       -20,
                       inverse_sigmoid(0.8f / 0.9f)};
    /* Anchor 1 of stride 16 is (62, 45); anchor 0 is (30, 61). */
    for (int i = 0; i < 8; i++) cell[i * 64] = a[i];
    head = (jm_head){.kind = JM_HEAD_ANCHORS,
                     .classes = CLASSES,
                     .input_width = SIZE,
                     .input_height = SIZE,
                     .scales = 3,
                     .scale_output = {0, 1, 2},
                     .anchors = jm_anchors_find("yolo")};
    check_truth(&head, output, 2);

    /* DFL: each side is a mix of two neighbouring bins. */
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 70 * 256; i++) map[s][i] = -20;
        output[s].shape = shape4(1, 64 + CLASSES, 16 >> s, 16 >> s);
    }
    cell = map[1] + (3 * 8 + 3);
    const float side[] = {3.5f - truth.x1 / 16, 3.5f - truth.y1 / 16, truth.x2 / 16 - 3.5f, truth.y2 / 16 - 3.5f};
    for (int k = 0; k < 4; k++) {
        int bin = (int)side[k];
        float part = side[k] - (float)bin;
        cell[(k * 16 + bin) * 64] = logf(1 - part + 1e-9f) + 8;
        cell[(k * 16 + bin + 1) * 64] = logf(part + 1e-9f) + 8;
    }
    cell[(64 + 2) * 64] = inverse_sigmoid(0.8f);
    assert_ok(jm_head_identify(output, 3, SIZE, SIZE, &(jm_head_hints){.labels = CLASSES}, &head));
    assert_int_equal(head.kind, JM_HEAD_DFL);
    check_truth(&head, output, 2);
}

/* Anchor 1 of the second map, in cell (3, 3), as x, y, w, h, objectness, classes. */
static void check_family_anchors(const char *family, int scales, bool split)
{
    enum { CLASSES = 3, VALUES = 5 + CLASSES };
    static float map[3][3 * VALUES * 256];
    jm_head_output output[3];
    const jm_anchors *anchors = jm_anchors_find(family);
    int cells = scales == 2 ? 8 : 16; /* of the first map */
    float stride = (float)SIZE / (float)(cells / 2);
    float cx = (truth.x1 + truth.x2) / 2 / stride, cy = (truth.y1 + truth.y2) / 2 / stride;
    int gx = (int)cx, gy = (int)cy, n = cells / 2;
    float w = (truth.x2 - truth.x1) / anchors->size[1][1][0], h = (truth.y2 - truth.y1) / anchors->size[1][1][1];
    cx -= (float)gx;
    cy -= (float)gy;
    bool d = anchors->darknet;
    const float v[VALUES] = {inverse_sigmoid(d ? cx : (cx + 0.5f) / 2),
                             inverse_sigmoid(d ? cy : (cy + 0.5f) / 2),
                             d ? logf(w) : inverse_sigmoid(sqrtf(w) / 2),
                             d ? logf(h) : inverse_sigmoid(sqrtf(h) / 2),
                             inverse_sigmoid(0.9f),
                             -20,
                             -20,
                             inverse_sigmoid(0.8f / 0.9f)};
    for (int s = 0; s < scales; s++) {
        for (int i = 0; i < 3 * VALUES * 256; i++) map[s][i] = -20;
        int side = cells >> s;
        output[s] = (jm_head_output){.name = "m", .data = map[s]};
        output[s].shape = split ? (jm_shape){5, {1, 3, side, side, VALUES}} : shape4(1, 3 * VALUES, side, side);
    }
    for (int k = 0; k < VALUES; k++) {
        int cell = gy * n + gx;
        map[1][split ? (n * n + cell) * VALUES + k : (VALUES + k) * n * n + cell] = v[k];
    }
    jm_head head;
    const jm_head_hints hints = {.family = family, .labels = CLASSES};
    assert_ok(jm_head_identify(output, scales, SIZE, SIZE, &hints, &head));
    check_truth(&head, output, 2);
}

static void anchors_of_each_family_decode(void **state)
{
    (void)state;
    for (int split = 0; split < 2; split++) {
        check_family_anchors("yolo", 3, split);
        check_family_anchors("yolov7", 3, split);
        check_family_anchors("yolov3", 3, split);
        check_family_anchors("yolov4", 3, split);
        check_family_anchors("yolov3-tiny", 2, split);
        check_family_anchors("yolov4-tiny", 2, split);
    }
}

static void selected_and_corner_heads_decode(void **state)
{
    (void)state;
    enum { CLASSES = 3, N = 1600 };
    float cx = (truth.x1 + truth.x2) / 2 / SIZE, cy = (truth.y1 + truth.y2) / 2 / SIZE;
    float w = (truth.x2 - truth.x1) / SIZE, h = (truth.y2 - truth.y1) / SIZE;
    static float rows[N * 40], boxes[N * 4], classes[N * (CLASSES + 1)];
    jm_head head;
    jm_head_output one = {.name = "o", .shape = shape3(1, 300, 4 + CLASSES), .data = rows};
    const jm_head_hints rtdetr = {.family = "rtdetr"}, labels = {.labels = CLASSES}, none = {0};

    const float r[] = {cx, cy, w, h, 0, 0.1f, 0.8f};
    memcpy(rows + 40 * 7, r, sizeof r);
    assert_ok(jm_head_identify(&one, 1, SIZE, SIZE, &labels, &head));
    assert_int_equal(head.kind, JM_HEAD_RTDETR);
    check_truth(&head, &one, 2);
    memset(rows, 0, sizeof rows);
    const float best[] = {cx, cy, w, h, 0.8f, 2};
    memcpy(rows + 40 * 6, best, sizeof best);
    one.shape = shape3(1, 300, 6);
    assert_ok(jm_head_identify(&one, 1, SIZE, SIZE, &rtdetr, &head));
    check_truth(&head, &one, 2);

    /* NanoDet-Plus: cell (3, 3) of stride 16 begins at (48, 48). */
    memset(rows, 0, sizeof rows);
    one.shape = shape3(1, 340, CLASSES + 32);
    float *row = rows + (256 + 3 * 8 + 3) * (CLASSES + 32);
    row[2] = 0.8f;
    const float side[] = {3 - truth.x1 / 16, 3 - truth.y1 / 16, truth.x2 / 16 - 3, truth.y2 / 16 - 3};
    for (int k = 0; k < 4; k++) {
        float *bins = row + CLASSES + k * 8;
        int bin = (int)side[k];
        for (int b = 0; b < 8; b++) bins[b] = -30;
        bins[bin] = logf(1 - side[k] + (float)bin + 1e-9f);
        bins[bin + 1] = logf(side[k] - (float)bin + 1e-9f);
    }
    assert_ok(jm_head_identify(&one, 1, SIZE, SIZE, &labels, &head));
    assert_int_equal(head.kind, JM_HEAD_NANODET_PLUS);
    check_truth(&head, &one, 2);

    /* Corners in pixels, classes in either order: one box a cell. */
    jm_head_output two[2] = {{.name = "b", .shape = shape3(1, 336, 4), .data = boxes},
                             {.name = "c", .shape = shape3(1, 336, CLASSES), .data = classes}};
    memcpy(boxes + 4 * 9, &truth.x1, 4 * sizeof(float));
    classes[9 * CLASSES + 2] = 0.8f;
    assert_ok(jm_head_identify(two, 2, SIZE, SIZE, &none, &head));
    check_truth(&head, two, 2);
    memset(classes, 0, sizeof classes);
    classes[2 * 336 + 9] = 0.8f;
    two[1].shape = shape3(1, CLASSES, 336);
    assert_ok(jm_head_identify(two, 2, SIZE, SIZE, &none, &head));
    check_truth(&head, two, 2);

    /* SSD: parts of the input, background first; and YOLOv4's, three boxes a cell. */
    memset(classes, 0, sizeof classes);
    for (int k = 0; k < 4; k++) boxes[4 * 9 + k] = (&truth.x1)[k] / SIZE;
    two[0].shape = shape3(1, N, 4);
    two[1].shape = shape3(1, N, CLASSES + 1); /* four as well: the name decides */
    assert_error(jm_head_identify(two, 2, SIZE, SIZE, &none, &head), JM_UNSUPPORTED, "no known");
    two[0].name = "boxes";
    for (int i = 0; i < N; i++) classes[i * (CLASSES + 1)] = 1;
    classes[9 * (CLASSES + 1)] = 0.2f;
    classes[9 * (CLASSES + 1) + 1 + 2] = 0.8f;
    assert_ok(jm_head_identify(two, 2, SIZE, SIZE, &none, &head));
    assert_int_equal(head.kind, JM_HEAD_SSD);
    check_truth(&head, two, 2);
    memset(classes, 0, sizeof classes);
    classes[9 * CLASSES + 2] = 0.8f;
    two[0].shape = shape4(1, 1008, 1, 4);
    two[1].shape = shape3(1, 1008, CLASSES);
    assert_ok(jm_head_identify(two, 2, SIZE, SIZE, &none, &head));
    assert_int_equal(head.kind, JM_HEAD_YOLOV4);
    check_truth(&head, two, 2);
}

static void small_net_heads_decode(void **state)
{
    (void)state;
    float cx = (truth.x1 + truth.x2) / 2, cy = (truth.y1 + truth.y2) / 2, w = truth.x2 - truth.x1,
          h = truth.y2 - truth.y1;
    jm_head head;

    /* FastestDet, 8 x 8 cells: cell (3, 3). */
    static float map[8 * 64];
    jm_head_output one = {.name = "o", .shape = shape4(1, 8, 8, 8), .data = map};
    float *cell = map + 3 * 8 + 3;
    cell[0] = 0.8f;
    cell[64] = atanhf(cx / SIZE * 8 - 3);
    cell[2 * 64] = atanhf(cy / SIZE * 8 - 3);
    cell[3 * 64] = inverse_sigmoid(w / SIZE);
    cell[4 * 64] = inverse_sigmoid(h / SIZE);
    cell[7 * 64] = 0.8f;
    assert_ok(jm_head_identify(&one, 1, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, &one, 2);

    /* NanoDet: cell (3, 3) of stride 16, 8 bins a side. */
    static float classes[3][256 * 3], distance[3][256 * 32];
    jm_head_output six[6];
    for (int s = 0; s < 3; s++) {
        int64_t cells = (16 >> s) * (16 >> s);
        six[2 * s] = (jm_head_output){.name = "c", .shape = shape3(1, cells, 3), .data = classes[s]};
        six[2 * s + 1] = (jm_head_output){.name = "d", .shape = shape3(1, cells, 32), .data = distance[s]};
    }
    classes[1][(3 * 8 + 3) * 3 + 2] = 0.8f;
    const float side[] = {3.5f - truth.x1 / 16, 3.5f - truth.y1 / 16, truth.x2 / 16 - 3.5f, truth.y2 / 16 - 3.5f};
    for (int k = 0; k < 4; k++) {
        float *bins = distance[1] + (3 * 8 + 3) * 32 + k * 8;
        int bin = (int)side[k];
        for (int b = 0; b < 8; b++) bins[b] = -30;
        bins[bin] = logf(1 - side[k] + (float)bin + 1e-9f);
        bins[bin + 1] = logf(side[k] - (float)bin + 1e-9f);
    }
    assert_ok(jm_head_identify(six, 6, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, six, 2);

    /* YuNet: one class, cell (3, 3) of stride 16. */
    static float value[12][256 * 10];
    static const char *const names[12] = {"cls_8",  "cls_16",  "cls_32",  "obj_8", "obj_16", "obj_32",
                                          "bbox_8", "bbox_16", "bbox_32", "kps_8", "kps_16", "kps_32"};
    static const int64_t columns[4] = {1, 1, 4, 10};
    jm_head_output twelve[12];
    for (int i = 0; i < 12; i++)
        twelve[i] = (jm_head_output){
            .name = names[i], .shape = shape3(1, (16 >> i % 3) * (16 >> i % 3), columns[i / 3]), .data = value[i]};
    value[1][3 * 8 + 3] = value[4][3 * 8 + 3] = 0.8f;
    const float box[] = {cx / 16 - 3, cy / 16 - 3, logf(w / 16), logf(h / 16)};
    memcpy(value[7] + (3 * 8 + 3) * 4, box, sizeof box);
    assert_ok(jm_head_identify(twelve, 12, SIZE, SIZE, &no_hints, &head));
    check_truth(&head, twelve, 0);
}

static void values_that_are_not_finite_are_dropped(void **state)
{
    (void)state;
    static float data[300 * 6];
    for (int i = 0; i < 300 * 6; i++) data[i] = i % 3 ? NAN : INFINITY;
    jm_head_output output = {.name = "o", .shape = shape3(1, 300, 6), .data = data};
    jm_head head;
    jm_boxes boxes = {0};
    jm_detect_options options = JM_DETECT_DEFAULTS;
    assert_ok(jm_head_identify(&output, 1, 640, 640, &no_hints, &head));
    assert_ok(jm_head_decode(&head, &output, &options, &boxes));
    assert_int_equal(boxes.count, 0);
    jm_boxes_destroy(&boxes);
}

/* ---- NMS ---- */

/* The definition: take the best remaining box, remove what overlaps it, again. */
static size_t slow_nms(jm_box *box, size_t count, float iou, bool agnostic, jm_box *kept)
{
    static bool gone[500];
    memset(gone, 0, sizeof gone);
    size_t n = 0;
    for (;;) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if (!gone[i] && (best == count || box[i].score > box[best].score)) best = i;
        if (best == count) return n;
        kept[n++] = box[best];
        for (size_t i = 0; i < count; i++)
            if (!gone[i] && (agnostic || box[i].label == box[best].label) && jm_box_iou(&box[i], &box[best]) > iou)
                gone[i] = true;
        gone[best] = true;
    }
}

static void nms_follows_its_definition(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        jm_box box[200], kept[200];
        size_t count = (size_t)test_random_int(0, 200);
        for (size_t i = 0; i < count; i++) {
            float x = (float)test_random_int(0, 60), y = (float)test_random_int(0, 60);
            box[i] = (jm_box){x,
                              y,
                              x + (float)test_random_int(1, 40),
                              y + (float)test_random_int(1, 40),
                              (float)test_random_int(0, 50) / 50,
                              (int)test_random_int(0, 2),
                              0,
                              0};
        }
        jm_detect_options options = JM_DETECT_DEFAULTS;
        options.agnostic = round % 2;
        jm_boxes boxes = {0};
        assert_ok(jm_array_reserve(&boxes.box, &boxes.capacity, count + 1, sizeof *boxes.box));
        memcpy(boxes.box, box, count * sizeof *box);
        boxes.count = count;
        size_t want = slow_nms(box, count, options.iou, options.agnostic, kept);
        assert_ok(jm_nms(&options, &boxes));
        assert_int_equal(boxes.count, want);
        assert_memory_equal(boxes.box, kept, want * sizeof *kept);
        options.limit = 1;
        assert_ok(jm_nms(&options, &boxes));
        assert_int_equal(boxes.count, want ? 1 : 0);
        jm_boxes_destroy(&boxes);
    }
}

static void boxes_return_to_the_picture(void **state)
{
    (void)state;
    jm_box box[] = {{30, 20, 50, 60, 1, 0, 0, 0}, {-500, -500, 500, 500, 1, 0, 0, 0}, {0, 0, 9, 9, 1, 0, 0, 0}};
    jm_boxes boxes = {.box = box, .count = 3, .capacity = 3};
    jm_placement placement = {
        .scale_x = 0.5f, .scale_y = 0.25f, .offset_x = 10, .offset_y = 20, .width = 100, .height = 200};
    jm_boxes_to_picture(&placement, &boxes);
    assert_int_equal(boxes.count, 2); /* the third lies in the padding */
    const float want[] = {40, 0, 80, 160, 0, 0, 100, 200};
    for (int i = 0; i < 8; i++) assert_true((&box[i / 4].x1)[i % 4] == want[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_and_families_are_hints),
        cmocka_unit_test(anchors_of_each_family_decode),
        cmocka_unit_test(selected_and_corner_heads_decode),
        cmocka_unit_test(heads_are_recognised),
        cmocka_unit_test(other_outputs_are_refused),
        cmocka_unit_test(centre_heads_decode),
        cmocka_unit_test(raw_heads_decode),
        cmocka_unit_test(small_net_heads_decode),
        cmocka_unit_test(values_that_are_not_finite_are_dropped),
        cmocka_unit_test(nms_follows_its_definition),
        cmocka_unit_test(boxes_return_to_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
