/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/picture_block.h"

#include <string.h>

enum { MOST_SIDE = 4096, MOST_PAD = 32 };

#define WRONG(...) jm_error(JM_INVALID_ARGUMENT, __VA_ARGS__)

jm_status jm_picture_block_bytes(int64_t batch, size_t *bytes)
{
    if (batch < 0 || batch > JM_PICTURE_MAX_BATCH)
        return jm_error(JM_OUT_OF_RANGE, "a batch of %lld pictures; there may be %d", (long long)batch,
                        JM_PICTURE_MAX_BATCH);
    *bytes = sizeof(jm_picture_common) + (size_t)batch * sizeof(jm_picture_own);
    return JM_OK;
}

/* ---- Checks ---- */

static jm_status check_format(const jm_picture *p, const jm_picture_common *common)
{
    if (common->format == 0) return WRONG("the format of the picture was not set");
    if (common->format < JM_PICTURE_YUV420SP || common->format > JM_PICTURE_YUV400)
        return WRONG("there is no picture format %d", common->format);
    const int planes = jm_picture_planes(common->format);
    if (p->channels != planes && !(common->format == JM_PICTURE_XRGB && p->channels == 3))
        return WRONG("pictures of format %d have %d channels and the model takes %d", common->format, planes,
                     p->channels);
    if (common->convert && common->format == JM_PICTURE_YUV400)
        return WRONG("a picture of YUV400 has no colours to convert");
    return JM_OK;
}

static jm_status check_source(const jm_picture *p)
{
    if (p->in_width < 2 || p->in_width > MOST_SIDE || p->in_height < 1 || p->in_height > MOST_SIDE)
        return WRONG("the source is %lld x %lld (width x height); it must be 2 to %d by 1 to %d",
                     (long long)p->in_width, (long long)p->in_height, MOST_SIDE, MOST_SIDE);
    if (p->format == JM_PICTURE_YUV420SP && (p->in_width % 2 || p->in_height % 2))
        return WRONG("the source of %lld x %lld (width x height) must be even with YUV420SP", (long long)p->in_width,
                     (long long)p->in_height);
    return JM_OK;
}

static jm_status check_memory(const jm_picture *p, const jm_picture_common *common, size_t bytes)
{
    size_t all;
    if (common->batch < p->batch)
        return WRONG("there are parameters for %d pictures and the batch has %lld", common->batch, (long long)p->batch);
    if (jm_size_mul((size_t)p->batch, p->image, &all) && all <= bytes) return JM_OK;
    return WRONG("%lld pictures of %zu bytes are more than the %zu bytes that there are", (long long)p->batch, p->image,
                 bytes);
}

static jm_status check_sizes(const jm_picture *p, const jm_picture_own *own)
{
    const int64_t right = own->pad ? own->right : 0, bottom = own->pad ? own->bottom : 0;
    if (own->resize) return WRONG("pictures with parameters of the run are not resized");
    if (p->x < 0 || p->y < 0 || p->width < 1 || p->height < 1 || p->width > p->in_width - p->x ||
        p->height > p->in_height - p->y)
        return WRONG("the crop from %lld,%lld of %lld x %lld does not lie in the source of %lld x %lld",
                     (long long)p->x, (long long)p->y, (long long)p->width, (long long)p->height,
                     (long long)p->in_width, (long long)p->in_height);
    if (p->format == JM_PICTURE_YUV420SP && (p->x % 2 || p->y % 2))
        return WRONG("the crop from %lld,%lld must begin at even numbers with YUV420SP", (long long)p->x,
                     (long long)p->y);
    if (p->left < 0 || p->left > MOST_PAD || right < 0 || right > MOST_PAD || p->top < 0 || p->top > MOST_PAD ||
        bottom < 0 || bottom > MOST_PAD)
        return WRONG("a padding is outside of 0 to %d", MOST_PAD);
    if (p->left + p->width + right == p->out_width && p->top + p->height + bottom == p->out_height) return JM_OK;
    return WRONG("the result is %lld x %lld (width x height) and the model takes %lld x %lld",
                 (long long)(p->left + p->width + right), (long long)(p->top + p->height + bottom),
                 (long long)p->out_width, (long long)p->out_height);
}

