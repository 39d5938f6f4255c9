/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding of each head into boxes in input pixels. Formulas are those of the papers and public exports of each family;
 * each function states its own.
 */
#include "vision/detection.h"

#include <math.h>

#include "base/alloc.h"

typedef struct decoder {
    const jm_head *head;
    const jm_head_output *output;
    const jm_detect_options *options;
    jm_boxes *boxes;
    int row;     /* of the box that is added next */
    float angle; /* likewise */
} decoder;

static float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

static bool wanted(const jm_detect_options *options, int label)
{
    if (!options->label) return true;
    for (int i = 0; i < options->labels; i++)
        if (options->label[i] == label) return true;
    return false;
}

static jm_status add_corners(const decoder *d, float x1, float y1, float x2, float y2, float score, int label)
{
    if (!(score >= d->options->confidence) || !isfinite(x1) || !isfinite(y1) || !isfinite(x2) || !isfinite(y2) ||
        !isfinite(score) || !isfinite(d->angle) || !wanted(d->options, label))
        return JM_OK;
    jm_boxes *boxes = d->boxes;
    JM_TRY(jm_array_reserve(&boxes->box, &boxes->capacity, boxes->count + 1, sizeof *boxes->box));
    boxes->box[boxes->count++] = (jm_box){x1, y1, x2, y2, score, label, d->angle, d->row};
    return JM_OK;
}

static jm_status add_centre(const decoder *d, float x, float y, float width, float height, float score, int label)
{
    return add_corners(d, x - width / 2, y - height / 2, x + width / 2, y + height / 2, score, label);
}

/* The best of `classes` values that lie `step` apart. */
static int best_class(const float *value, int classes, size_t step, float *best)
{
    int label = 0;
    *best = value[0];
    for (int c = 1; c < classes; c++)
        if (value[(size_t)c * step] > *best) {
            *best = value[(size_t)c * step];
            label = c;
        }
    return label;
}

/* The list of rows of heads that have one. */
static const jm_head_output *rows_of(const jm_head *head, const jm_head_output *output)
{
    return &output[head->row_output];
}

/* Notes which row is decoded; an oriented box has its angle there. */
static void begin_row(decoder *d, size_t row)
{
    d->row = (int)row;
    if (d->head->task == JM_TASK_ORIENTED) jm_head_extra(d->head, d->output, d->row, &d->angle);
}

void jm_head_extra(const jm_head *head, const jm_head_output *output, int row, float *value)
{
    const jm_head_output *rows = rows_of(head, output);
    size_t n = (size_t)rows->shape.dim[1], columns = (size_t)rows->shape.dim[2];
    size_t first = (head->kind == JM_HEAD_YOLOV8 ? n : columns) - (size_t)head->extra;
    for (size_t k = 0; k < (size_t)head->extra; k++)
        value[k] = head->kind == JM_HEAD_YOLOV8 ? rows->data[(first + k) * columns + (size_t)row]
                                                : rows->data[(size_t)row * columns + first + k];
}

/* Rows of x, y, w, h (pixels), objectness, classes; score = objectness * best class. */
static jm_status decode_yolov5(decoder *d)
{
    const jm_head_output *rows = rows_of(d->head, d->output);
    size_t count = (size_t)rows->shape.dim[1], columns = (size_t)rows->shape.dim[2];
    const float *row = rows->data;
    for (size_t i = 0; i < count; i++, row += columns) {
        if (!(row[4] >= d->options->confidence)) continue;
        float best;
        int label = best_class(row + 5, d->head->classes, 1, &best);
        begin_row(d, i);
        JM_TRY(add_centre(d, row[0], row[1], row[2], row[3], row[4] * best, label));
    }
    return JM_OK;
}

/* Columns of x, y, w, h (pixels), classes; score = best class. */
static jm_status decode_yolov8(decoder *d)
{
    const jm_head_output *rows = rows_of(d->head, d->output);
    size_t columns = (size_t)rows->shape.dim[2];
    const float *data = rows->data;
    for (size_t i = 0; i < columns; i++) {
        float best;
        int label = best_class(data + 4 * columns + i, d->head->classes, columns, &best);
        if (!(best >= d->options->confidence)) continue;
        begin_row(d, i);
        JM_TRY(add_centre(d, data[i], data[columns + i], data[2 * columns + i], data[3 * columns + i], best, label));
    }
    return JM_OK;
}

