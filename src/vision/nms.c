/* SPDX-License-Identifier: Apache-2.0 */
#include "vision/detection.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* More candidates than this are cut after sorting: the quadratic part stays bounded. */
enum { CANDIDATES = 30000 };

void jm_boxes_destroy(jm_boxes *boxes)
{
    jm_free(boxes->box);
    *boxes = (jm_boxes){0};
}

float jm_box_iou(const jm_box *a, const jm_box *b)
{
    float width = JM_MIN(a->x2, b->x2) - JM_MAX(a->x1, b->x1);
    float height = JM_MIN(a->y2, b->y2) - JM_MAX(a->y1, b->y1);
    if (!(width > 0) || !(height > 0)) return 0;
    float inter = width * height;
    float area_a = (a->x2 - a->x1) * (a->y2 - a->y1), area_b = (b->x2 - b->x1) * (b->y2 - b->y1);
    return inter / (area_a + area_b - inter);
}

typedef struct ranked {
    jm_box box;
    size_t order; /* qsort is not stable */
} ranked;

static int better_first(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->box.score != b->box.score) return a->box.score > b->box.score ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

jm_status jm_nms(const jm_detect_options *options, jm_boxes *boxes)
{
    size_t count = boxes->count;
    ranked *sorted = jm_alloc(count, sizeof *sorted);
    if (!sorted) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) sorted[i] = (ranked){boxes->box[i], i};
    qsort(sorted, count, sizeof *sorted, better_first);
    count = JM_MIN(count, CANDIDATES);
    size_t kept = 0, limit = (size_t)JM_MAX(options->limit, 0);
    for (size_t i = 0; i < count && kept < limit; i++) {
        const jm_box *candidate = &sorted[i].box;
        bool keep = true;
        for (size_t k = 0; keep && k < kept; k++) {
            const jm_box *better = &boxes->box[k];
            if (options->agnostic || better->label == candidate->label)
                keep = (boxes->oriented ? jm_oriented_iou(better, candidate) : jm_box_iou(better, candidate)) <=
                       options->iou;
        }
        if (keep) boxes->box[kept++] = *candidate;
    }
    boxes->count = kept;
    jm_free(sorted);
    return JM_OK;
}

static float clip(float value, int high)
{
    return JM_MIN(JM_MAX(value, 0), (float)high);
}

void jm_boxes_to_picture(const jm_placement *p, jm_boxes *boxes)
{
    size_t kept = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        jm_box box = boxes->box[i];
        box.x1 = clip((box.x1 - p->offset_x) / p->scale_x, p->width);
        box.x2 = clip((box.x2 - p->offset_x) / p->scale_x, p->width);
        box.y1 = clip((box.y1 - p->offset_y) / p->scale_y, p->height);
        box.y2 = clip((box.y2 - p->offset_y) / p->scale_y, p->height);
        if (box.x2 > box.x1 && box.y2 > box.y1) boxes->box[kept++] = box;
    }
    boxes->count = kept;
}
