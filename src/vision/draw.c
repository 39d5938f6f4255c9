/* SPDX-License-Identifier: Apache-2.0
 *
 * Every shape is drawn by its signed distance in pixels: coverage falls from 1 to 0 over the pixel at its edge.
 */
#include "vision/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "vision/font.h"

/* ---- Colours ---- */

jm_color jm_class_color(int label)
{
    /* Golden-ratio steps around the colour circle keep any two near numbers apart. */
    float hue = fmodf((float)(label & 0xFFFF) * 0.61803399f + 0.58f, 1.0f) * 6;
    float value[3];
    for (int c = 0; c < 3; c++) {
        float k = fmodf((float)(5 - 2 * c) + hue, 6);
        float ramp = JM_MAX(0, JM_MIN(JM_MIN(k, 4 - k), 1));
        value[c] = 0.96f * (1 - 0.78f * ramp);
    }
    return (jm_color){(uint8_t)lrintf(value[0] * 255), (uint8_t)lrintf(value[1] * 255),
                      (uint8_t)lrintf(value[2] * 255)};
}

/* Black or white, whichever reads better on the colour. */
static jm_color text_color(jm_color back)
{
    float luminance = 0.299f * back.r + 0.587f * back.g + 0.114f * back.b;
    return luminance > 140 ? (jm_color){16, 16, 16} : (jm_color){255, 255, 255};
}

static void blend(const jm_image *image, int x, int y, jm_color color, float alpha)
{
    if (!(alpha > 0)) return; /* NaN draws nothing */
    if (alpha > 1) alpha = 1;
    uint8_t *p = image->rgb + ((size_t)y * (size_t)image->width + (size_t)x) * 3;
    p[0] = (uint8_t)lrintf((float)p[0] + ((float)color.r - (float)p[0]) * alpha);
    p[1] = (uint8_t)lrintf((float)p[1] + ((float)color.g - (float)p[1]) * alpha);
    p[2] = (uint8_t)lrintf((float)p[2] + ((float)color.b - (float)p[2]) * alpha);
}

static int clamp_int(float value, int low, int high)
{
    return !(value > (float)low) ? low : value > (float)high ? high : (int)value; /* NaN is low */
}

/* ---- Rounded rectangles ---- */

typedef struct rectangle {
    float x1, y1, x2, y2, radius;
} rectangle;

/* Signed distance to the edge: negative inside. */
static float distance_to(const rectangle *r, float x, float y)
{
    float dx = fabsf(x - (r->x1 + r->x2) / 2) - (r->x2 - r->x1) / 2 + r->radius;
    float dy = fabsf(y - (r->y1 + r->y2) / 2) - (r->y2 - r->y1) / 2 + r->radius;
    float outside = sqrtf(JM_MAX(dx, 0) * JM_MAX(dx, 0) + JM_MAX(dy, 0) * JM_MAX(dy, 0));
    return outside + JM_MIN(JM_MAX(dx, dy), 0) - r->radius;
}

/* Fills with `inside` opacity; a line of `width` pixels follows the edge with full opacity. */
static void draw_rectangle(const jm_image *image, const rectangle *r, float width, float inside, jm_color color)
{
    float margin = width / 2 + 1;
    int left = clamp_int(r->x1 - margin, 0, image->width), right = clamp_int(r->x2 + margin + 1, 0, image->width);
    int top = clamp_int(r->y1 - margin, 0, image->height), bottom = clamp_int(r->y2 + margin + 1, 0, image->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            float d = distance_to(r, (float)x + 0.5f, (float)y + 0.5f);
            float line = width > 0 ? 0.5f + width / 2 - fabsf(d) : 0;
            float fill = inside * JM_MIN(JM_MAX(0.5f - d, 0), 1);
            blend(image, x, y, color, JM_MAX(JM_MIN(line, 1), fill));
        }
}

/* ---- Text ---- */

float jm_text_width(const char *text, float size)
{
    float width = 0;
    jm_glyph glyph;
    for (const char *c = text; *c; c++) {
        jm_font_glyph((unsigned char)*c, &glyph);
        width += glyph.width + (c[1] ? JM_FONT_SPACING : 0);
    }
    return width * size / JM_FONT_CAPITAL;
}

static float distance_to_segment(const float s[4], float x, float y)
{
    float dx = s[2] - s[0], dy = s[3] - s[1], length = dx * dx + dy * dy;
    float t = length > 0 ? ((x - s[0]) * dx + (y - s[1]) * dy) / length : 0;
    t = JM_MIN(JM_MAX(t, 0), 1);
    float ex = x - s[0] - t * dx, ey = y - s[1] - t * dy;
    return ex * ex + ey * ey;
}

