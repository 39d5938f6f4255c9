/* SPDX-License-Identifier: Apache-2.0
 *
 * From a picture to the input tensor of a detector, and back from its boxes to the picture. What each model family
 * expects is one row of a table (preprocess.c).
 */
#ifndef JUMAR_VISION_PREPROCESS_H
#define JUMAR_VISION_PREPROCESS_H

#include <stdbool.h>

#include "base/status.h"
#include "vision/image.h"

typedef enum jm_fit {
    JM_FIT_STRETCH,          /* both sides scaled to the input, the aspect ratio is lost */
    JM_FIT_LETTERBOX_CENTRE, /* aspect ratio kept, padding on both sides */
    JM_FIT_LETTERBOX_CORNER, /* aspect ratio kept, picture at the top left */
    JM_FIT_CROP              /* aspect ratio kept, the middle of the picture fills the input */
} jm_fit;

/* value = (pixel - mean[c]) / deviation[c], pixel 0..255, c in the order of the tensor. */
typedef struct jm_family {
    const char *name;
    const char *doc; /* for --help */
    bool bgr;        /* channel order of the tensor; false: R, G, B */
    jm_fit fit;
    uint8_t pad; /* value of padding pixels before scaling */
    float mean[3], deviation[3];
} jm_family;

/* All families, *count of them. */
const jm_family *jm_family_all(int *count);
/* The family of that name. JM_NOT_FOUND lists the names. */
JM_MUST_USE jm_status jm_family_find(const char *name, const jm_family **out);

/* Where a picture landed in the input tensor: input = picture * scale + offset. */
typedef struct jm_placement {
    float scale_x, scale_y, offset_x, offset_y;
    int width, height; /* of the picture: boxes are clipped to it */
} jm_placement;

/* Scales the picture (bilinear, half-pixel centres, rounded to 8 bits as the training pipelines do) into `tensor`, f32
 * [3][height][width]. The same bits on every machine. JM_OUT_OF_MEMORY; JM_INVALID_ARGUMENT: a size below 1. */
JM_MUST_USE jm_status jm_preprocess(const jm_family *family, const jm_image *image, int width, int height,
                                    float *tensor, jm_placement *placement);

#endif
