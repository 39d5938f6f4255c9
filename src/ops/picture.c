/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/picture.h"

#include <math.h>
#include <string.h>

#include "ops/picture_block.h"

enum { MOST = 1 << 15, ONE = 2048 };

int jm_picture_planes(int format)
{
    static const int planes[] = {0, 3, 4, 3, 1};
    return planes[format];
}

size_t jm_picture_bytes(int format, int64_t width, int64_t height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    return format == JM_PICTURE_YUV420SP ? pixels / 2 * 3 : pixels * (size_t)jm_picture_planes(format);
}

/* ---- Attributes ---- */

static jm_status wrong(const jm_call *call, const char *what)
{
    return jm_call_error(call, JM_INVALID_ARGUMENT, "%s", what);
}

static bool has_count(const jm_attr *attr, int count)
{
    return attr->count == 0 || attr->count == count;
}

static bool ints_within(const jm_attr *attr, int64_t low, int64_t high)
{
    for (int i = 0; i < attr->count; i++)
        if (attr->ints[i] < low || attr->ints[i] > high) return false;
    return true;
}

static jm_status check_attributes(const jm_call *call)
{
    const jm_attr *a = call->attr;
    const bool later = jm_call_in(call, JM_AIPP_PARAMETERS) != NULL;
    if (a[JM_AIPP_ATTR_FORMAT].i < (later ? 0 : JM_PICTURE_YUV420SP) ||
        a[JM_AIPP_ATTR_FORMAT].i > (later ? 0 : JM_PICTURE_YUV400))
        return wrong(call, "format must be 1 .. 4, or 0 with parameters");
    if (!has_count(&a[JM_AIPP_ATTR_CROP], 4) || !has_count(&a[JM_AIPP_ATTR_RESIZE], 2) ||
        !has_count(&a[JM_AIPP_ATTR_PADS], 4) || !has_count(&a[JM_AIPP_ATTR_MATRIX], 9) ||
        !has_count(&a[JM_AIPP_ATTR_BIAS], 3) || !has_count(&a[JM_AIPP_ATTR_MEAN], 4) ||
        !has_count(&a[JM_AIPP_ATTR_MIN], 4) || !has_count(&a[JM_AIPP_ATTR_SCALE], 4))
        return wrong(call, "an attribute has the wrong number of values");
    if (!ints_within(&a[JM_AIPP_ATTR_MATRIX], -32768, 32767) || !ints_within(&a[JM_AIPP_ATTR_BIAS], 0, 255) ||
        !ints_within(&a[JM_AIPP_ATTR_MEAN], 0, 255) || !ints_within(&a[JM_AIPP_ATTR_CROP], 0, MOST) ||
        !ints_within(&a[JM_AIPP_ATTR_RESIZE], 1, MOST) || !ints_within(&a[JM_AIPP_ATTR_PADS], 0, MOST))
        return wrong(call, "a number of an attribute is out of range");
    if (a[JM_AIPP_ATTR_FORMAT].i == JM_PICTURE_YUV400 && a[JM_AIPP_ATTR_MATRIX].count)
        return wrong(call, "YUV400 has no colours to convert");
    if (a[JM_AIPP_ATTR_TO].dtype != JM_F32 && a[JM_AIPP_ATTR_TO].dtype != JM_U8)
        return wrong(call, "the type of the output must be float32 or uint8");
    return JM_OK;
}

static jm_status resolve_source(const jm_call *call, jm_picture *p)
{
    const jm_shape *in = &call->in[0].shape;
    p->format = (int)call->attr[JM_AIPP_ATTR_FORMAT].i;
    p->planes = jm_picture_planes(p->format);
    if (in->rank != 4 || !jm_shape_known(in)) return wrong(call, "the picture must have 4 known dimensions");
    const bool yuv = p->format == JM_PICTURE_YUV420SP;
    if (in->dim[3] != (yuv ? 1 : p->planes)) return wrong(call, "the picture has not the channels of its format");
    p->batch = in->dim[0];
    p->in_width = in->dim[2];
    p->in_height = yuv ? in->dim[1] / 3 * 2 : in->dim[1];
    if (p->in_width < 1 || p->in_height < 1 || p->in_width > MOST || p->in_height > MOST ||
        (yuv && (in->dim[1] % 3 || p->in_width % 2)))
        return wrong(call, "the picture has a wrong size");
    p->image = jm_picture_bytes(p->format, p->in_width, p->in_height);
    return JM_OK;
}