static void draw_glyph(const jm_image *image, const jm_glyph *glyph, float x, float y, float unit, jm_color color)
{
    float half = JM_MAX(unit * 0.62f, 0.6f), margin = half + 1;
    int left = clamp_int(x - unit - margin, 0, image->width);
    int right = clamp_int(x + glyph->width * unit + margin + 1, 0, image->width);
    int top = clamp_int(y - (JM_FONT_CAPITAL + 1) * unit - margin, 0, image->height);
    int bottom = clamp_int(y + 3 * unit + margin + 1, 0, image->height);
    for (int py = top; py < bottom; py++)
        for (int px = left; px < right; px++) {
            float gx = ((float)px + 0.5f - x) / unit, gy = ((float)py + 0.5f - y) / unit + JM_FONT_CAPITAL;
            float best = 1e9f;
            for (int s = 0; s < glyph->segments; s++)
                best = JM_MIN(best, distance_to_segment(glyph->segment[s], gx, gy));
            blend(image, px, py, color, 0.5f + half - sqrtf(best) * unit);
        }
}

void jm_draw_text(const jm_image *image, const char *text, float x, float y, float size, jm_color color)
{
    float unit = size / JM_FONT_CAPITAL;
    jm_glyph glyph;
    for (; *text; text++) {
        jm_font_glyph((unsigned char)*text, &glyph);
        draw_glyph(image, &glyph, x, y, unit, color);
        x += (glyph.width + JM_FONT_SPACING) * unit;
    }
}

/* ---- Lines ---- */

void jm_draw_line(const jm_image *image, const float end[4], float width, jm_color color)
{
    float half = width / 2, margin = half + 1;
    for (int i = 0; i < 4; i++)
        if (!(fabsf(end[i]) < 1e6f)) return; /* farther than any picture, or not a number */
    int left = clamp_int(JM_MIN(end[0], end[2]) - margin, 0, image->width);
    int right = clamp_int(JM_MAX(end[0], end[2]) + margin + 1, 0, image->width);
    int top = clamp_int(JM_MIN(end[1], end[3]) - margin, 0, image->height);
    int bottom = clamp_int(JM_MAX(end[1], end[3]) + margin + 1, 0, image->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            blend(image, x, y, color, 0.5f + half - sqrtf(distance_to_segment(end, (float)x + 0.5f, (float)y + 0.5f)));
}

void jm_draw_tint(const jm_image *image, int x, int top, int bottom, float opacity, jm_color color)
{
    for (int y = top; y < bottom; y++) blend(image, x, y, color, opacity);
}

/* ---- Boxes ---- */

float jm_draw_width(const jm_image *image)
{
    return JM_MAX((float)JM_MAX(image->width, image->height) / 360, 2);
}

/* Height of capitals in a tag, and the space around them. */
static float tag_size(const jm_image *image)
{
    return JM_MAX((float)JM_MAX(image->width, image->height) / 72, 8);
}

float jm_draw_tag_height(const jm_image *image)
{
    return 2 * tag_size(image);
}

void jm_draw_tag(const jm_image *image, const char *name, float score, float x, float y, jm_color color)
{
    float size = tag_size(image), pad = size * 0.5f;
    char text[128];
    snprintf(text, sizeof text, "%.100s %d%%", name, (int)lrintf(score * 100));
    float tag_width = jm_text_width(text, size) + 2 * pad;
    x = JM_MIN(JM_MAX(x, 0), JM_MAX((float)image->width - tag_width, 0));
    rectangle tag = {x, y, x + tag_width, y + jm_draw_tag_height(image), size * 0.3f};
    draw_rectangle(image, &tag, 0, 0.94f, color);
    jm_draw_text(image, text, x + pad, y + pad + size, size, text_color(color));
}

void jm_draw_box_tag(const jm_image *image, const char *name, float score, float x, float y, jm_color color)
{
    float half = jm_draw_width(image) / 2, above = y - half - jm_draw_tag_height(image);
    jm_draw_tag(image, name, score, x - half, above < 0 ? JM_MAX(y, 0) : above, color);
}

const char *jm_draw_name(const char *const *names, int name_count, int label, char text[32])
{
    if (names && label >= 0 && label < name_count) return names[label];
    snprintf(text, 32, "class %d", label);
    return text;
}

void jm_draw_frame(const jm_image *image, float x1, float y1, float x2, float y2, jm_color color)
{
    float width = jm_draw_width(image);
    rectangle r = {x1, y1, x2, y2, JM_MIN(width * 2, JM_MIN(x2 - x1, y2 - y1) / 4)};
    draw_rectangle(image, &r, width, 0.10f, color);
}

static int worse_first(const void *left, const void *right)
{
    const jm_box *a = *(const jm_box *const *)left, *b = *(const jm_box *const *)right;
    return (a->score > b->score) - (a->score < b->score);
}

jm_status jm_draw_boxes(const jm_image *image, const jm_boxes *boxes, const char *const *names, int name_count)
{
    const jm_box **order = jm_alloc(boxes->count, sizeof *order);
    if (!order) return JM_OUT_OF_MEMORY;
    for (size_t i = 0; i < boxes->count; i++) order[i] = &boxes->box[i];
    qsort(order, boxes->count, sizeof *order, worse_first);
    for (size_t i = 0; i < boxes->count; i++) {
        const jm_box *box = order[i];
        jm_color color = jm_class_color(box->label);
        char text[32];
        jm_draw_frame(image, box->x1, box->y1, box->x2, box->y2, color);
        jm_draw_box_tag(image, jm_draw_name(names, name_count, box->label, text), box->score, box->x1, box->y1, color);
    }
    jm_free(order);
    return JM_OK;
}
