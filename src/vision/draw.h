/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes with labels on a picture, anti-aliased, in a size that suits the picture.
 */
#ifndef JUMAR_VISION_DRAW_H
#define JUMAR_VISION_DRAW_H

#include "vision/detection.h"
#include "vision/image.h"

typedef struct jm_color {
    uint8_t r, g, b;
} jm_color;

/* A colour for a class number: neighbours differ clearly. */
jm_color jm_class_color(int label);

/* Draws every box in the colour of its class with "name 87%" above it, the best score on top. `names` may be NULL or
 * shorter than the labels: "class 7" then. Boxes may reach outside the picture. */
JM_MUST_USE jm_status jm_draw_boxes(const jm_image *image, const jm_boxes *boxes, const char *const *names,
                                    int name_count);

/* ---- Parts, shared with draw_results.c. All of them may reach outside the picture. ---- */

/* The width of lines that suits the picture, in pixels. */
float jm_draw_width(const jm_image *image);
/* A rounded rectangle with a faint tint. */
void jm_draw_frame(const jm_image *image, float x1, float y1, float x2, float y2, jm_color color);
/* "name 87%" on the colour, with its upper left corner at (x, y), and how high that is. */
void jm_draw_tag(const jm_image *image, const char *name, float score, float x, float y, jm_color color);
float jm_draw_tag_height(const jm_image *image);
/* The same above the upper left corner of a box where there is room, else inside the box. */
void jm_draw_box_tag(const jm_image *image, const char *name, float score, float x, float y, jm_color color);
/* names[label], or "class 7" in `text`. */
const char *jm_draw_name(const char *const *names, int name_count, int label, char text[32]);
/* A line with round ends from (end[0], end[1]) to (end[2], end[3]); a dot when both are the same. */
void jm_draw_line(const jm_image *image, const float end[4], float width, jm_color color);
/* Pixels of column x from row `top` up to `bottom`, all inside the picture. */
void jm_draw_tint(const jm_image *image, int x, int top, int bottom, float opacity, jm_color color);

/* Text in our own stroke font, ASCII; other bytes are drawn as a small box. (x, y) is the left end of the base line,
 * `size` the height of capitals in pixels. */
void jm_draw_text(const jm_image *image, const char *text, float x, float y, float size, jm_color color);
/* Width in pixels of that text. */
float jm_text_width(const char *text, float size);

#endif
