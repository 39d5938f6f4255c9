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

static const char *const task_names[] = {"detect", "segment", "pose", "obb", "classify"};

const char *jm_task_name(jm_task task)
{
    return (unsigned)task < JM_COUNT(task_names) ? task_names[task] : "unknown";
}

const char *jm_head_family(const jm_head *head)
{
    switch (head->kind) {
    case JM_HEAD_YOLOX:
        return "yolox";
    case JM_HEAD_NANODET:
        return head->scales == 4 ? "picodet" : "nanodet";
    case JM_HEAD_NANODET_PLUS:
        return "nanodet";
    case JM_HEAD_FASTESTDET:
        return "fastestdet";
    case JM_HEAD_YUNET:
        return "yunet";
    case JM_HEAD_RTDETR:
    case JM_HEAD_RTDETR_BEST:
        return "rtdetr";
    case JM_HEAD_CORNERS:
        return "damo";
    case JM_HEAD_SSD:
        return "ssd";
    case JM_HEAD_YOLOV4:
        return "yolov4";
    case JM_HEAD_CLASSES:
        return "imagenet";
    case JM_HEAD_ANCHORS:
        return head->anchors->family;
    case JM_HEAD_YOLOV5:
    case JM_HEAD_YOLOV8:
    case JM_HEAD_END_TO_END:
    case JM_HEAD_DFL:
        break;
    }
    return "yolo";
}

/* ---- Anchors ---- */

/* From the published configurations of each network. The first entry is the default of three maps. */
static const jm_anchors anchors[] = {
    {"yolo",
     3,
     false,
     {{{10, 13}, {16, 30}, {33, 23}}, {{30, 61}, {62, 45}, {59, 119}}, {{116, 90}, {156, 198}, {373, 326}}}},
    {"yolov7",
     3,
     false,
     {{{12, 16}, {19, 36}, {40, 28}}, {{36, 75}, {76, 55}, {72, 146}}, {{142, 110}, {192, 243}, {459, 401}}}},
    {"yolov3",
     3,
     true,
     {{{10, 13}, {16, 30}, {33, 23}}, {{30, 61}, {62, 45}, {59, 119}}, {{116, 90}, {156, 198}, {373, 326}}}},
    {"yolov3-tiny", 2, true, {{{10, 14}, {23, 27}, {37, 58}}, {{81, 82}, {135, 169}, {344, 319}}}},
    {"yolov4",
     3,
     true,
     {{{12, 16}, {19, 36}, {40, 28}}, {{36, 75}, {76, 55}, {72, 146}}, {{142, 110}, {192, 243}, {459, 401}}}},
    {"yolov4-tiny", 2, true, {{{23, 27}, {37, 58}, {81, 82}}, {{81, 82}, {135, 169}, {344, 319}}}},
};

const jm_anchors *jm_anchors_find(const char *family)
{
    for (size_t i = 0; family && i < JM_COUNT(anchors); i++)
        if (strcmp(anchors[i].family, family) == 0) return &anchors[i];
    return NULL;
}

/* ---- Shapes ---- */

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

static bool is_family(const jm_head_hints *hints, const char *name)
{
    return hints->family && strcmp(hints->family, name) == 0;
}

/* Heads of few rows that the network has chosen itself, none of which fits a grid. */
static bool identify_selection(int64_t rows, int64_t columns, const jm_head_hints *hints, jm_head *head)
{
    if (rows > 1000 || is_grid(head, rows, 1) || is_grid(head, rows, 3)) return false;
    bool rtdetr = is_family(hints, "rtdetr");
    if (columns == 6 + head->extra && !(rtdetr && hints->labels == 2)) {
        head->kind = rtdetr ? JM_HEAD_RTDETR_BEST : JM_HEAD_END_TO_END;
        head->classes = 0;
        return true;
    }
    head->kind = JM_HEAD_RTDETR;
    head->classes = (int)columns - 4;
    return columns >= 5 && (rtdetr || (hints->labels ? columns == hints->labels + 4 : rows == 300));
}

/* One list of rank 3. head->extra is known. */
static bool identify_rows(const jm_shape *shape, const jm_head_hints *hints, jm_head *head)
{
    int64_t rows = shape->dim[1], columns = shape->dim[2];
    bool plus = columns - 32 >= 1 && columns - 32 == (hints->labels ? hints->labels : 80);
    if (identify_selection(rows, columns, hints, head)) return true;
    if (plus && rows == grid_cells(head, 4)) {
        head->kind = JM_HEAD_NANODET_PLUS;
        head->classes = (int)columns - 32;
        head->scales = 4;
    } else if (columns >= 6 && is_grid(head, rows, 1) && !is_family(hints, "yolov6")) {
        head->kind = JM_HEAD_YOLOX;
        head->classes = (int)columns - 5;
        head->scales = rows == grid_cells(head, 4) ? 4 : 3;
    } else if (rows >= 5 && (is_grid(head, columns, 1) || columns > rows)) {
        head->kind = JM_HEAD_YOLOV8;
        head->classes = (int)rows - 4 - head->extra;
    } else if (columns >= 6) {
        head->kind = JM_HEAD_YOLOV5;
        head->classes = (int)columns - 5 - head->extra;
    } else {
        return false;
    }
    return head->classes >= 1;
}

