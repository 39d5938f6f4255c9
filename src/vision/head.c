/* SPDX-License-Identifier: Apache-2.0
 *
 * Which head a model has: decided from the shapes of its outputs.
 */
#include "vision/detection.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

const char *jm_head_text(jm_head_kind kind)
{
    static const char *const text[] = {
#define JM_HEAD_TEXT(name, words) words,
        JM_HEAD_LIST(JM_HEAD_TEXT)
#undef JM_HEAD_TEXT
    };
    return (unsigned)kind < JM_COUNT(text) ? text[kind] : "unknown";
}

const char *jm_head_family(const jm_head *head)
{
    switch (head->kind) {
    case JM_HEAD_YOLOX:
        return "yolox";
    case JM_HEAD_NANODET:
        return "nanodet";
    case JM_HEAD_FASTESTDET:
        return "fastestdet";
    case JM_HEAD_YUNET:
        return "yunet";
    default:
        return "yolo";
    }
}

/* Cells of the feature maps of strides 8, 16, ... (`scales` of them). */
static int64_t grid_cells(const jm_head *head, int scales)
{
    int64_t cells = 0;
    for (int s = 0, stride = 8; s < scales; s++, stride *= 2)
        cells += (int64_t)((head->input_width + stride - 1) / stride) * ((head->input_height + stride - 1) / stride);
    return cells;
}

static bool is_grid(const jm_head *head, int64_t n, int64_t per_cell)
{
    return n == per_cell * grid_cells(head, 3) || n == per_cell * grid_cells(head, 4);
}

/* One output of rank 3. */
static bool identify_rows(const jm_shape *shape, jm_head *head)
{
    int64_t rows = shape->dim[1], columns = shape->dim[2];
    if (columns == 6 && rows <= 1000 && !is_grid(head, rows, 1) && !is_grid(head, rows, 3)) {
        head->kind = JM_HEAD_END_TO_END;
        head->classes = 0;
    } else if (columns >= 6 && is_grid(head, rows, 1)) {
        head->kind = JM_HEAD_YOLOX;
        head->classes = (int)columns - 5;
        head->scales = rows == grid_cells(head, 4) ? 4 : 3;
    } else if (rows >= 5 && (is_grid(head, columns, 1) || columns > rows)) {
        head->kind = JM_HEAD_YOLOV8;
        head->classes = (int)rows - 4;
    } else if (columns >= 6) {
        head->kind = JM_HEAD_YOLOV5;
        head->classes = (int)columns - 5;
    } else {
        return false;
    }
    return true;
}

/* Every output is a feature map [1,channels,h,w] of one channel count; largest map first. */
static bool identify_maps(const jm_head_output *output, int outputs, int labels, jm_head *head)
{
    int64_t channels = output[0].shape.dim[1];
    if (outputs > JM_HEAD_SCALES) return false;
    for (int i = 0; i < outputs; i++) {
        const jm_shape *shape = &output[i].shape;
        if (shape->rank != 4 || shape->dim[0] != 1 || shape->dim[1] != channels || shape->dim[2] < 1 ||
            shape->dim[3] < 1)
            return false;
        int at = i;
        for (; at > 0 && output[head->scale_output[at - 1]].shape.dim[2] < shape->dim[2]; at--)
            head->scale_output[at] = head->scale_output[at - 1];
        head->scale_output[at] = i;
    }
    head->scales = outputs;
    if (outputs == 1 && channels >= 6) {
        head->kind = JM_HEAD_FASTESTDET;
        head->classes = (int)channels - 5;
        return true;
    }
    /* 255 = 3 * (5 + 80) and 144 = 64 + 80 are both possible readings of many numbers: the count of labels, else the
     * usual 80 classes, else divisibility decides. */
    bool anchors = channels % 3 == 0 && channels >= 18, dfl = channels > 64;
    int64_t classes = labels ? labels : 80;
    if (anchors && dfl) {
        if (channels == 64 + classes)
            anchors = false;
        else
            dfl = false;
    }
    head->kind = anchors ? JM_HEAD_ANCHORS : JM_HEAD_DFL;
    head->classes = (int)(anchors ? channels / 3 - 5 : channels - 64);
    return (anchors && outputs == 3) || dfl;
}