/* Rows of x1, y1, x2, y2 (pixels), score, class; of oriented boxes x, y, w, h, as they cannot be corners. */
static jm_status decode_end_to_end(decoder *d)
{
    const jm_head_output *rows = rows_of(d->head, d->output);
    const float *row = rows->data;
    for (int64_t i = 0; i < rows->shape.dim[1]; i++, row += rows->shape.dim[2]) {
        if (!(row[5] >= 0) || row[5] > 1e6f) continue;
        begin_row(d, (size_t)i);
        if (d->head->task == JM_TASK_ORIENTED)
            JM_TRY(add_centre(d, row[0], row[1], row[2], row[3], row[4], (int)row[5]));
        else
            JM_TRY(add_corners(d, row[0], row[1], row[2], row[3], row[4], (int)row[5]));
    }
    return JM_OK;
}

/* Rows of x, y, w, h as parts of the input, then classes, or the score and the class. */
static jm_status decode_rtdetr(const decoder *d)
{
    const jm_head_output *rows = rows_of(d->head, d->output);
    const float *row = rows->data;
    float width = (float)d->head->input_width, height = (float)d->head->input_height;
    for (int64_t i = 0; i < rows->shape.dim[1]; i++, row += rows->shape.dim[2]) {
        float score = row[4];
        int label;
        if (d->head->kind == JM_HEAD_RTDETR)
            label = best_class(row + 4, d->head->classes, 1, &score);
        else if (row[5] >= 0 && row[5] <= 1e6f)
            label = (int)row[5];
        else
            continue;
        JM_TRY(add_centre(d, row[0] * width, row[1] * height, row[2] * width, row[3] * height, score, label));
    }
    return JM_OK;
}

/* Cell (gx, gy) of stride s: x = (dx + gx) s, y alike, w = exp(dw) s; score = objectness * best class. */
static jm_status decode_yolox(const decoder *d)
{
    const jm_head_output *rows = rows_of(d->head, d->output);
    const float *row = rows->data;
    size_t columns = (size_t)rows->shape.dim[2];
    for (int scale = 0, stride = 8; scale < d->head->scales; scale++, stride *= 2) {
        int wide = (d->head->input_width + stride - 1) / stride, high = (d->head->input_height + stride - 1) / stride;
        for (int cell = 0; cell < wide * high; cell++, row += columns) {
            if (!(row[4] >= d->options->confidence)) continue;
            float best, s = (float)stride;
            int label = best_class(row + 5, d->head->classes, 1, &best);
            JM_TRY(add_centre(d, (row[0] + (float)(cell % wide)) * s, (row[1] + (float)(cell / wide)) * s,
                              expf(row[2]) * s, expf(row[3]) * s, row[4] * best, label));
        }
    }
    return JM_OK;
}

/* A box of a head with anchors: `step` apart lie x, y, w, h, objectness and classes, all before the sigmoid. Cell
 * (gx, gy), anchor (aw, ah), stride s. YOLOv5: x = (2 sigmoid(x) + gx - 0.5) s, w = (2 sigmoid(w))^2 aw. Darknet:
 * x = (sigmoid(x) + gx) s, w = exp(w) aw. */
static jm_status add_anchor_box(const decoder *d, const float *v, size_t step, float gx, float gy,
                                const float stride[2], const float size[2])
{
    float object = sigmoid(v[4 * step]), best;
    if (!(object >= d->options->confidence)) return JM_OK;
    int label = best_class(v + 5 * step, d->head->classes, step, &best);
    float score = object * sigmoid(best), x = sigmoid(v[0]), y = sigmoid(v[step]);
    if (d->head->anchors->darknet)
        return add_centre(d, (x + gx) * stride[0], (y + gy) * stride[1], expf(v[2 * step]) * size[0],
                          expf(v[3 * step]) * size[1], score, label);
    float w = 2 * sigmoid(v[2 * step]), h = 2 * sigmoid(v[3 * step]);
    return add_centre(d, (2 * x + gx - 0.5f) * stride[0], (2 * y + gy - 0.5f) * stride[1], w * w * size[0],
                      h * h * size[1], score, label);
}