/* What is known of a picture whose parameters come with the run. */
static jm_status resolve_later(const jm_call *call, jm_picture *p)
{
    const jm_shape *in = &call->in[JM_AIPP_PICTURE].shape;
    const jm_tensor *parameters = jm_call_in(call, JM_AIPP_PARAMETERS);
    const jm_attr *size = &call->attr[JM_AIPP_ATTR_SIZE];
    size_t bytes;
    if (p->channels != 1 && p->channels != 3 && p->channels != 4) return wrong(call, "channels must be 1, 3 or 4");
    if (size->count != 3 || size->ints[0] < 0 || size->ints[1] < 1 || size->ints[1] > MOST || size->ints[2] < 1 ||
        size->ints[2] > MOST)
        return wrong(call, "size must be the batch, height and width of the result");
    p->batch = size->ints[0];
    p->out_height = p->inner_height = p->height = size->ints[1];
    p->out_width = p->inner_width = p->width = size->ints[2];
    JM_TRY(jm_picture_block_bytes(p->batch, &bytes));
    if (in->rank != 1 || in->dim[0] < 1) return wrong(call, "the pictures must be bytes in one dimension");
    if (parameters->dtype != JM_U8 || parameters->shape.rank != 1 || parameters->shape.dim[0] < 0 ||
        (size_t)parameters->shape.dim[0] < bytes)
        return wrong(call, "the parameters must be bytes in one dimension, 64 and 96 for each picture");
    p->memory = (size_t)in->dim[0];
    return JM_OK;
}

static jm_status resolve_sizes(const jm_call *call, jm_picture *p)
{
    const jm_attr *crop = &call->attr[JM_AIPP_ATTR_CROP], *resize = &call->attr[JM_AIPP_ATTR_RESIZE];
    const jm_attr *pads = &call->attr[JM_AIPP_ATTR_PADS];
    p->width = p->in_width;
    p->height = p->in_height;
    if (crop->count) {
        p->x = crop->ints[0];
        p->y = crop->ints[1];
        p->width = crop->ints[2];
        p->height = crop->ints[3];
    }
    if (p->width < 1 || p->height < 1 || p->x + p->width > p->in_width || p->y + p->height > p->in_height)
        return wrong(call, "the crop does not lie in the picture");
    if (p->format == JM_PICTURE_YUV420SP && (p->x % 2 || p->y % 2))
        return wrong(call, "the crop of a YUV420SP picture must begin at even numbers");
    p->inner_width = resize->count ? resize->ints[0] : p->width;
    p->inner_height = resize->count ? resize->ints[1] : p->height;
    p->left = pads->count ? pads->ints[0] : 0;
    p->top = pads->count ? pads->ints[1] : 0;
    p->out_width = p->inner_width + p->left + (pads->count ? pads->ints[2] : 0);
    p->out_height = p->inner_height + p->top + (pads->count ? pads->ints[3] : 0);
    return JM_OK;
}

static void resolve_colours(const jm_call *call, jm_picture *p)
{
    const jm_attr *a = call->attr, *bias = &a[JM_AIPP_ATTR_BIAS];
    p->swap = a[JM_AIPP_ATTR_SWAP].i != 0;
    p->first_last = a[JM_AIPP_ATTR_FIRST_LAST].i != 0 && p->format == JM_PICTURE_XRGB;
    p->mixed = a[JM_AIPP_ATTR_MATRIX].count > 0;
    for (int i = 0; i < 9 && p->mixed; i++) p->matrix[i] = (int32_t)a[JM_AIPP_ATTR_MATRIX].ints[i];
    /* From YUV a bias belongs to the picture, to YUV to the result. */
    int32_t *to = p->format == JM_PICTURE_YUV420SP ? p->in_bias : p->out_bias;
    for (int i = 0; i < bias->count; i++) to[i] = (int32_t)bias->ints[i];
    for (int i = 0; i < 4; i++) {
        p->mean[i] = a[JM_AIPP_ATTR_MEAN].count ? (int32_t)a[JM_AIPP_ATTR_MEAN].ints[i] : 0;
        p->low[i] = a[JM_AIPP_ATTR_MIN].count ? (float)a[JM_AIPP_ATTR_MIN].floats[i] : 0;
        p->scale[i] = a[JM_AIPP_ATTR_SCALE].count ? (float)a[JM_AIPP_ATTR_SCALE].floats[i] : 1;
    }
    p->pad = (float)a[JM_AIPP_ATTR_PAD_VALUE].f;
}

