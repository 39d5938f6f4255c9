/* SPDX-License-Identifier: Apache-2.0
 *
 * From the output tensors of a model to objects in input pixels: which head it has, decoding, and non-maximum
 * suppression. What a task adds to boxes (masks, keypoints, corners) is made of the boxes that are left: results.h.
 */
#ifndef JUMAR_VISION_DETECTION_H
#define JUMAR_VISION_DETECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "tensor/tensor.h"
#include "vision/preprocess.h"

typedef enum jm_task { JM_TASK_DETECT, JM_TASK_SEGMENT, JM_TASK_POSE, JM_TASK_ORIENTED, JM_TASK_CLASSIFY } jm_task;

typedef struct jm_box {
    float x1, y1, x2, y2; /* corners in pixels; of an oriented box, before it is turned */
    float score;          /* 0..1 */
    int label;            /* class number from 0 */
    float angle;          /* oriented boxes: turned around the centre, radians, from x towards y; else 0 */
    int row;              /* which row of the head it comes from: jm_head_extra */
} jm_box;

/* A list of boxes, best score first after jm_nms. Zero-initialise; jm_alloc memory. */
typedef struct jm_boxes {
    jm_box *box;
    size_t count, capacity;
    bool oriented; /* angles count */
} jm_boxes;

void jm_boxes_destroy(jm_boxes *boxes);

/* X(name, text for `jumar info`) */
#define JM_HEAD_LIST(X)                                                                                                \
    X(JM_HEAD_YOLOV5, "YOLOv5, v6, v7: [1,N,5+C], centre, size, objectness, classes")                                  \
    X(JM_HEAD_YOLOV8, "YOLOv8 to v12: [1,4+C,N], centre, size, classes")                                               \
    X(JM_HEAD_END_TO_END, "end-to-end (v10, v26): [1,K,6], corners, score, class")                                     \
    X(JM_HEAD_RTDETR, "RT-DETR: [1,K,4+C], centre and size as parts of the input, classes")                            \
    X(JM_HEAD_RTDETR_BEST, "RT-DETR: [1,K,6], centre and size as parts of the input, score, class")                    \
    X(JM_HEAD_YOLOX, "YOLOX: [1,N,5+C] on a grid")                                                                     \
    X(JM_HEAD_ANCHORS, "raw heads with anchors: [1,3*(5+C),h,w] or [1,3,h,w,5+C] for each stride")                     \
    X(JM_HEAD_DFL, "raw YOLOv8 heads: [1,64+C,h,w] for each stride")                                                   \
    X(JM_HEAD_NANODET, "NanoDet, PicoDet: classes [1,n,C] and distances [1,n,32] for each stride")                     \
    X(JM_HEAD_NANODET_PLUS, "NanoDet-Plus: [1,N,C+32] on a grid of four strides")                                      \
    X(JM_HEAD_FASTESTDET, "FastestDet: [1,5+C,h,w]")                                                                   \
    X(JM_HEAD_YUNET, "YuNet: cls, obj, bbox and kps for each stride")                                                  \
    X(JM_HEAD_CORNERS, "DAMO-YOLO, YOLO-NAS, PP-YOLOE: corners [1,N,4] in pixels and classes [1,N,C]")                 \
    X(JM_HEAD_SSD, "SSD: corners [1,N,4] as parts of the input and classes [1,N,1+C], background first")               \
    X(JM_HEAD_YOLOV4, "YOLOv4: corners [1,N,1,4] as parts of the input and classes [1,N,C]")                           \
    X(JM_HEAD_CLASSES, "classifier: [1,C]")

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

enum { JM_HEAD_SCALES = 5, JM_MAX_KEYPOINTS = 1000 };

/* Boxes of a head with anchors: YOLOv5's formula, or Darknet's. */
typedef struct jm_anchors {
    const char *family;
    int scales;   /* from the smallest stride */
    bool darknet; /* x = (sigmoid(x) + gx) s, w = exp(w) aw; else x = (2 sigmoid(x) + gx - 0.5) s, w = (2 sigmoid(w))^2
                   * aw
                   */
    float size[3][3][2]; /* [scale][anchor][width, height] in pixels */
} jm_anchors;

typedef struct jm_head {
    jm_head_kind kind;
    jm_task task;
    int classes;
    int input_width, input_height;
    int scales;                        /* feature maps of heads that have one output (or more) per map */
    int scale_output[JM_HEAD_SCALES];  /* index of that map's (first) output; of the classes where boxes are apart */
    int box_output[JM_HEAD_SCALES];    /* index of the map's box output, where there is one */
    int object_output[JM_HEAD_SCALES]; /* YuNet */
    int row_output;                    /* output that holds the rows of heads that have only one list of them */
    int extra;                         /* values of a row behind its box and classes: mask, keypoints or angle */
    int prototypes;                    /* segmentation: output [1,extra,h,w] */
    int keypoints, keypoint_values;    /* pose: values are 2 (x, y) or 3 (and a score) */
    bool classes_first;                /* classes are [1,C,N], not [1,N,C] */
    const jm_anchors *anchors;
} jm_head;

/* What is known beside the outputs. Zero and NULL mean unknown. */
typedef struct jm_head_hints {
    int labels;         /* number of class names: it settles ambiguous channel counts */
    const char *task;   /* "detect", "segment", "pose", "obb" or "classify" */
    const char *family; /* name of a family that has a head of its own; others are no hint */
    int keypoints, keypoint_values;
} jm_head_hints;

const char *jm_head_text(jm_head_kind kind);
const char *jm_task_name(jm_task task);
/* The anchors of a family; NULL when it has none of its own. */
const jm_anchors *jm_anchors_find(const char *family);

/* Finds the head from the shapes and names of the outputs.
 * JM_UNSUPPORTED: the outputs are none of the known heads, or not those of the task; the message lists their shapes. */
JM_MUST_USE jm_status jm_head_identify(const jm_head_output *output, int outputs, int input_width, int input_height,
                                       const jm_head_hints *hints, jm_head *head);
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
 * finite are dropped. A classifier has no boxes. */
JM_MUST_USE jm_status jm_head_decode(const jm_head *head, const jm_head_output *output,
                                     const jm_detect_options *options, jm_boxes *boxes);
/* The `head->extra` values of a row. */
void jm_head_extra(const jm_head *head, const jm_head_output *output, int row, float *value);
/* The best classes of a classifier, best first, as boxes without corners; logits go through softmax. `limit` of them.
 */
JM_MUST_USE jm_status jm_head_classify(const jm_head *head, const jm_head_output *output, int limit, jm_boxes *best);

/* Sorts by score (ties: earlier box first) and keeps the boxes that overlap no kept one more than options->iou. */
JM_MUST_USE jm_status jm_nms(const jm_detect_options *options, jm_boxes *boxes);
/* Input pixels to picture pixels, clipped to the picture; boxes without area are dropped. Not for oriented boxes. */
void jm_boxes_to_picture(const jm_placement *placement, jm_boxes *boxes);
/* Intersection over union of two boxes; 0 when either is empty. */
float jm_box_iou(const jm_box *a, const jm_box *b);

/* ---- Oriented boxes ---- */

/* The corners of a turned box, in order around it, beginning with the one that was at (x1, y1). */
void jm_box_corners(const jm_box *box, float corner[4][2]);
/* Intersection over union of two turned boxes, by clipping one polygon with the other; 0 when either is empty. */
float jm_oriented_iou(const jm_box *a, const jm_box *b);

#endif
