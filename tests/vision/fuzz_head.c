/* SPDX-License-Identifier: Apache-2.0
 *
 * Outputs of any shape and value become results or an error. The input: a byte each for the number of outputs, the side
 * of the model's input / 8, task, family, labels, keypoints and their values; then for each output its rank and two
 * bytes for each dimension after the first, which is 1; the rest, repeated, are the values.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "vision/results.h"

enum { OUTPUTS = 8, ELEMENTS = 60000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static float value_of(uint8_t byte)
{
    if (byte == 255) return NAN;
    if (byte == 254) return INFINITY;
    if (byte == 253) return 3e30f;
    return ((float)byte - 100) / 32;
}

static void use(const jm_head *head, const jm_head_output *output)
{
    const jm_placement placement = {.scale_x = 0.7f, .scale_y = 0.7f, .offset_y = 3, .width = 90, .height = 61};
    jm_detect_options options = JM_DETECT_DEFAULTS;
    options.limit = 20;
    jm_boxes boxes = {0};
    jumar_results *results = NULL;
    jm_status status = head->task == JM_TASK_CLASSIFY ? jm_head_classify(head, output, 5, &boxes)
                                                      : jm_head_decode(head, output, &options, &boxes);
    if (status == JM_OK && head->task != JM_TASK_CLASSIFY) status = jm_nms(&options, &boxes);
    if (status == JM_OK) status = jm_results_create(head, output, &placement, &boxes, &results);
    if ((status == JM_OK) != (results != NULL)) abort();
    for (size_t i = 0; i < jumar_results_count(results); i++) {
        const jumar_box *box = jumar_results_box(results, i);
        if (!(box->x1 >= 0 && box->x2 <= 90 && box->y1 >= 0 && box->y2 <= 61)) abort();
        const jumar_mask *mask = jumar_results_mask(results, i);
        uint64_t pixels = 0;
        for (size_t k = 0; mask && k < mask->runs; k++) pixels += mask->run[k];
        if (mask && pixels != 90 * 61) abort();
    }
    jumar_results_free(results);
    jm_boxes_destroy(&boxes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const tasks[] = {NULL, "detect", "segment", "pose", "obb", "classify"};
    static const char *const families[] = {NULL,     "yolo",   "yolov3", "yolov3-tiny", "yolov4", "yolov4-tiny",
                                           "yolov6", "yolov7", "yolox",  "rtdetr",      "ssd",    "damo"};
    if (size < 8) return 0;
    int outputs = 1 + data[0] % OUTPUTS, side = 8 * data[1];
    const jm_head_hints hints = {.task = tasks[data[2] % JM_COUNT(tasks)],
                                 .family = families[data[3] % JM_COUNT(families)],
                                 .labels = data[4],
                                 .keypoints = data[5],
                                 .keypoint_values = data[6]};
    jm_head_output output[OUTPUTS];
    int64_t all = 0;
    size_t at = 7;
    for (int i = 0; i < outputs; i++) {
        output[i] = (jm_head_output){.name = i % 2 ? "boxes" : "scores"};
        if (at >= size) return 0;
        jm_shape *shape = &output[i].shape;
        shape->rank = 1 + data[at++] % 5;
        shape->dim[0] = 1;
        for (int k = 1; k < shape->rank; k++, at += 2) {
            if (at + 2 > size) return 0;
            shape->dim[k] = data[at] + 256 * (data[at + 1] & 63);
        }
        int64_t count;
        if (jm_shape_count(shape, &count) != JM_OK || (all += count) > ELEMENTS) return 0;
    }
    static float value[ELEMENTS + 1];
    for (int64_t i = 0; i < all; i++) value[i] = at < size ? value_of(data[at + (size_t)i % (size - at)]) : 0;
    const float *next = value;
    for (int i = 0; i < outputs; i++) {
        int64_t count = 0;
        if (jm_shape_count(&output[i].shape, &count) != JM_OK) abort();
        output[i].data = next;
        next += count;
    }
    jm_head head;
    if (jm_head_identify(output, outputs, side, side, &hints, &head) == JM_OK) use(&head, output);
    return 0;
}
