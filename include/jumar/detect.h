/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding objects in pictures: a model file of a detector, a picture, a list of boxes. With masks, keypoints, turned
 * boxes or the classes of the whole picture, where the model says so: jumar_detector_predict.
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

/* Finds objects, best score first, at most `capacity` and 300 of them. `options` may be NULL. Of other tasks than
 * detection these are the boxes alone. JUMAR_UNSUPPORTED: the model is a classifier. */
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

/* ---- Every task ---- */

/* What a model does. The file says it (metadata "task", from the export), else its outputs. */
typedef enum jumar_task {
    JUMAR_TASK_DETECT = 0,   /* boxes */
    JUMAR_TASK_SEGMENT = 1,  /* boxes and masks */
    JUMAR_TASK_POSE = 2,     /* boxes and keypoints */
    JUMAR_TASK_ORIENTED = 3, /* turned boxes */
    JUMAR_TASK_CLASSIFY = 4  /* the five best classes of the whole picture */
} jumar_task;

/* "detect", "segment", "pose", "obb" or "classify". Never NULL. */
JUMAR_API const char *jumar_task_name(jumar_task task);
JUMAR_API jumar_task jumar_detector_task(const jumar_detector *detector);

typedef struct jumar_keypoint {
    float x, y;  /* in pixels of the picture; may lie outside of it */
    float score; /* 0..1: how sure it is that the point is visible; 1 where the model does not say */
} jumar_keypoint;

typedef struct jumar_oriented_box {
    float corner[4][2];  /* x, y in pixels of the picture, in order around the box; may lie outside of it */
    float x, y;          /* centre */
    float width, height; /* width is the length of the side from corner 0 to corner 1 */
    float angle;         /* of that side, in radians, from x (right) towards y (down), -pi..pi */
} jumar_oriented_box;

/* The pixels of an object as lengths of runs, in the order of COCO: down the first column of the picture, then the
 * second, ...; first a run outside the object (perhaps of 0 pixels), then one inside, and so on. The runs add up to
 * the picture. */
typedef struct jumar_mask {
    const uint32_t *run;
    size_t runs;
    uint64_t area; /* pixels inside */
} jumar_mask;

/* Writes 1 for pixels inside and 0 for others, row by row. The size must be that of the picture, else
 * JUMAR_INVALID_ARGUMENT. */
JUMAR_API jumar_status jumar_mask_pixels(const jumar_mask *mask, int32_t width, int32_t height, uint8_t *pixel);

/* What was found in one picture, best score first. Immutable. */
typedef struct jumar_results jumar_results;

/* The work of jumar_detector_detect for every task: at most 300 objects, or five classes (whatever their score).
 * A mask is where the combination of the prototypes is above 0, between their samples by bilinear interpolation,
 * cropped to the box. Of two turned boxes the overlap is that of the polygons. *out is NULL on failure. Free with
 * jumar_results_free; results outlive the detector. */
JUMAR_API jumar_status jumar_detector_predict(jumar_detector *detector, const jumar_image *image,
                                              const jumar_detect_options *options, jumar_results **out);
/* Accepts NULL. */
JUMAR_API void jumar_results_free(jumar_results *results);

JUMAR_API jumar_task jumar_results_task(const jumar_results *results);
JUMAR_API size_t jumar_results_count(const jumar_results *results);
/* NULL outside [0, count). Of a turned box the upright box around it, cut at the picture's edges; of a class the whole
 * picture. */
JUMAR_API const jumar_box *jumar_results_box(const jumar_results *results, size_t index);
/* NULL outside [0, count) and for models of other tasks. */
JUMAR_API const jumar_mask *jumar_results_mask(const jumar_results *results, size_t index);
JUMAR_API const jumar_oriented_box *jumar_results_oriented(const jumar_results *results, size_t index);
/* Array of jumar_results_keypoint_count points. */
JUMAR_API const jumar_keypoint *jumar_results_keypoints(const jumar_results *results, size_t index);
JUMAR_API size_t jumar_results_keypoint_count(const jumar_results *results);

/* Draws all of it, as jumar_draw_boxes does: masks as a tint, keypoints as dots with the skeleton of a person where
 * there are COCO's 17, turned boxes as they lie, classes as a list. The size of the picture must be that of the
 * results' picture. */
JUMAR_API jumar_status jumar_draw_results(const jumar_image *image, const jumar_results *results,
                                          const jumar_detector *detector);

#ifdef __cplusplus
}
#endif

#endif
