/* SPDX-License-Identifier: Apache-2.0
 *
 * Masks from prototypes, stored as lengths of runs.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "model/api.h"
#include "vision/results.h"

typedef struct runs {
    uint32_t *length;
    size_t count, capacity;
    uint64_t area;
    bool inside;
} runs;

/* `pixels` more of one kind. */
static jm_status add_run(runs *r, bool inside, uint64_t pixels)
{
    if (!pixels) return JM_OK;
    JM_TRY(jm_array_reserve(&r->length, &r->capacity, r->count + 2, sizeof *r->length));
    if (!r->count) r->count = 1; /* the first run is outside, of 0 pixels if need be */
    if (inside != r->inside) r->length[r->count++] = 0;
    r->inside = inside;
    r->length[r->count - 1] += (uint32_t)pixels;
    if (inside) r->area += pixels;
    return JM_OK;
}

/* Two samples and the weight of the second for one pixel of an axis. */
typedef struct sample {
    int at[2];
    float weight;
} sample;

/* Picture to input to prototypes; samples beyond the edge repeat it. */
static sample sample_at(int pixel, float scale, float offset, int input, int samples)
{
    float at = (((float)pixel + 0.5f) * scale + offset) * (float)samples / (float)input - 0.5f;
    at = JM_MIN(JM_MAX(at, 0), (float)(samples - 1));
    int low = (int)at;
    return (sample){{low, JM_MIN(low + 1, samples - 1)}, at - (float)low};
}

/* First pixel whose centre lies at `edge` or behind it. */
static int first_pixel(float edge, int limit)
{
    float pixel = ceilf(edge - 0.5f);
    return pixel < 0 ? 0 : pixel > (float)limit ? limit : (int)pixel;
}

/* One column of the mask, from row `top` to row `bottom`. */
static jm_status add_column(runs *r, const sample *x, const sample *rows, int top, int bottom, const float *logit,
                            size_t wide)
{
    for (int y = top; y < bottom; y++) {
        const sample *v = &rows[y - top];
        const float *a = logit + (size_t)v->at[0] * wide, *b = logit + (size_t)v->at[1] * wide;
        float upper = a[x->at[0]] + (a[x->at[1]] - a[x->at[0]]) * x->weight;
        float lower = b[x->at[0]] + (b[x->at[1]] - b[x->at[0]]) * x->weight;
        JM_TRY(add_run(r, upper + (lower - upper) * v->weight > 0, 1));
    }
    return JM_OK;
}

/* logit[y][x] = sum over k of coefficient[k] * prototype[k][y][x]. */
static void combine(const jm_head_output *prototypes, const float *coefficient, float *logit)
{
    size_t plane = (size_t)prototypes->shape.dim[2] * (size_t)prototypes->shape.dim[3];
    memset(logit, 0, plane * sizeof *logit);
    for (size_t k = 0; k < (size_t)prototypes->shape.dim[1]; k++)
        for (size_t i = 0; i < plane; i++) logit[i] += coefficient[k] * prototypes->data[k * plane + i];
}

jm_status jm_mask_create(const jm_head *head, const jm_head_output *prototypes, const float *coefficient,
                         const jm_placement *placement, const jumar_box *box, float *logit, jumar_mask *mask)
{
    int high = (int)prototypes->shape.dim[2], wide = (int)prototypes->shape.dim[3];
    int left = first_pixel(box->x1, placement->width), right = first_pixel(box->x2, placement->width);
    int top = first_pixel(box->y1, placement->height), bottom = first_pixel(box->y2, placement->height);
    *mask = (jumar_mask){0};
    combine(prototypes, coefficient, logit);
    sample *rows = jm_alloc((size_t)JM_MAX(bottom - top, 0), sizeof *rows);
    if (!rows) return JM_OUT_OF_MEMORY;
    for (int y = top; y < bottom; y++)
        rows[y - top] = sample_at(y, placement->scale_y, placement->offset_y, head->input_height, high);
    runs r = {0};
    uint64_t height = (uint64_t)placement->height;
    jm_status status = add_run(&r, false, height * (uint64_t)left + (uint64_t)top);
    for (int x = left; status == JM_OK && x < right; x++) {
        sample column = sample_at(x, placement->scale_x, placement->offset_x, head->input_width, wide);
        status = add_column(&r, &column, rows, top, bottom, logit, (size_t)wide);
        /* To the top of the next column, or to the end of the picture. */
        uint64_t rest = x + 1 < right ? height - (uint64_t)(bottom - top) : height - (uint64_t)bottom;
        if (status == JM_OK) status = add_run(&r, false, rest);
    }
    uint64_t done = 0;
    for (size_t i = 0; i < r.count; i++) done += r.length[i];
    if (status == JM_OK) status = add_run(&r, false, height * (uint64_t)placement->width - done);
    jm_free(rows);
    if (status != JM_OK) {
        jm_free(r.length);
        return status;
    }
    *mask = (jumar_mask){r.length, r.count, r.area};
    return JM_OK;
}

jumar_status jumar_mask_pixels(const jumar_mask *mask, int32_t width, int32_t height, uint8_t *pixel)
{
    if (!mask || !pixel || width < 1 || height < 1)
        return jm_public_status(jm_error(JM_INVALID_ARGUMENT, "jumar_mask_pixels needs a mask, memory and a size"));
    uint64_t at = 0, all = (uint64_t)width * (uint64_t)height;
    for (size_t i = 0; i < mask->runs; i++) at += mask->run[i];
    if (at != all)
        return jm_public_status(jm_error(JM_INVALID_ARGUMENT,
                                         "the mask has %llu pixels and the picture %d x %d; use the picture's own size",
                                         (unsigned long long)at, width, height));
    at = 0;
    for (size_t i = 0; i < mask->runs; i++)
        for (uint32_t k = 0; k < mask->run[i]; k++, at++)
            pixel[at % (uint64_t)height * (uint64_t)width + at / (uint64_t)height] = i & 1;
    return JUMAR_OK;
}