jm_status jm_picture_resolve(const jm_call *call, jm_picture *p)
{
    *p = (jm_picture){.channels = (int)JM_MIN(JM_MAX(call->attr[JM_AIPP_ATTR_CHANNELS].i, 0), 5)};
    JM_TRY(check_attributes(call));
    if (jm_call_in(call, JM_AIPP_PARAMETERS)) return resolve_later(call, p);
    JM_TRY(resolve_source(call, p));
    if (p->channels < 1 || p->channels > p->planes || (p->format != JM_PICTURE_XRGB && p->channels != p->planes) ||
        p->channels == 2)
        return wrong(call, "the result has not the channels of the picture");
    JM_TRY(resolve_sizes(call, p));
    resolve_colours(call, p);
    return JM_OK;
}

/* ---- Resizing ---- */

/* Half-pixel centres; weights in 1/2048, rounded. */
static jm_picture_tap *make_taps(int64_t from, int64_t to, jm_arena *arena)
{
    jm_picture_tap *tap = jm_arena_alloc(arena, (size_t)to, sizeof *tap);
    for (int64_t i = 0; tap && i < to; i++) {
        double at = ((double)i + 0.5) * (double)from / (double)to - 0.5;
        at = at < 0 ? 0 : at > (double)(from - 1) ? (double)(from - 1) : at;
        tap[i].a = (int32_t)at;
        tap[i].b = (int32_t)JM_MIN((int64_t)tap[i].a + 1, from - 1);
        tap[i].weight = (int32_t)floor((at - tap[i].a) * ONE + 0.5);
    }
    return tap;
}

jm_status jm_picture_plan(jm_picture *p, jm_arena *arena)
{
    if (p->inner_width == p->width && p->inner_height == p->height) return JM_OK;
    p->column = make_taps(p->width, p->inner_width, arena);
    p->line = make_taps(p->height, p->inner_height, arena);
    return p->column && p->line ? JM_OK : JM_OUT_OF_MEMORY;
}

/* ---- Rows ---- */

/* Bytes of a plane's row in scratch. */
static size_t row_bytes(const jm_picture *p)
{
    return ((size_t)JM_MAX(p->width, p->inner_width) + 63) & ~(size_t)63;
}

size_t jm_picture_scratch(const jm_picture *p)
{
    return row_bytes(p) * 4 * (p->inner_width == p->width && p->inner_height == p->height ? 1 : 3);
}

/* Rows of four planes, one behind the other. */
static void planes_at(const jm_picture *p, uint8_t *scratch, int set, uint8_t *plane[4])
{
    const size_t bytes = row_bytes(p);
    for (int c = 0; c < 4; c++) plane[c] = scratch + (size_t)(4 * set + c) * bytes;
}

static void read_yuv(const jm_picture *p, const uint8_t *image, int64_t y, uint8_t *const plane[4])
{
    const uint8_t *luma = image + (y * p->in_width + p->x);
    const uint8_t *chroma = image + p->in_width * p->in_height + y / 2 * p->in_width + p->x;
    uint8_t *first = plane[p->swap ? 2 : 1], *second = plane[p->swap ? 1 : 2];
    memcpy(plane[0], luma, (size_t)p->width);
    for (int64_t x = 0; x < p->width; x++) {
        first[x] = chroma[x & ~(int64_t)1];
        second[x] = chroma[x | 1];
    }
}