/* Sorts the indices of maps by falling height; `axis` is that of the height. */
static void order_scales(const jm_head_output *output, int outputs, int axis, jm_head *head)
{
    for (int i = 0; i < outputs; i++) {
        int at = i;
        for (; at > 0 && output[head->scale_output[at - 1]].shape.dim[axis] < output[i].shape.dim[axis]; at--)
            head->scale_output[at] = head->scale_output[at - 1];
        head->scale_output[at] = i;
    }
    head->scales = outputs;
}

/* Maps with three anchors each: the family's, else those of YOLOv5. */
static bool identify_anchors(int classes, const jm_head_hints *hints, jm_head *head)
{
    head->kind = JM_HEAD_ANCHORS;
    head->classes = classes;
    head->anchors = jm_anchors_find(hints->family);
    if (!head->anchors) head->anchors = &anchors[0];
    return classes >= 1 && head->anchors->scales == head->scales;
}

/* Every output is [1,3,h,w,5+C]. */
static bool identify_split_maps(const jm_head_output *output, int outputs, const jm_head_hints *hints, jm_head *head)
{
    if (outputs > JM_HEAD_SCALES) return false;
    for (int i = 0; i < outputs; i++)
        if (output[i].shape.rank != 5 || output[i].shape.dim[1] != 3 || output[i].shape.dim[2] < 1 ||
            output[i].shape.dim[3] < 1 || output[i].shape.dim[4] != output[0].shape.dim[4])
            return false;
    order_scales(output, outputs, 2, head);
    return identify_anchors((int)output[0].shape.dim[4] - 5, hints, head);
}

/* Every output is a feature map [1,channels,h,w] of one channel count. */
static bool identify_maps(const jm_head_output *output, int outputs, const jm_head_hints *hints, jm_head *head)
{
    int64_t channels = output[0].shape.dim[1];
    if (outputs > JM_HEAD_SCALES) return false;
    for (int i = 0; i < outputs; i++) {
        const jm_shape *shape = &output[i].shape;
        if (shape->rank != 4 || shape->dim[1] != channels || shape->dim[2] < 1 || shape->dim[3] < 1) return false;
    }
    order_scales(output, outputs, 2, head);
    if (outputs == 1 && channels >= 6) {
        head->kind = JM_HEAD_FASTESTDET;
        head->classes = (int)channels - 5;
        return true;
    }
    /* 255 = 3 * (5 + 80) and 144 = 64 + 80 are both possible readings of many numbers: a family with anchors, the count
     * of labels, else the usual 80 classes, else divisibility decides. */
    bool three = channels % 3 == 0 && channels >= 18, dfl = channels > 64;
    int64_t classes = hints->labels ? hints->labels : 80;
    if (three && dfl) {
        if (channels == 64 + classes && (!jm_anchors_find(hints->family) || is_family(hints, "yolo")))
            three = false;
        else
            dfl = false;
    }
    if (three) return identify_anchors((int)(channels / 3 - 5), hints, head);
    head->kind = JM_HEAD_DFL;
    head->classes = (int)(channels - 64);
    return dfl;
}

/* Corners [1,N,4] or [1,N,1,4] beside classes [1,N,C] or [1,C,N]. Whether corners are pixels follows from N: a cell
 * each, three boxes a cell, or the default boxes of SSD. */
