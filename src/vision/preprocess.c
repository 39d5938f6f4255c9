/* SPDX-License-Identifier: Apache-2.0 */
#include "vision/preprocess.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

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

/* ---- Resize ---- */

/* Weights are 11-bit integers, so that every machine rounds alike. */
enum { WEIGHT_BITS = 11, WEIGHT_ONE = 1 << WEIGHT_BITS };

/* Output sample i of one axis mixes source samples at[0] and at[1] by weight[0] and weight[1]. */
typedef struct tap {
    int at[2];
    int weight[2];
} tap;

static void fill_taps(tap *taps, int from, int to)
{
    double step = (double)from / to;
    for (int i = 0; i < to; i++) {
        double centre = (i + 0.5) * step - 0.5;
        double floor_centre = floor(centre);
        int at = (int)floor_centre;
        int weight = (int)lrint((centre - floor_centre) * WEIGHT_ONE);
        taps[i] = (tap){{JM_MIN(JM_MAX(at, 0), from - 1), JM_MIN(JM_MAX(at + 1, 0), from - 1)},
                        {WEIGHT_ONE - weight, weight}};
    }
}

/* One source row scaled horizontally; samples carry WEIGHT_BITS of fraction. */
static void scale_row(const uint8_t *row, const tap *taps, int width, int *out)
{
    for (int x = 0; x < width; x++, out += 3) {
        const uint8_t *a = row + (size_t)taps[x].at[0] * 3, *b = row + (size_t)taps[x].at[1] * 3;
        for (int c = 0; c < 3; c++) out[c] = a[c] * taps[x].weight[0] + b[c] * taps[x].weight[1];
    }
}

jm_status jm_image_resize(const jm_image *image, const jm_image *target)
{
    size_t stride = (size_t)image->width * 3, width = (size_t)target->width * 3;
    if (image->width == target->width && image->height == target->height) {
        memcpy(target->rgb, image->rgb, stride * (size_t)image->height);
        return JM_OK;
    }
    tap *x_taps = jm_alloc((size_t)target->width, sizeof *x_taps);
    tap *y_taps = jm_alloc((size_t)target->height, sizeof *y_taps);
    int *rows = jm_alloc(width, 2 * sizeof *rows);
    jm_status status = x_taps && y_taps && rows ? JM_OK : JM_OUT_OF_MEMORY;
    if (status == JM_OK) {
        fill_taps(x_taps, image->width, target->width);
        fill_taps(y_taps, image->height, target->height);
        int *line[2] = {rows, rows + width}, held[2] = {-1, -1};
        for (int y = 0; y < target->height; y++) {
            /* The lower line of the last output row is often the upper one of this row. */
            if (y_taps[y].at[0] == held[1] && y_taps[y].at[0] != held[0]) {
                int *swap = line[0];
                line[0] = line[1];
                line[1] = swap;
                held[0] = held[1];
                held[1] = -1;
            }
            for (int k = 0; k < 2; k++) {
                if (held[k] == y_taps[y].at[k]) continue;
                held[k] = y_taps[y].at[k];
                scale_row(image->rgb + (size_t)held[k] * stride, x_taps, target->width, line[k]);
            }
            uint8_t *out = target->rgb + (size_t)y * width;
            int upper = y_taps[y].weight[0], lower = y_taps[y].weight[1];
            for (size_t i = 0; i < width; i++)
                out[i] = (uint8_t)((line[0][i] * upper + line[1][i] * lower + (1 << (2 * WEIGHT_BITS - 1))) >>
                                   2 * WEIGHT_BITS);
        }
    }
    jm_free(x_taps);
    jm_free(y_taps);
    jm_free(rows);
    return status;
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
    jm_image inner;
    JM_TRY(jm_image_create(inner_width, inner_height, &inner));
    jm_status status = jm_image_resize(image, &inner);
    if (status != JM_OK) {
        jm_image_destroy(&inner);
        return status;
    }
    size_t plane = (size_t)width * (size_t)height;
    int left = (int)placement->offset_x, top = (int)placement->offset_y;
    for (int c = 0; c < 3; c++) {
        float value[256];
        for (int v = 0; v < 256; v++) value[v] = ((float)v - family->mean[c]) / family->deviation[c];
        float *out = tensor + (size_t)c * plane;
        if (inner_width < width || inner_height < height)
            for (size_t i = 0; i < plane; i++) out[i] = value[family->pad];
        /* The picture's part that lies inside the input: all of it, unless it is cropped. */
        for (int y = JM_MAX(-top, 0); y < JM_MIN(inner_height, height - top); y++) {
            const uint8_t *in = inner.rgb + (size_t)y * (size_t)inner_width * 3 + (family->bgr ? 2 - c : c);
            float *row = out + (size_t)(top + y) * (size_t)width;
            for (int x = JM_MAX(-left, 0); x < JM_MIN(inner_width, width - left); x++)
                row[left + x] = value[in[(size_t)x * 3]];
        }
    }
    jm_image_destroy(&inner);
    return JM_OK;
}