/* Maps [1,3*(5+C),h,w] or [1,3,h,w,5+C]. */
static jm_status decode_anchors(const decoder *d)
{
    size_t values = (size_t)(5 + d->head->classes);
    for (int scale = 0; scale < d->head->scales; scale++) {
        const jm_head_output *map = &d->output[d->head->scale_output[scale]];
        bool split = map->shape.rank == 5;
        size_t high = (size_t)map->shape.dim[2], wide = (size_t)map->shape.dim[3], plane = high * wide;
        float stride[2] = {(float)d->head->input_width / (float)wide, (float)d->head->input_height / (float)high};
        for (size_t a = 0; a < 3; a++)
            for (size_t cell = 0; cell < plane; cell++) {
                const float *v = map->data + a * values * plane + (split ? cell * values : cell);
                JM_TRY(add_anchor_box(d, v, split ? 1 : plane, (float)(cell % wide), (float)(cell / wide), stride,
                                      d->head->anchors->size[scale][a]));
            }
    }
    return JM_OK;
}

/* Mean of 0..bins-1 under softmax of `bins` values that lie `step` apart: a distance in cells (DFL). */
static float expected_distance(const float *value, int bins, size_t step)
{
    float top = value[0], sum = 0, mean = 0;
    for (int b = 1; b < bins; b++) top = JM_MAX(top, value[(size_t)b * step]);
    for (int b = 0; b < bins; b++) {
        float e = expf(value[(size_t)b * step] - top);
        sum += e;
        mean += e * (float)b;
    }
    return mean / sum;
}

/* Four distributions of 16 bins (left, top, right, bottom) around the cell's centre, then class logits. */
static jm_status decode_dfl(const decoder *d)
{
    for (int scale = 0; scale < d->head->scales; scale++) {
        const jm_head_output *map = &d->output[d->head->scale_output[scale]];
        size_t wide = (size_t)map->shape.dim[3], plane = (size_t)map->shape.dim[2] * wide;
        float step_x = (float)d->head->input_width / (float)wide;
        float step_y = (float)d->head->input_height / (float)map->shape.dim[2];
        for (size_t cell = 0; cell < plane; cell++) {
            const float *v = map->data + cell;
            float best, side[4];
            int label = best_class(v + 64 * plane, d->head->classes, plane, &best);
            best = sigmoid(best);
            if (!(best >= d->options->confidence)) continue;
            for (size_t k = 0; k < 4; k++) side[k] = expected_distance(v + k * 16 * plane, 16, plane);
            float x = (float)(cell % wide) + 0.5f, y = (float)(cell / wide) + 0.5f;
            JM_TRY(add_corners(d, (x - side[0]) * step_x, (y - side[1]) * step_y, (x + side[2]) * step_x,
                               (y + side[3]) * step_y, best, label));
        }
    }
    return JM_OK;
}

/* Class probabilities and four distributions of 8 bins; cells are centred at (gx + 0.5) s. */
static jm_status decode_nanodet(const decoder *d)
{
    for (int scale = 0, stride = 8; scale < d->head->scales; scale++, stride *= 2) {
        const float *classes = d->output[d->head->scale_output[scale]].data;
        const float *distance = d->output[d->head->box_output[scale]].data;
        int wide = (d->head->input_width + stride - 1) / stride;
        int cells = (int)d->output[d->head->scale_output[scale]].shape.dim[1];
        for (int cell = 0; cell < cells; cell++, classes += d->head->classes, distance += 32) {
            float best, side[4], s = (float)stride;
            int label = best_class(classes, d->head->classes, 1, &best);
            if (!(best >= d->options->confidence)) continue;
            for (int k = 0; k < 4; k++) side[k] = expected_distance(distance + 8 * k, 8, 1);
            float x = (float)(cell % wide) + 0.5f, y = (float)(cell / wide) + 0.5f;
            JM_TRY(add_corners(d, (x - side[0]) * s, (y - side[1]) * s, (x + side[2]) * s, (y + side[3]) * s, best,
                               label));
        }
    }
    return JM_OK;
}

