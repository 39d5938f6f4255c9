/* SPDX-License-Identifier: Apache-2.0
 *
 * jumar_draw_results: each task's results with the parts of draw.h.
 */
#include <stddef.h>

#include "base/alloc.h"
#include "model/api.h"
#include "vision/draw.h"
#include "vision/results.h"

enum { COCO_POINTS = 17 };
/* Points are drawn from this score on. */
static const float point_score = 0.5f;

/* Pairs of COCO's 17 keypoints: nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles, left before right. */
static const uint8_t limbs[][2] = {{15, 13}, {13, 11}, {16, 14}, {14, 12}, {11, 12}, {5, 11}, {6, 12}, {5, 6}, {5, 7},
                                   {6, 8},   {7, 9},   {8, 10},  {1, 2},   {0, 1},   {0, 2},  {1, 3},  {2, 4}};

static void draw_mask(const jm_image *image, const jumar_mask *mask, jm_color color)
{
    uint64_t at = 0, height = (uint64_t)image->height;
    for (size_t i = 0; i < mask->runs; i++) {
        uint64_t end = at + mask->run[i];
        while (i % 2 && at < end) { /* a run may pass the foot of a column */
            uint64_t column = at / height, top = at % height, length = JM_MIN(end - at, height - top);
            jm_draw_tint(image, (int)column, (int)top, (int)(top + length), 0.45f, color);
            at += length;
        }
        at = end;
    }
}

static void draw_turned(const jm_image *image, const jumar_oriented_box *box, jm_color color)
{
    for (int i = 0; i < 4; i++) {
        const float *a = box->corner[i], *b = box->corner[(i + 1) % 4];
        const float end[4] = {a[0], a[1], b[0], b[1]};
        jm_draw_line(image, end, jm_draw_width(image), color);
    }
}

static void draw_keypoints(const jm_image *image, const jumar_keypoint *point, size_t count)
{
    float width = jm_draw_width(image);
    for (size_t i = 0; count == COCO_POINTS && i < JM_COUNT(limbs); i++) {
        const jumar_keypoint *a = &point[limbs[i][0]], *b = &point[limbs[i][1]];
        const float end[4] = {a->x, a->y, b->x, b->y};
        if (a->score >= point_score && b->score >= point_score)
            jm_draw_line(image, end, width * 0.8f, jm_class_color((int)i + 1));
    }
    for (size_t i = 0; i < count; i++) {
        const float end[4] = {point[i].x, point[i].y, point[i].x, point[i].y};
        if (point[i].score >= point_score) jm_draw_line(image, end, width * 2.2f, jm_class_color((int)i));
    }
}

static void draw_object(const jm_image *image, const jumar_results *r, size_t i, const char *name)
{
    const jumar_box *box = &r->box[i];
    jm_color color = jm_class_color(box->label);
    if (r->mask) draw_mask(image, &r->mask[i], color);
    if (r->oriented)
        draw_turned(image, &r->oriented[i], color);
    else
        jm_draw_frame(image, box->x1, box->y1, box->x2, box->y2, color);
    if (r->keypoint) draw_keypoints(image, &r->keypoint[i * r->keypoints], r->keypoints);
    jm_draw_box_tag(image, name, box->score, box->x1, box->y1, color);
}

jumar_status jumar_draw_results(const jumar_image *image, const jumar_results *results, const jumar_detector *detector)
{
    if (!image || !results)
        return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "%s was called with a NULL argument", __func__));
    if (!image->rgb || image->width != results->width || image->height != results->height)
        return jm_public_status(jm_error(JM_INVALID_ARGUMENT,
                                         "the picture has %d x %d pixels and the results are of one of %d x %d",
                                         image->width, image->height, results->width, results->height));
    jm_image picture = {image->width, image->height, image->rgb};
    float margin = jm_draw_width(&picture);
    char text[32];
    for (size_t i = 0; i < results->count; i++) {
        /* The best object is drawn last, on top; the best class comes first. */
        size_t at = results->task == JM_TASK_CLASSIFY ? i : results->count - 1 - i;
        const jumar_box *box = &results->box[at];
        const char *name = jumar_detector_label(detector, box->label);
        if (!name) name = jm_draw_name(NULL, 0, box->label, text);
        if (results->task == JM_TASK_CLASSIFY)
            jm_draw_tag(&picture, name, box->score, margin,
                        margin + (float)i * (jm_draw_tag_height(&picture) + margin / 2), jm_class_color(box->label));
        else
            draw_object(&picture, results, at, name);
    }
    return JUMAR_OK;
}