static jm_status check_mean(const jm_picture *p)
{
    for (int c = 0; c < 4; c++)
        if (p->mean[c] < 0 || p->mean[c] > 255) return WRONG("the mean %d is outside of 0 to 255", p->mean[c]);
    return JM_OK;
}

/* ---- Taking over ---- */

static void take_colours(jm_picture *p, const jm_picture_common *common, const jm_picture_own *own)
{
    const bool yuv = common->format == JM_PICTURE_YUV420SP;
    p->format = common->format;
    p->planes = jm_picture_planes(common->format);
    p->swap = common->swap != 0;
    p->first_last = common->first_last != 0 && common->format == JM_PICTURE_XRGB;
    p->mixed = common->convert != 0;
    for (int i = 0; i < 9; i++) p->matrix[i] = common->matrix[i];
    for (int i = 0; i < 3; i++) {
        p->in_bias[i] = yuv ? common->in_bias[i] : 0;
        p->out_bias[i] = yuv ? 0 : common->out_bias[i];
    }
    for (int c = 0; c < 4; c++) {
        p->mean[c] = own->mean[c];
        p->low[c] = own->low[c];
        p->scale[c] = own->scale[c];
    }
    p->pad = 0;
}

static void take_sizes(jm_picture *p, const jm_picture_common *common, const jm_picture_own *own)
{
    const bool follows = !own->crop && !own->pad;
    p->in_width = follows ? p->out_width : common->width;
    p->in_height = follows ? p->out_height : common->height;
    p->x = own->crop ? own->x : 0;
    p->y = own->crop ? own->y : 0;
    p->width = p->inner_width = own->crop ? own->width : p->in_width;
    p->height = p->inner_height = own->crop ? own->height : p->in_height;
    p->left = own->pad ? own->left : 0;
    p->top = own->pad ? own->top : 0;
}

jm_status jm_picture_set(const jm_picture *fixed, const jm_picture_common *common, const jm_picture_own *own,
                         size_t bytes, jm_picture *picture)
{
    *picture = *fixed;
    JM_TRY(check_format(fixed, common));
    take_colours(picture, common, own);
    take_sizes(picture, common, own);
    JM_TRY(check_source(picture));
    picture->image = jm_picture_bytes(picture->format, picture->in_width, picture->in_height);
    JM_TRY(check_memory(picture, common, bytes));
    JM_TRY(check_sizes(picture, own));
    return check_mean(picture);
}

jm_status jm_picture_read(const jm_picture *fixed, const void *block, int64_t n, jm_picture *picture)
{
    /* Copies: the caller's memory need not be aligned. */
    jm_picture_common common;
    jm_picture_own own;
    memcpy(&common, block, sizeof common);
    memcpy(&own, (const char *)block + sizeof common + (size_t)n * sizeof own, sizeof own);
    return jm_picture_set(fixed, &common, &own, fixed->memory, picture);
}

void jm_picture_neutral(const jm_picture *fixed, void *block)
{
    const int8_t format = fixed->channels == 1   ? JM_PICTURE_YUV400
                          : fixed->channels == 3 ? JM_PICTURE_RGB
                                                 : JM_PICTURE_XRGB;
    const jm_picture_common common = {.format = format,
                                      .batch = (int32_t)fixed->batch,
                                      .width = (int32_t)fixed->out_width,
                                      .height = (int32_t)fixed->out_height};
    const jm_picture_own own = {.scale = {1, 1, 1, 1}};
    memcpy(block, &common, sizeof common);
    for (int64_t n = 0; n < fixed->batch; n++)
        memcpy((char *)block + sizeof common + (size_t)n * sizeof own, &own, sizeof own);
}