/* Rows of class probabilities and four distributions of 8 bins; cells begin at (gx, gy) s, strides are 8 to 64. */
static jm_status decode_nanodet_plus(const decoder *d)
{
    const jm_head_output *rows = rows_of(d->head, d->output);
    const float *row = rows->data;
    for (int scale = 0, stride = 8; scale < d->head->scales; scale++, stride *= 2) {
        int wide = (d->head->input_width + stride - 1) / stride, high = (d->head->input_height + stride - 1) / stride;
        for (int cell = 0; cell < wide * high; cell++, row += rows->shape.dim[2]) {
            float best, side[4], s = (float)stride, x = (float)(cell % wide), y = (float)(cell / wide);
            int label = best_class(row, d->head->classes, 1, &best);
            if (!(best >= d->options->confidence)) continue;
            for (int k = 0; k < 4; k++) side[k] = expected_distance(row + d->head->classes + 8 * k, 8, 1);
            JM_TRY(add_corners(d, (x - side[0]) * s, (y - side[1]) * s, (x + side[2]) * s, (y + side[3]) * s, best,
                               label));
        }
    }
    return JM_OK;
}

/* Corners in pixels or as parts of the input, and class scores; SSD's first class is the background. */
static jm_status decode_corners(const decoder *d)
{
    const jm_head_output *boxes = &d->output[d->head->box_output[0]], *classes = &d->output[d->head->scale_output[0]];
    size_t n = (size_t)boxes->shape.dim[1], columns = (size_t)classes->shape.dim[d->head->classes_first ? 1 : 2];
    size_t step = d->head->classes_first ? n : 1, background = d->head->kind == JM_HEAD_SSD ? 1 : 0;
    bool pixels = d->head->kind == JM_HEAD_CORNERS;
    float width = pixels ? 1 : (float)d->head->input_width, height = pixels ? 1 : (float)d->head->input_height;
    for (size_t i = 0; i < n; i++) {
        const float *box = boxes->data + 4 * i;
        const float *value = classes->data + (d->head->classes_first ? i : i * columns) + background * step;
        float best;
        int label = best_class(value, d->head->classes, step, &best);
        JM_TRY(add_corners(d, box[0] * width, box[1] * height, box[2] * width, box[3] * height, best, label));
    }
    return JM_OK;
}

/* Channels: objectness, dx, dy, w, h, classes. x = (tanh(dx) + gx) / columns of the input, w = sigmoid(w) of the input;
 * score = objectness^0.6 * class^0.4. */
static jm_status decode_fastestdet(const decoder *d)
{
    size_t wide = (size_t)d->output->shape.dim[3], high = (size_t)d->output->shape.dim[2], plane = wide * high;
    float width = (float)d->head->input_width, height = (float)d->head->input_height;
    for (size_t cell = 0; cell < plane; cell++) {
        const float *v = d->output->data + cell;
        float best;
        int label = best_class(v + 5 * plane, d->head->classes, plane, &best);
        float score = powf(v[0], 0.6f) * powf(best, 0.4f);
        if (!(score >= d->options->confidence)) continue;
        float x = (tanhf(v[plane]) + (float)(cell % wide)) / (float)wide;
        float y = (tanhf(v[2 * plane]) + (float)(cell / wide)) / (float)high;
        JM_TRY(add_centre(d, x * width, y * height, sigmoid(v[3 * plane]) * width, sigmoid(v[4 * plane]) * height,
                          score, label));
    }
    return JM_OK;
}

