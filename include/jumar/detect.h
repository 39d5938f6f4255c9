/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding objects in pictures: a model file of a detector, a picture, a list of boxes.
 *
 *     jumar_detector *detector;
 *     jumar_image image;
 *     jumar_box boxes[300];
 *     size_t count;
 *     jumar_detector_open("yolov8n.om", 0, NULL, &detector);
 *     jumar_image_read("street.jpg", &image);
 *     jumar_detector_detect(detector, &image, NULL, boxes, 300, &count);
 *     jumar_draw_boxes(&image, boxes, count, detector);
 *     jumar_image_write("out.jpg", &image);
 *
 * Every call above returns a jumar_status. Threads: a detector serves one call at a time; different detectors and
 * images are independent.
 */
#ifndef JUMAR_DETECT_H
#define JUMAR_DETECT_H

#include <stddef.h>
#include <stdint.h>

#include "jumar/jumar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Pictures ---- */

/* 8-bit RGB, rows from top to bottom without padding. */
typedef struct jumar_image {
    int32_t width, height;
    uint8_t *rgb; /* [height][width][3] */
} jumar_image;

/* Reads JPEG (turned upright by its EXIF orientation), PNG, BMP, PPM or PGM by content. Free with jumar_image_free.
 * JUMAR_NOT_FOUND, JUMAR_CORRUPT, JUMAR_UNSUPPORTED (another format), JUMAR_INVALID_ARGUMENT (too large, not a file).
 * On failure *image is zero. */
JUMAR_API jumar_status jumar_image_read(const char *path, jumar_image *image);
/* Writes by the ending .jpg, .png or .ppm: complete or not at all. */
JUMAR_API jumar_status jumar_image_write(const char *path, const jumar_image *image);
/* Accepts a zero image. */
JUMAR_API void jumar_image_free(jumar_image *image);

/* ---- Detection ---- */

typedef struct jumar_detector jumar_detector;

typedef struct jumar_box {
    float x1, y1, x2, y2; /* corners in pixels of the picture */
    float score;          /* 0..1 */
    int32_t label;        /* class number from 0 */
} jumar_box;

/* All zero means the defaults. */
typedef struct jumar_detect_options {
    float confidence;      /* boxes with a lower score are dropped; 0 means 0.25 */
    float iou;             /* of two boxes that overlap more than this, the better stays; 0 means 0.45 */
    int32_t agnostic;      /* not 0: boxes of different classes compete as well */
    const int32_t *labels; /* only these classes; NULL for all */
    size_t label_count;
} jumar_detect_options;

/* Opens the .om of a detector; `threads` as in jumar_session_open. `family` names the preprocessing ("yolo", "yolox",
 * ...); NULL takes what the file says, else what fits its outputs. *out is NULL on failure.
 * JUMAR_UNSUPPORTED: not one picture as input, or outputs of no known detection head. */
JUMAR_API jumar_status jumar_detector_open(const char *path, unsigned threads, const char *family,
                                           jumar_detector **out);
/* Accepts NULL. */
JUMAR_API void jumar_detector_close(jumar_detector *detector);

/* Finds objects, best score first, at most `capacity` and 300 of them. `options` may be NULL. */
JUMAR_API jumar_status jumar_detector_detect(jumar_detector *detector, const jumar_image *image,
                                             const jumar_detect_options *options, jumar_box *boxes, size_t capacity,
                                             size_t *count);

/* Class names that the file holds; NULL outside [0, count). */
JUMAR_API size_t jumar_detector_label_count(const jumar_detector *detector);
JUMAR_API const char *jumar_detector_label(const jumar_detector *detector, int32_t label);
/* Classes that the outputs tell apart; 0 when their shapes do not say. */
JUMAR_API size_t jumar_detector_class_count(const jumar_detector *detector);
/* What was decided when the detector was opened: "YOLOv8 to v12: ..." and the family's name. */
JUMAR_API const char *jumar_detector_head(const jumar_detector *detector);
JUMAR_API const char *jumar_detector_family(const jumar_detector *detector);

/* Draws the boxes with the detector's class names ("class 7" without). `detector` may be NULL. */
JUMAR_API jumar_status jumar_draw_boxes(const jumar_image *image, const jumar_box *boxes, size_t count,
                                        const jumar_detector *detector);

#ifdef __cplusplus
}
#endif

#endif
