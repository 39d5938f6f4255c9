/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of Aipp: rows of an 8-bit picture become rows of normalised planes. The order is swap, crop, resize,
 * colours, normalisation, padding.
 */
#ifndef JUMAR_OPS_PICTURE_H
#define JUMAR_OPS_PICTURE_H

#include "kernels/picture.h"
#include "ops/op.h"

/* Attribute `format` of Aipp: the layout of the picture. */
enum { JM_PICTURE_YUV420SP = 1, JM_PICTURE_XRGB, JM_PICTURE_RGB, JM_PICTURE_YUV400 };

/* Two inputs of an output of a resized axis: ((2048 - weight) * a + weight * b) / 2048. */
typedef struct jm_picture_tap {
    int32_t a, b, weight;
} jm_picture_tap;

typedef struct jm_picture {
    int format, planes, channels; /* planes of the picture, channels of the result */
    bool swap, first_last;        /* exchange R and B, or U and V; the first byte of four goes to the end */
    int64_t batch, in_width, in_height;
    int64_t x, y, width, height;       /* the crop */
    int64_t inner_width, inner_height; /* after resizing */
    jm_picture_tap *column, *line;     /* NULL: not resized */
    int64_t left, top, out_width, out_height;
    bool mixed;
    int32_t matrix[9], in_bias[3], out_bias[3];
    int32_t mean[4];
    float low[4], scale[4], pad;
    size_t image;  /* bytes of one picture */
    size_t memory; /* bytes of all pictures when their parameters come with the run (picture_block.h); else 0 */
} jm_picture;

/* Channels of a picture of a format. */
int jm_picture_planes(int format);
/* Its bytes, for sides up to 2^15. */
size_t jm_picture_bytes(int format, int64_t width, int64_t height);

/* Checks the attributes of Aipp against the input and resolves them, but for the tables of resizing
 * and for what comes with the run. JM_INVALID_ARGUMENT with a sentence. */
JM_MUST_USE jm_status jm_picture_resolve(const jm_call *call, jm_picture *picture);
/* Makes the tables of resizing. JM_OUT_OF_MEMORY. */
JM_MUST_USE jm_status jm_picture_plan(jm_picture *picture, jm_arena *arena);
/* Bytes of scratch that the rows need. */
size_t jm_picture_scratch(const jm_picture *picture);
/* Row y of the result: `count` points of each channel from the first on, channel c at out + c * channel, as float32 or
 * (not normalised) as bytes. */
void jm_picture_row(const jm_picture *picture, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                    int64_t count, void *scratch, float *out, ptrdiff_t channel);
void jm_picture_row_bytes(const jm_picture *picture, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                          void *scratch, uint8_t *out, ptrdiff_t channel);

/* Index of each input and attribute in Aipp's table. */
enum { JM_AIPP_PICTURE, JM_AIPP_PARAMETERS };
enum {
    JM_AIPP_ATTR_FORMAT,
    JM_AIPP_ATTR_CHANNELS,
    JM_AIPP_ATTR_SWAP,
    JM_AIPP_ATTR_FIRST_LAST,
    JM_AIPP_ATTR_CROP,
    JM_AIPP_ATTR_RESIZE,
    JM_AIPP_ATTR_PADS,
    JM_AIPP_ATTR_MATRIX,
    JM_AIPP_ATTR_BIAS,
    JM_AIPP_ATTR_MEAN,
    JM_AIPP_ATTR_MIN,
    JM_AIPP_ATTR_SCALE,
    JM_AIPP_ATTR_PAD_VALUE,
    JM_AIPP_ATTR_TO,
    JM_AIPP_ATTR_SIZE
};

#endif
