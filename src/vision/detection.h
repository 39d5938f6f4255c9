/* SPDX-License-Identifier: Apache-2.0
 *
 * From the output tensors of a detector to boxes: which head it has, decoding, and non-maximum suppression.
 */
#ifndef JUMAR_VISION_DETECTION_H
#define JUMAR_VISION_DETECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "tensor/tensor.h"
#include "vision/preprocess.h"

typedef struct jm_box {
    float x1, y1, x2, y2; /* corners in pixels */
    float score;          /* 0..1 */
    int label;            /* class number from 0 */
} jm_box;

/* A list of boxes, best score first after jm_nms. Zero-initialise; jm_alloc memory. */
typedef struct jm_boxes {
    jm_box *box;
    size_t count, capacity;
} jm_boxes;

void jm_boxes_destroy(jm_boxes *boxes);

/* X(name, text for `jumar info`) */
#define JM_HEAD_LIST(X)                                                                                                \
    X(JM_HEAD_YOLOV5, "YOLOv5/v7: [1,N,5+C], centre, size, objectness, classes")                                       \
    X(JM_HEAD_YOLOV8, "YOLOv8 to v12: [1,4+C,N], centre, size, classes")                                               \
    X(JM_HEAD_END_TO_END, "end-to-end (v10, v26): [1,K,6], corners, score, class")                                     \
    X(JM_HEAD_YOLOX, "YOLOX: [1,N,5+C] on a grid")                                                                     \
    X(JM_HEAD_ANCHORS, "raw YOLOv5 heads: [1,3*(5+C),h,w] for each stride")                                            \
    X(JM_HEAD_DFL, "raw YOLOv8 heads: [1,64+C,h,w] for each stride")                                                   \
    X(JM_HEAD_NANODET, "NanoDet: classes [1,n,C] and distances [1,n,32] for each stride")                              \
    X(JM_HEAD_FASTESTDET, "FastestDet: [1,5+C,h,w]")                                                                   \
    X(JM_HEAD_YUNET, "YuNet: cls, obj, bbox and kps for each stride")

typedef enum jm_head_kind {
#define JM_HEAD_ENUM(name, text) name,
    JM_HEAD_LIST(JM_HEAD_ENUM)
#undef JM_HEAD_ENUM
} jm_head_kind;

/* A model output as it comes: f32, contiguous. */
typedef struct jm_head_output {
    const char *name;
    jm_shape shape;
    const float *data; /* NULL while only shapes matter */
} jm_head_output;

enum { JM_HEAD_SCALES = 5 };

typedef struct jm_head {
    jm_head_kind kind;
    int classes;
    int input_width, input_height;
    int scales;                        /* feature maps of heads that have one output (or more) per map */
    int scale_output[JM_HEAD_SCALES];  /* index of that map's (first) output */
    int box_output[JM_HEAD_SCALES];    /* NanoDet, YuNet: index of the map's box output */
    int object_output[JM_HEAD_SCALES]; /* YuNet */
} jm_head;

const char *jm_head_text(jm_head_kind kind);

/* Finds the head from the shapes and names of the outputs. `labels` is the number of class names known, 0 when
 * unknown: it settles ambiguous channel counts.
 * JM_UNSUPPORTED: the outputs are none of the known heads; the message lists their shapes. */
JM_MUST_USE jm_status jm_head_identify(const jm_head_output *output, int outputs, int input_width, int input_height,
                                       int labels, jm_head *head);
/* The preprocessing family that goes with the head when nothing else is known. */
const char *jm_head_family(const jm_head *head);

typedef struct jm_detect_options {
    float confidence; /* boxes below it are dropped; default 0.25 */
    float iou;        /* boxes of one class that overlap more are dropped; default 0.45 */
    bool agnostic;    /* overlap counts across classes */
    int limit;        /* most boxes kept; default 300 */
    const int *label; /* only these classes, or NULL for all */
    int labels;
} jm_detect_options;

#define JM_DETECT_DEFAULTS                                                                                             \
    {                                                                                                                  \
        .confidence = 0.25f, .iou = 0.45f, .limit = 300                                                                \
    }

/* Appends every box whose score reaches the confidence and whose class is wanted, in input pixels. Values that are not
 * finite are dropped. */
JM_MUST_USE jm_status jm_head_decode(const jm_head *head, const jm_head_output *output,
                                     const jm_detect_options *options, jm_boxes *boxes);
/* Sorts by score (ties: earlier box first) and keeps the boxes that overlap no kept one more than options->iou. */
JM_MUST_USE jm_status jm_nms(const jm_detect_options *options, jm_boxes *boxes);
/* Input pixels to picture pixels, clipped to the picture; boxes without area are dropped. */
void jm_boxes_to_picture(const jm_placement *placement, jm_boxes *boxes);
/* Intersection over union of two boxes; 0 when either is empty. */
float jm_box_iou(const jm_box *a, const jm_box *b);

#endif
