/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of pictures as bytes: the input `parameters` of Aipp, which a program fills before a run. One common part,
 * then one part for each picture of the batch, little-endian and without padding. Size and places are those that the
 * vendor's runtime uses, except that `low` and `scale` are float32, so that they mean the same as in a model whose
 * parameters are fixed.
 */
#ifndef JUMAR_OPS_PICTURE_BLOCK_H
#define JUMAR_OPS_PICTURE_BLOCK_H

#include "ops/picture.h"

/* Switches are 0 or 1. */
typedef struct jm_picture_common {
    int8_t format; /* as the attribute of Aipp; 0: nothing was set */
    int8_t convert, swap, first_last;
    int32_t batch, width, height; /* parts that follow; of the source */
    int16_t matrix[9];
    uint8_t unused_1[6], out_bias[3], in_bias[3], unused_2[18];
} jm_picture_common;

typedef struct jm_picture_own {
    int8_t crop, resize, pad, rotate;
    uint8_t unused[4];
    int32_t x, y, width, height;      /* the crop */
    int32_t resize_size[4];           /* input width and height, output width and height */
    int32_t top, bottom, left, right; /* padding */
    int16_t mean[4];
    float low[4], scale[4];
} jm_picture_own;

_Static_assert(sizeof(jm_picture_common) == 64 && sizeof(jm_picture_own) == 96, "the sizes of the vendor's data");

#define JM_PICTURE_MAX_BATCH 65536

/* Bytes of the parameters of a batch. JM_OUT_OF_RANGE: it is negative or above the limit. */
JM_MUST_USE jm_status jm_picture_block_bytes(int64_t batch, size_t *bytes);

/* The picture of a call whose parameters come with the run: what `fixed` holds of the call, and these parameters of
 * picture n. Without crop and padding the source has the size of the result, whatever the parameters say: one set
 * serves a model of several image sizes. `bytes` is the memory of the whole batch.
 * JM_INVALID_ARGUMENT, with a sentence: they do not fit each other, the call or the memory. */
JM_MUST_USE jm_status jm_picture_set(const jm_picture *fixed, const jm_picture_common *common,
                                     const jm_picture_own *own, size_t bytes, jm_picture *picture);
/* The same from a block, of which the call has checked the size. */
JM_MUST_USE jm_status jm_picture_read(const jm_picture *fixed, const void *block, int64_t n, jm_picture *picture);

/* Parameters under which pictures of the call's size go in as they are: format by the channels, scale 1. `block` has
 * the bytes of the call's batch. */
void jm_picture_neutral(const jm_picture *fixed, void *block);

#endif
