/* SPDX-License-Identifier: Apache-2.0 */
#include "vision/results.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

static float to_picture(float value, float offset, float scale)
{
    return (value - offset) / scale;
}

static float clip(float value, int high)
{
    return JM_MIN(JM_MAX(value, 0), (float)high);
}

/* Corners in the picture, and what follows from them. */
static jumar_oriented_box turned_box(const jm_box *box, const jm_placement *p)
{
    jumar_oriented_box out = {.x = 0};
    jm_box_corners(box, out.corner);
    for (int i = 0; i < 4; i++) {
        out.corner[i][0] = to_picture(out.corner[i][0], p->offset_x, p->scale_x);
        out.corner[i][1] = to_picture(out.corner[i][1], p->offset_y, p->scale_y);
        out.x += out.corner[i][0] / 4;
        out.y += out.corner[i][1] / 4;
    }
    float ux = out.corner[1][0] - out.corner[0][0], uy = out.corner[1][1] - out.corner[0][1];
    out.width = hypotf(ux, uy);
    out.height = hypotf(out.corner[2][0] - out.corner[1][0], out.corner[2][1] - out.corner[1][1]);
    out.angle = atan2f(uy, ux);
    return out;
}

static jm_status add_turned(jumar_results *r, const jm_placement *p, const jm_boxes *boxes)
{
    r->oriented = jm_alloc(boxes->count, sizeof *r->oriented);
    if (!r->oriented) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < boxes->count; i++) {
        const jm_box *box = &boxes->box[i];
        jumar_oriented_box turned = turned_box(box, p);
        if (!(turned.x >= 0 && turned.x <= (float)p->width && turned.y >= 0 && turned.y <= (float)p->height)) continue;
        jumar_box around = {(float)p->width, (float)p->height, 0, 0, box->score, box->label};
        for (int k = 0; k < 4; k++) {
            around.x1 = JM_MIN(around.x1, turned.corner[k][0]);
            around.y1 = JM_MIN(around.y1, turned.corner[k][1]);
            around.x2 = JM_MAX(around.x2, turned.corner[k][0]);
            around.y2 = JM_MAX(around.y2, turned.corner[k][1]);
        }
        around.x1 = clip(around.x1, p->width);
        around.y1 = clip(around.y1, p->height);
        around.x2 = clip(around.x2, p->width);
        around.y2 = clip(around.y2, p->height);
        r->box[r->count] = around;
        r->oriented[r->count++] = turned;
    }
    return JM_OK;
}

static void add_keypoints(jumar_results *r, const jm_head *head, const jm_placement *p, size_t index,
                          const float *value)
{
    jumar_keypoint *point = r->keypoint + index * r->keypoints;
    for (size_t k = 0; k < r->keypoints; k++, value += head->keypoint_values)
        point[k] =
            (jumar_keypoint){to_picture(value[0], p->offset_x, p->scale_x),
                             to_picture(value[1], p->offset_y, p->scale_y), head->keypoint_values > 2 ? value[2] : 1};
}

/* Masks and keypoints: from the values of each box's row. */
static jm_status add_extras(jumar_results *r, const jm_head *head, const jm_head_output *output, const jm_placement *p,
                            const jm_boxes *boxes)
{
    const jm_head_output *prototypes = &output[head->prototypes];
    bool masks = head->task == JM_TASK_SEGMENT;
    size_t plane = masks ? (size_t)prototypes->shape.dim[2] * (size_t)prototypes->shape.dim[3] : 0;
    r->keypoints = (size_t)head->keypoints;
    if (masks && !(r->mask = jm_alloc(boxes->count, sizeof *r->mask))) return JM_OUT_OF_MEMORY;
    if (!masks && !(r->keypoint = jm_alloc(boxes->count, r->keypoints * sizeof *r->keypoint))) return JM_OUT_OF_MEMORY;
    float *value = jm_alloc((size_t)head->extra + plane, sizeof *value);
    jm_status status = value ? JM_OK : JM_OUT_OF_MEMORY;
    for (size_t i = 0; status == JM_OK && i < boxes->count; i++) {
        jm_head_extra(head, output, boxes->box[i].row, value);
        if (masks)
            status = jm_mask_create(head, prototypes, value, p, &r->box[i], value + head->extra, &r->mask[i]);
        else
            add_keypoints(r, head, p, i, value);
    }
    jm_free(value);
    return status;
}

static jm_status fill(jumar_results *r, const jm_head *head, const jm_head_output *output, const jm_placement *p,
                      jm_boxes *boxes)
{
    r->box = jm_alloc(boxes->count, sizeof *r->box);
    if (!r->box) return JM_OUT_OF_MEMORY;
    if (head->task == JM_TASK_ORIENTED) return add_turned(r, p, boxes);
    if (head->task != JM_TASK_CLASSIFY) jm_boxes_to_picture(p, boxes);
    r->count = boxes->count;
    for (size_t i = 0; i < boxes->count; i++) {
        const jm_box *box = &boxes->box[i];
        r->box[i] = (jumar_box){box->x1, box->y1, box->x2, box->y2, box->score, box->label};
        if (head->task == JM_TASK_CLASSIFY) {
            r->box[i].x2 = (float)p->width;
            r->box[i].y2 = (float)p->height;
        }
    }
    bool extras = head->task == JM_TASK_SEGMENT || head->task == JM_TASK_POSE;
    return extras ? add_extras(r, head, output, p, boxes) : JM_OK;
}

jm_status jm_results_create(const jm_head *head, const jm_head_output *output, const jm_placement *placement,
                            jm_boxes *boxes, jumar_results **out)
{
    *out = NULL;
    jumar_results *r = jm_alloc(1, sizeof *r);
    if (!r) return JM_OUT_OF_MEMORY;
    r->task = head->task;
    r->width = placement->width;
    r->height = placement->height;
    jm_status status = fill(r, head, output, placement, boxes);
    if (status == JM_OK)
        *out = r;
    else
        jumar_results_free(r);
    return status;
}

void jumar_results_free(jumar_results *results)
{
    if (!results) return;
    for (size_t i = 0; results->mask && i < results->count; i++) jm_free((void *)(uintptr_t)results->mask[i].run);
    jm_free(results->mask);
    jm_free(results->keypoint);
    jm_free(results->oriented);
    jm_free(results->box);
    jm_free(results);
}

/* ---- Reading ---- */

const char *jumar_task_name(jumar_task task)
{
    return jm_task_name((jm_task)task);
}

jumar_task jumar_results_task(const jumar_results *results)
{
    return results ? (jumar_task)results->task : JUMAR_TASK_DETECT;
}

size_t jumar_results_count(const jumar_results *results)
{
    return results ? results->count : 0;
}

const jumar_box *jumar_results_box(const jumar_results *results, size_t index)
{
    return results && index < results->count ? &results->box[index] : NULL;
}

const jumar_mask *jumar_results_mask(const jumar_results *results, size_t index)
{
    return results && results->mask && index < results->count ? &results->mask[index] : NULL;
}

const jumar_oriented_box *jumar_results_oriented(const jumar_results *results, size_t index)
{
    return results && results->oriented && index < results->count ? &results->oriented[index] : NULL;
}

const jumar_keypoint *jumar_results_keypoints(const jumar_results *results, size_t index)
{
    return results && results->keypoint && index < results->count ? &results->keypoint[index * results->keypoints]
                                                                  : NULL;
}

size_t jumar_results_keypoint_count(const jumar_results *results)
{
    return results ? results->keypoints : 0;
}
