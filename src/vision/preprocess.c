/* SPDX-License-Identifier: Apache-2.0 */
#include "vision/preprocess.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/kernels.h"

/* ---- Families ---- */

static const jm_family families[] = {
    {"yolo",
     "YOLOv5 to v12, v26 (Ultralytics exports): RGB, 0..1, letterbox 114 in the centre",
     false,
     JM_FIT_LETTERBOX_CENTRE,
     114,
     {0, 0, 0},
     {255, 255, 255}},
    {"yolov3", "YOLOv3, raw heads: as yolo", false, JM_FIT_LETTERBOX_CENTRE, 114, {0, 0, 0}, {255, 255, 255}},
    {"yolov3-tiny", "YOLOv3-tiny, raw heads: as yolo", false, JM_FIT_LETTERBOX_CENTRE, 114, {0, 0, 0}, {255, 255, 255}},
    {"yolov4", "YOLOv4: RGB, 0..1, stretched", false, JM_FIT_STRETCH, 0, {0, 0, 0}, {255, 255, 255}},
    {"yolov4-tiny", "YOLOv4-tiny: RGB, 0..1, stretched", false, JM_FIT_STRETCH, 0, {0, 0, 0}, {255, 255, 255}},
    {"yolov6",
     "YOLOv6 with an objectness column: as yolo",
     false,
     JM_FIT_LETTERBOX_CENTRE,
     114,
     {0, 0, 0},
     {255, 255, 255}},
    {"yolov7",
     "YOLOv7, raw heads with its anchors: as yolo",
     false,
     JM_FIT_LETTERBOX_CENTRE,
     114,
     {0, 0, 0},
     {255, 255, 255}},
    {"yolox",
     "YOLOX: BGR, 0..255, letterbox 114 at the top left",
     true,
     JM_FIT_LETTERBOX_CORNER,
     114,
     {0, 0, 0},
     {1, 1, 1}},
    {"nanodet",
     "NanoDet: BGR, ImageNet mean and deviation, stretched",
     true,
     JM_FIT_STRETCH,
     0,
     {103.53f, 116.28f, 123.675f},
     {57.375f, 57.12f, 58.395f}},
    {"picodet",
     "PicoDet: RGB, ImageNet mean and deviation, stretched",
     false,
     JM_FIT_STRETCH,
     0,
     {123.675f, 116.28f, 103.53f},
     {58.395f, 57.12f, 57.375f}},
    {"rtdetr", "RT-DETR: RGB, 0..1, stretched", false, JM_FIT_STRETCH, 0, {0, 0, 0}, {255, 255, 255}},
    {"damo",
     "DAMO-YOLO: RGB, 0..255, letterbox 0 at the top left",
     false,
     JM_FIT_LETTERBOX_CORNER,
     0,
     {0, 0, 0},
     {1, 1, 1}},
    {"ssd", "SSD: RGB, (pixel - 127) / 128, stretched", false, JM_FIT_STRETCH, 0, {127, 127, 127}, {128, 128, 128}},
    {"fastestdet", "FastestDet: BGR, 0..1, stretched", true, JM_FIT_STRETCH, 0, {0, 0, 0}, {255, 255, 255}},
    {"yunet",
     "YuNet faces: BGR, 0..255, letterbox 0 at the top left",
     true,
     JM_FIT_LETTERBOX_CORNER,
     0,
     {0, 0, 0},
     {1, 1, 1}},
    {"classify",
     "classifiers of Ultralytics: RGB, 0..1, the middle of the picture",
     false,
     JM_FIT_CROP,
     0,
     {0, 0, 0},
     {255, 255, 255}},
    {"imagenet",
     "other classifiers: RGB, ImageNet mean and deviation, the middle of the picture",
     false,
     JM_FIT_CROP,
     0,
     {123.675f, 116.28f, 103.53f},
     {58.395f, 57.12f, 57.375f}},
};

const jm_family *jm_family_all(int *count)
{
    *count = (int)JM_COUNT(families);
    return families;
}