/* Pairs of classes [1,n,C] and distances [1,n,32], largest n first. */
static bool identify_nanodet(const jm_head_output *output, int outputs, jm_head *head)
{
    if (outputs % 2 || outputs / 2 > JM_HEAD_SCALES) return false;
    int classes_found = 0, boxes_found = 0;
    head->classes = 0;
    for (int i = 0; i < outputs; i++) {
        const jm_shape *shape = &output[i].shape;
        if (shape->rank != 3 || shape->dim[0] != 1) return false;
        bool is_box = shape->dim[2] == 32;
        if (!is_box && head->classes && head->classes != shape->dim[2]) return false;
        if (!is_box) head->classes = (int)shape->dim[2];
        if ((is_box ? boxes_found : classes_found) == JM_HEAD_SCALES) return false;
        int *list = is_box ? head->box_output : head->scale_output;
        int at = is_box ? boxes_found++ : classes_found++;
        for (; at > 0 && output[list[at - 1]].shape.dim[1] < shape->dim[1]; at--) list[at] = list[at - 1];
        list[at] = i;
    }
    if (classes_found != boxes_found) return false;
    head->scales = classes_found;
    head->kind = JM_HEAD_NANODET;
    for (int s = 0, stride = 8; s < head->scales; s++, stride *= 2) {
        int64_t cells =
            (int64_t)((head->input_width + stride - 1) / stride) * ((head->input_height + stride - 1) / stride);
        if (output[head->scale_output[s]].shape.dim[1] != cells || output[head->box_output[s]].shape.dim[1] != cells)
            return false;
    }
    return true;
}

static int find_output(const jm_head_output *output, int outputs, const char *prefix, int stride)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%d", prefix, stride);
    for (int i = 0; i < outputs; i++)
        if (strcmp(output[i].name, name) == 0) return i;
    return -1;
}

static bool identify_yunet(const jm_head_output *output, int outputs, jm_head *head)
{
    if (outputs != 12) return false;
    for (int s = 0, stride = 8; s < 3; s++, stride *= 2) {
        head->scale_output[s] = find_output(output, outputs, "cls", stride);
        head->object_output[s] = find_output(output, outputs, "obj", stride);
        head->box_output[s] = find_output(output, outputs, "bbox", stride);
        if (head->scale_output[s] < 0 || head->object_output[s] < 0 || head->box_output[s] < 0) return false;
        int64_t cells = (int64_t)(head->input_width / stride) * (head->input_height / stride);
        const jm_shape *cls = &output[head->scale_output[s]].shape, *obj = &output[head->object_output[s]].shape;
        const jm_shape *box = &output[head->box_output[s]].shape;
        if (cls->rank != 3 || obj->rank != 3 || box->rank != 3 || cls->dim[1] != cells || obj->dim[1] != cells ||
            box->dim[1] != cells || box->dim[2] != 4 || cls->dim[2] != 1 || obj->dim[2] != 1)
            return false;
    }
    head->kind = JM_HEAD_YUNET;
    head->scales = 3;
    head->classes = 1;
    return true;
}

jm_status jm_head_identify(const jm_head_output *output, int outputs, int input_width, int input_height, int labels,
                           jm_head *head)
{
    *head = (jm_head){.input_width = input_width, .input_height = input_height};
    bool known = false, sane = outputs >= 1 && input_width >= 1 && input_height >= 1;
    for (int i = 0; i < outputs; i++) {
        int64_t count;
        sane = sane && output[i].shape.rank >= 1 && output[i].shape.dim[0] == 1 &&
               jm_shape_count(&output[i].shape, &count) == JM_OK;
    }
    if (sane && outputs == 1 && output[0].shape.rank == 3)
        known = identify_rows(&output[0].shape, head);
    else if (sane && output[0].shape.rank == 4)
        known = identify_maps(output, outputs, labels, head);
    else if (sane)
        known = identify_yunet(output, outputs, head) || identify_nanodet(output, outputs, head);
    if (known && head->classes >= 0) return JM_OK;

    char list[512] = "", text[JM_SHAPE_TEXT];
    size_t used = 0;
    for (int i = 0; i < outputs && used + 64 < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", i ? " " : "",
                                 jm_shape_text(&output[i].shape, text));
    return jm_error(JM_UNSUPPORTED,
                    "no known detection head has outputs %s for a %d x %d input; use `jumar run` for the raw tensors",
                    list, input_width, input_height);
}