/* Row y of the crop as planes, with channels in their final places. */
static void read_row(const jm_picture *p, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                     uint8_t *const plane[4])
{
    y += p->y;
    if (p->format == JM_PICTURE_YUV420SP) {
        read_yuv(p, image, y, plane);
        return;
    }
    const uint8_t *pixel = image + (y * p->in_width + p->x) * p->planes;
    if (p->planes == 1) {
        memcpy(plane[0], pixel, (size_t)p->width);
        return;
    }
    /* Which plane byte c of a pixel goes to. */
    uint8_t *to[4];
    for (int c = 0; c < p->planes; c++) {
        int place = p->first_last ? (c + 3) % 4 : c;
        if (p->swap && (place == 0 || place == 2)) place = 2 - place;
        to[c] = plane[place];
    }
    if (p->planes == 3)
        kernels->split3(pixel, (size_t)p->width, to);
    else
        kernels->split4(pixel, (size_t)p->width, to);
}

static void resize_row(const jm_picture *p, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                       uint8_t *scratch, uint8_t *const plane[4])
{
    const jm_picture_tap *line = &p->line[y];
    uint8_t *upper[4], *lower[4];
    planes_at(p, scratch, 1, upper);
    planes_at(p, scratch, 2, lower);
    read_row(p, kernels, image, line->a, upper);
    read_row(p, kernels, image, line->b, lower);
    for (int c = 0; c < p->planes; c++) {
        for (int64_t x = 0; x < p->inner_width; x++) {
            const jm_picture_tap *t = &p->column[x];
            const int32_t u = (ONE - t->weight) * upper[c][t->a] + t->weight * upper[c][t->b];
            const int32_t l = (ONE - t->weight) * lower[c][t->a] + t->weight * lower[c][t->b];
            /* At most 255 * 2^22, and half of 2^22 to round. */
            plane[c][x] = (uint8_t)(((ONE - line->weight) * u + line->weight * l + ONE * ONE / 2) / (ONE * ONE));
        }
    }
}

/* Row y of the picture before normalisation. */
static void make_row(const jm_picture *p, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                     uint8_t *scratch, uint8_t *plane[4])
{
    planes_at(p, scratch, 0, plane);
    if (p->column)
        resize_row(p, kernels, image, y, scratch, plane);
    else
        read_row(p, kernels, image, y, plane);
    if (p->mixed) kernels->mix(plane, (size_t)p->inner_width, p->matrix, p->in_bias, p->out_bias);
}

void jm_picture_row(const jm_picture *p, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                    int64_t count, void *scratch, float *out, ptrdiff_t channel)
{
    const int64_t row = y - p->top;
    const bool outside = row < 0 || row >= p->inner_height;
    const int64_t begin = outside ? count : JM_MIN(p->left, count);
    const int64_t end = outside ? count : JM_MIN(p->left + p->inner_width, count);
    uint8_t *plane[4];
    if (!outside) make_row(p, kernels, image, row, scratch, plane);
    for (int c = 0; c < p->channels; c++) {
        float *to = out + c * channel;
        for (int64_t x = 0; x < begin; x++) to[x] = p->pad;
        if (!outside)
            kernels->normalise(plane[c], (size_t)(end - begin), p->mean[c], p->low[c], p->scale[c], to + begin);
        for (int64_t x = end; x < count; x++) to[x] = p->pad;
    }
}

void jm_picture_row_bytes(const jm_picture *p, const jm_picture_kernels *kernels, const uint8_t *image, int64_t y,
                          void *scratch, uint8_t *out, ptrdiff_t channel)
{
    const int64_t row = y - p->top;
    const bool outside = row < 0 || row >= p->inner_height;
    const int pad = (int)JM_MIN(JM_MAX(p->pad, 0), 255);
    uint8_t *plane[4];
    if (!outside) make_row(p, kernels, image, row, scratch, plane);
    for (int c = 0; c < p->channels; c++) {
        memset(out + c * channel, pad, (size_t)p->out_width);
        if (!outside) memcpy(out + c * channel + p->left, plane[c], (size_t)p->inner_width);
    }
}
