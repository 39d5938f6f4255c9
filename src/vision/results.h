/* SPDX-License-Identifier: Apache-2.0
 *
 * What every task makes of the boxes that are left after suppression, in pixels of the picture.
 */
#ifndef JUMAR_VISION_RESULTS_H
#define JUMAR_VISION_RESULTS_H

#include "jumar/detect.h"
#include "vision/detection.h"

struct jumar_results {
    jm_task task;
    int width, height; /* of the picture */
    size_t count;
    jumar_box *box;               /* [count] */
    jumar_oriented_box *oriented; /* [count], or NULL */
    jumar_keypoint *keypoint;     /* [count][keypoints], or NULL */
    size_t keypoints;
    jumar_mask *mask; /* [count], or NULL; each `run` is memory of its own */
};

/* Takes boxes in input pixels as jm_nms leaves them (of a classifier as jm_head_classify makes them); those outside the
 * picture are dropped, of turned ones those whose centre is. *out is NULL on failure (JM_OUT_OF_MEMORY). */
JM_MUST_USE jm_status jm_results_create(const jm_head *head, const jm_head_output *output,
                                        const jm_placement *placement, jm_boxes *boxes, jumar_results **out);

/* The mask of one object: where sum(coefficient[k] * prototype[k]) > 0 at pixel centres inside the box, which is in
 * pixels of the picture. `logit` is scratch of height * width of the prototypes. mask->run is jm_alloc memory.
 * JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_mask_create(const jm_head *head, const jm_head_output *prototypes, const float *coefficient,
                                     const jm_placement *placement, const jumar_box *box, float *logit,
                                     jumar_mask *mask);

#endif