static bool identify_corners(const jm_head_output *output, int outputs, const jm_head_hints *hints, jm_head *head)
{
    if (outputs != 2) return false;
    int boxes = -1;
    for (int i = 0; i < 2; i++) {
        const jm_shape *shape = &output[i].shape;
        bool four =
            (shape->rank == 3 && shape->dim[2] == 4) || (shape->rank == 4 && shape->dim[2] == 1 && shape->dim[3] == 4);
        if (!four) continue;
        /* Four classes: either could be the boxes, and only a name can tell. */
        if (boxes >= 0 && !strstr(output[0].name, "box") == !strstr(output[1].name, "box")) return false;
        if (boxes < 0 || strstr(output[i].name, "box")) boxes = i;
    }
    if (boxes < 0) return false;
    const jm_shape *classes = &output[1 - boxes].shape;
    int64_t n = output[boxes].shape.dim[1];
    if (classes->rank != 3 || n < 1) return false;
    head->classes_first = classes->dim[1] != n && classes->dim[2] == n;
    if (classes->dim[1] != n && !head->classes_first) return false;
    head->scale_output[0] = 1 - boxes;
    head->box_output[0] = boxes;
    head->classes = (int)classes->dim[head->classes_first ? 1 : 2];
    bool ssd = is_family(hints, "ssd");
    if (ssd || (n > 1000 && !is_grid(head, n, 1) && !is_grid(head, n, 3))) {
        head->kind = JM_HEAD_SSD;
        head->classes--;
    } else if (is_grid(head, n, 3)) {
        head->kind = JM_HEAD_YOLOV4;
    } else {
        head->kind = JM_HEAD_CORNERS;
        if (!is_grid(head, n, 1)) return false;
    }
    return head->classes >= 1;
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

/* A list of rows, alone, with prototypes of masks, or with the raw maps that some exports add. */
static bool identify_list(const jm_head_output *output, int outputs, const jm_head_hints *hints, jm_head *head)
{
    int lists = 0, prototypes = 0;
    for (int i = 0; i < outputs; i++) {
        if (output[i].shape.rank == 3) {
            lists++;
            head->row_output = i;
        } else if (output[i].shape.rank == 4) {
            prototypes++;
            head->prototypes = i;
        } else if (output[i].shape.rank != 5) {
            return false;
        }
    }
    if (lists != 1 || prototypes > 1) return false;
    if (!hints->task && prototypes) head->task = JM_TASK_SEGMENT;
    if ((head->task == JM_TASK_SEGMENT) != (prototypes == 1)) return false;
    if (prototypes) {
        const jm_shape *shape = &output[head->prototypes].shape;
        if (shape->dim[1] < 1 || shape->dim[1] > 4096 || shape->dim[2] < 1 || shape->dim[3] < 1) return false;
        head->extra = (int)shape->dim[1];
    }
    if (head->task == JM_TASK_POSE) {
        if (hints->keypoints < 1 || hints->keypoints > JM_MAX_KEYPOINTS || hints->keypoint_values < 2 ||
            hints->keypoint_values > 3)
            return false;
        head->keypoints = hints->keypoints;
        head->keypoint_values = hints->keypoint_values;
        head->extra = head->keypoints * head->keypoint_values;
    }
    if (head->task == JM_TASK_ORIENTED) head->extra = 1;
    if (!identify_rows(&output[head->row_output].shape, hints, head)) return false;
    return !head->extra || head->kind == JM_HEAD_YOLOV8 || head->kind == JM_HEAD_YOLOV5 ||
           head->kind == JM_HEAD_END_TO_END;
}

/* [1,C], or [1,C,1,1]. */
static bool identify_classes(const jm_head_output *output, int outputs, jm_head *head)
{
    const jm_shape *shape = &output[0].shape;
    if (outputs != 1 || shape->rank < 2 || shape->dim[1] < 2 || shape->dim[1] > 1000000) return false;
    for (int k = 2; k < shape->rank; k++)
        if (shape->dim[k] != 1) return false;
    head->kind = JM_HEAD_CLASSES;
    head->task = JM_TASK_CLASSIFY;
    head->classes = (int)shape->dim[1];
    return true;
}

static bool identify(const jm_head_output *output, int outputs, const jm_head_hints *hints, jm_head *head)
{
    if (head->task == JM_TASK_CLASSIFY) return identify_classes(output, outputs, head);
    if (!hints->task && identify_classes(output, outputs, head)) return true;
    jm_head empty = *head;
    if (identify_list(output, outputs, hints, head)) return true;
    *head = empty;
    if (head->task != JM_TASK_DETECT) return false;
    if (output[0].shape.rank == 5) return identify_split_maps(output, outputs, hints, head);
    if (identify_corners(output, outputs, hints, head)) return true;
    *head = empty;
    if (output[0].shape.rank == 4) return identify_maps(output, outputs, hints, head);
    if (identify_yunet(output, outputs, head)) return true;
    *head = empty;
    return identify_nanodet(output, outputs, head);
}

jm_status jm_head_identify(const jm_head_output *output, int outputs, int input_width, int input_height,
                           const jm_head_hints *hints, jm_head *head)
{
    *head = (jm_head){.input_width = input_width, .input_height = input_height};
    bool sane = outputs >= 1 && input_width >= 1 && input_height >= 1;
    for (int i = 0; i < outputs; i++) {
        int64_t count;
        sane = sane && output[i].shape.rank >= 1 && output[i].shape.dim[0] == 1 &&
               jm_shape_count(&output[i].shape, &count) == JM_OK;
    }
    size_t task = 0;
    while (hints->task && task < JM_COUNT(task_names) && strcmp(task_names[task], hints->task) != 0) task++;
    if (task == JM_COUNT(task_names))
        return jm_error(JM_UNSUPPORTED, "task '%s' is not detect, segment, pose, obb or classify; use `jumar run`",
                        hints->task);
    head->task = (jm_task)task;
    if (sane && identify(output, outputs, hints, head)) return JM_OK;

    char list[512] = "", text[JM_SHAPE_TEXT];
    size_t used = 0;
    for (int i = 0; i < outputs && used + 64 < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", i ? " " : "",
                                 jm_shape_text(&output[i].shape, text));
    return jm_error(JM_UNSUPPORTED,
                    "no known %s head has outputs %s for a %d x %d input; name its family with --family if it has one, "
                    "else use `jumar run` for the raw tensors",
                    hints->task && task ? hints->task : "detection", list, input_width, input_height);
}
