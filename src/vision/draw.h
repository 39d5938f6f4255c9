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

/* Text in our own stroke font, ASCII; other bytes are drawn as a small box. (x, y) is the left end of the base line,
 * `size` the height of capitals in pixels. */
void jm_draw_text(const jm_image *image, const char *text, float x, float y, float size, jm_color color);
/* Width in pixels of that text. */
float jm_text_width(const char *text, float size);

#endif