jm_status jm_family_find(const char *name, const jm_family **out)
{
    *out = NULL;
    char names[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < JM_COUNT(families); i++) {
        if (strcmp(families[i].name, name) == 0) {
            *out = &families[i];
            return JM_OK;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", families[i].name);
    }
    return jm_error(JM_NOT_FOUND, "unknown family '%s'; use one of %s", name, names);
}

/* ---- Scaling ---- */

/* Weights are 11-bit integers, as the kernels take them: every machine rounds alike. */
enum { WEIGHT_ONE = 2048 };

/* Output sample i of one axis mixes source sample at[i] with the next one, which has weight[i]. */
typedef struct taps {
    int32_t *at, *weight;
} taps;

static void taps_fill(const taps *axis, int from, int to)
{
    double step = (double)from / to;
    for (int i = 0; i < to; i++) {
        double centre = (i + 0.5) * step - 0.5;
        double floor_centre = floor(centre);
        int at = (int)floor_centre, weight = (int)lrint((centre - floor_centre) * WEIGHT_ONE);
        if (at < 0) at = weight = 0; /* beyond an edge is the edge */
        if (at > from - 2) {
            at = JM_MAX(from - 2, 0);
            weight = from > 1 ? WEIGHT_ONE : 0;
        }
        axis->at[i] = at;
        axis->weight[i] = weight;
    }
}

/* What one picture needs: taps of both axes, in elements of a row across, and a row with room behind its last pixel. */
typedef struct scaling {
    taps across, down;
    int32_t *row;
} scaling;

static void scaling_destroy(const scaling *s)
{
    jm_free(s->across.at);
    jm_free(s->down.at);
    jm_free(s->row);
}

static jm_status scaling_create(const jm_image *image, int width, int height, scaling *out)
{
    int32_t *across = jm_alloc((size_t)width, 2 * sizeof *across), *down = jm_alloc((size_t)height, 2 * sizeof *down);
    int32_t *row = jm_alloc((size_t)image->width + 1, 3 * sizeof *row);
    *out = (scaling){{across, across ? across + width : NULL}, {down, down ? down + height : NULL}, row};
    if (!across || !down || !row) {
        scaling_destroy(out);
        return JM_OUT_OF_MEMORY;
    }
    taps_fill(&out->across, image->width, width);
    taps_fill(&out->down, image->height, height);
    for (int i = 0; i < width; i++) out->across.at[i] *= 3;
    return JM_OK;
}

/* ---- Into the tensor ---- */

static jm_placement place(const jm_family *family, const jm_image *image, int width, int height, int *inner_width,
                          int *inner_height)
{
    jm_placement p = {.width = image->width, .height = image->height};
    *inner_width = width;
    *inner_height = height;
    if (family->fit != JM_FIT_STRETCH) {
        double x = (double)width / image->width, y = (double)height / image->height;
        double ratio = family->fit == JM_FIT_CROP ? fmax(x, y) : fmin(x, y);
        *inner_width = JM_MAX((int)lrint(image->width * ratio), 1);
        *inner_height = JM_MAX((int)lrint(image->height * ratio), 1);
    }
    if (family->fit == JM_FIT_LETTERBOX_CENTRE || family->fit == JM_FIT_CROP) {
        /* An odd rest goes to the right and the bottom. */
        p.offset_x = (float)((width - *inner_width) / 2);
        p.offset_y = (float)((height - *inner_height) / 2);
    }
    p.scale_x = (float)*inner_width / (float)image->width;
    p.scale_y = (float)*inner_height / (float)image->height;
    return p;
}

jm_status jm_preprocess(const jm_family *family, const jm_image *image, int width, int height, float *tensor,
                        jm_placement *placement)
{
    if (width < 1 || height < 1)
        return jm_error(JM_INVALID_ARGUMENT, "a model input of %d x %d pixels is not possible", width, height);
    int inner_width, inner_height;
    *placement = place(family, image, width, height, &inner_width, &inner_height);
    const jm_kernels *kernels;
    JM_TRY(jm_kernels_get(&kernels));
    scaling scaled;
    JM_TRY(scaling_create(image, inner_width, inner_height, &scaled));
    /* The picture's part that lies inside the input: all of it, unless it is cropped. */
    const int left = (int)placement->offset_x, top = (int)placement->offset_y;
    const int begin = JM_MAX(-left, 0), end = JM_MIN(inner_width, width - left);
    const size_t stride = (size_t)image->width * 3, plane = (size_t)width * (size_t)height;
    for (int y = 0; y < height; y++) {
        const bool inside = y >= top && y < top + inner_height;
        if (inside) {
            const size_t at = (size_t)scaled.down.at[y - top];
            const uint8_t *upper = image->rgb + at * stride, *lower = image->height > 1 ? upper + stride : upper;
            kernels->picture.blend(upper, lower, stride, scaled.down.weight[y - top], scaled.row);
        }
        for (int c = 0; c < 3; c++) {
            float *row = tensor + (size_t)c * plane + (size_t)y * (size_t)width;
            const float padding = ((float)family->pad - family->mean[c]) / family->deviation[c];
            const int from = inside ? left + begin : width, to = inside ? left + end : width;
            for (int x = 0; x < from; x++) row[x] = padding;
            if (inside)
                kernels->picture.spread(scaled.row + (family->bgr ? 2 - c : c), scaled.across.at + begin,
                                        scaled.across.weight + begin, (size_t)(end - begin), family->mean[c],
                                        family->deviation[c], row + from);
            for (int x = to; x < width; x++) row[x] = padding;
        }
    }
    scaling_destroy(&scaled);
    return JM_OK;
}
