/* SPDX-License-Identifier: Apache-2.0
 *
 * A stroke font of our own: each printable ASCII character is a path of lines and elliptic arcs.
 */
#ifndef JUMAR_VISION_FONT_H
#define JUMAR_VISION_FONT_H

/* Capitals are 8 units high: y = 0 at their top, 8 at the base line, 10.6 at the lowest descender. */
#define JM_FONT_CAPITAL 8.0f
/* Space between characters and width of a blank, in units. */
#define JM_FONT_SPACING 2.2f
#define JM_FONT_BLANK 2.0f

/* Most line segments of one character. */
#define JM_FONT_SEGMENTS 96

typedef struct jm_glyph {
    float width;
    int segments;
    float segment[JM_FONT_SEGMENTS][4]; /* x0, y0, x1, y1 */
} jm_glyph;

/* The strokes of a character; a small box for one that the font lacks. */
void jm_font_glyph(unsigned char character, jm_glyph *glyph);

#endif