/* Score = sqrt(cls * obj), each clamped to 0..1; x = (gx + dx) s, w = exp(dw) s. */
static jm_status decode_yunet(const decoder *d)
{
    for (int scale = 0, stride = 8; scale < 3; scale++, stride *= 2) {
        const float *cls = d->output[d->head->scale_output[scale]].data;
        const float *obj = d->output[d->head->object_output[scale]].data;
        const float *box = d->output[d->head->box_output[scale]].data;
        int wide = d->head->input_width / stride, cells = (int)d->output[d->head->scale_output[scale]].shape.dim[1];
        for (int cell = 0; cell < cells; cell++, box += 4) {
            float s = (float)stride;
            float score = sqrtf(JM_MIN(JM_MAX(cls[cell], 0), 1) * JM_MIN(JM_MAX(obj[cell], 0), 1));
            if (!(score >= d->options->confidence)) continue;
            JM_TRY(add_centre(d, (box[0] + (float)(cell % wide)) * s, (box[1] + (float)(cell / wide)) * s,
                              expf(box[2]) * s, expf(box[3]) * s, score, 0));
        }
    }
    return JM_OK;
}

jm_status jm_head_decode(const jm_head *head, const jm_head_output *output, const jm_detect_options *options,
                         jm_boxes *boxes)
{
    decoder d = {.head = head, .output = output, .options = options, .boxes = boxes};
    boxes->oriented = head->task == JM_TASK_ORIENTED;
    switch (head->kind) {
    case JM_HEAD_YOLOV5:
        return decode_yolov5(&d);
    case JM_HEAD_YOLOV8:
        return decode_yolov8(&d);
    case JM_HEAD_END_TO_END:
        return decode_end_to_end(&d);
    case JM_HEAD_RTDETR:
    case JM_HEAD_RTDETR_BEST:
        return decode_rtdetr(&d);
    case JM_HEAD_YOLOX:
        return decode_yolox(&d);
    case JM_HEAD_ANCHORS:
        return decode_anchors(&d);
    case JM_HEAD_DFL:
        return decode_dfl(&d);
    case JM_HEAD_NANODET:
        return decode_nanodet(&d);
    case JM_HEAD_NANODET_PLUS:
        return decode_nanodet_plus(&d);
    case JM_HEAD_FASTESTDET:
        return decode_fastestdet(&d);
    case JM_HEAD_YUNET:
        return decode_yunet(&d);
    case JM_HEAD_CORNERS:
    case JM_HEAD_SSD:
    case JM_HEAD_YOLOV4:
        return decode_corners(&d);
    case JM_HEAD_CLASSES:
        return JM_OK;
    }
    return jm_error(JM_INTERNAL, "head %d has no decoder", (int)head->kind);
}

jm_status jm_head_classify(const jm_head *head, const jm_head_output *output, int limit, jm_boxes *best)
{
    const float *value = output->data;
    double sum = 0;
    float top = value[0], low = value[0];
    for (int c = 0; c < head->classes; c++) {
        if (!isfinite(value[c]))
            return jm_error(JM_INVALID_ARGUMENT, "the score of class %d is not finite; check the model and its input",
                            c);
        sum += (double)value[c];
        top = JM_MAX(top, value[c]);
        low = JM_MIN(low, value[c]);
    }
    /* Exports end with softmax or before it. */
    bool logits = low < 0 || fabs(sum - 1) > 1e-3;
    if (logits) {
        sum = 0;
        for (int c = 0; c < head->classes; c++) sum += exp((double)value[c] - (double)top);
    }
    limit = JM_MIN(limit, head->classes);
    JM_TRY(jm_array_reserve(&best->box, &best->capacity, (size_t)limit + 1, sizeof *best->box));
    best->count = 0;
    for (int c = 0; c < head->classes; c++) {
        /* Insertion into the few best ones; equal values keep the order of classes. */
        size_t at = best->count;
        while (at > 0 && value[best->box[at - 1].label] < value[c]) at--;
        if (at == (size_t)limit) continue;
        if (best->count < (size_t)limit) best->count++;
        for (size_t k = best->count - 1; k > at; k--) best->box[k] = best->box[k - 1];
        best->box[at] = (jm_box){.label = c};
    }
    for (size_t k = 0; k < best->count; k++) {
        double v = (double)value[best->box[k].label];
        best->box[k].score = (float)(logits ? exp(v - (double)top) / sum : v);
    }
    return JM_OK;
}
