/* SPDX-License-Identifier: Apache-2.0 */
#include "vision/font.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Paths: "M x y" moves, "L x y" draws a line, "A cx cy rx ry from to" draws an arc between angles in degrees (0 right,
 * 90 down), with a line to its start unless it begins the path or follows an M without coordinates of its own ("M A").
 */
static const char *const glyph_path[128] = {
    [' '] = "",
    ['!'] = "M0 0L0 5.2ML0 7.7L0 8",
    ['"'] = "M0 0L0 2.2ML1.8 0L1.8 2.2",
    ['#'] = "M1.6 0.6L0.6 7.4ML4.6 .6L3.6 7.4ML0 2.6L5.4 2.6ML-.2 5.4L5.2 5.4",
    ['$'] = "A2.7 2.4 2.3 1.6 -20 -270A2.7 5.6 2.4 1.6 -90 160ML2.7 -.6L2.7 8.6",
    ['%'] = "A1.3 1.6 1.3 1.6 0 360ML6.4 0L.8 8MA5.9 6.4 1.3 1.6 0 360",
    ['&'] = "M6 8L1.4 2.6A2.7 1.5 1.5 1.5 150 380L1.2 4.4A2.3 6 2.2 2 -130 -270L3.4 8L5.8 4.6",
    ['\''] = "M0 0L0 2.2",
    ['('] = "A4 4 4 6.4 140 220",
    [')'] = "A-3 4 4 6.4 40 -40",
    ['*'] = "M2 .6L2 5ML.1 1.7L3.9 3.9ML3.9 1.7L.1 3.9",
    ['+'] = "M0 4.6L4.8 4.6ML2.4 2.2L2.4 7",
    [','] = "M.7 7.6L0 9.4",
    ['-'] = "M0 4.8L2.8 4.8",
    ['.'] = "M0 7.8L0 8",
    ['/'] = "M0 8.8L3.4 -.6",
    ['0'] = "A2.6 4 2.6 4 0 360",
    ['1'] = "M0 1.7L2.1 0L2.1 8",
    ['2'] = "A2.5 2.3 2.4 2.3 -165 35L0 8L5 8",
    ['3'] = "A2.4 2 2.1 2 -150 90MA2.4 6 2.5 2 -90 150",
    ['4'] = "M4 8L4 0L0 5.6L5.4 5.6",
    ['5'] = "M4.5 0L.7 0L.4 3.7A2.3 5.4 2.5 2.6 -135 140",
    ['6'] = "A2.5 5.5 2.5 2.5 0 360MA5 5.5 5 5.5 180 255",
    ['7'] = "M0 0L5 0L1.8 8",
    ['8'] = "A2.5 2 2.1 2 0 360MA2.5 6 2.5 2 0 360",
    ['9'] = "A2.5 2.5 2.5 2.5 0 360MA0 2.5 5 5.5 0 75",
    [':'] = "M0 4L0 4.2ML0 7.8L0 8",
    [';'] = "M.7 4L.7 4.2ML.7 7.6L0 9.4",
    ['<'] = "M4.4 2L0 4.6L4.4 7.2",
    ['='] = "M0 3.6L4.6 3.6ML0 5.8L4.6 5.8",
    ['>'] = "M0 2L4.4 4.6L0 7.2",
    ['?'] = "A2.1 2 2.1 2 -165 60L2.1 5.2ML2.1 7.7L2.1 8",
    ['@'] = "M5 6A3.6 5 1.6 1.8 40 -320L5.2 6.2A6.2 5.4 1 1.4 150 0A3.7 4.6 3.7 4.2 0 -300",
    ['A'] = "M0 8L3 0L6 8ML1.1 5.1L4.9 5.1",
    ['B'] = "M0 4L3.1 4A3.1 6 2.1 2 -90 90L0 8L0 0L2.8 0A2.8 2 1.9 2 -90 90",
    ['C'] = "A3.4 4 3.4 4 -48 -312",
    ['D'] = "M0 0L0 8L2 8A2 4 3.8 4 90 -90L0 0",
    ['E'] = "M4.6 0L0 0L0 8L4.6 8ML0 4L4 4",
    ['F'] = "M4.6 0L0 0L0 8ML0 4L4 4",
    ['G'] = "A3.4 4 3.4 4 -48 -360L3.8 4",
    ['H'] = "M0 0L0 8ML5.6 0L5.6 8ML0 4L5.6 4",
    ['I'] = "M0 0L0 8",
    ['J'] = "M3.6 0L3.6 6A1.8 6 1.8 2 0 165",
    ['K'] = "M0 0L0 8ML5 0L0 5ML1.9 3.2L5.2 8",
    ['L'] = "M0 0L0 8L4.4 8",
    ['M'] = "M0 8L0 0L3.4 6L6.8 0L6.8 8",
    ['N'] = "M0 8L0 0L5.6 8L5.6 0",
    ['O'] = "A3.6 4 3.6 4 0 360",
    ['P'] = "M0 8L0 0L2.8 0A2.8 2.3 2.2 2.3 -90 90L0 4.6",
    ['Q'] = "A3.6 4 3.6 4 0 360ML4.6 6L6.8 8.8",
    ['R'] = "M0 8L0 0L2.8 0A2.8 2.2 2.2 2.2 -90 90L0 4.4ML2.6 4.4L5.2 8",
    ['S'] = "A2.7 2.1 2.3 2.1 -25 -240L4.2 4.4A2.7 5.9 2.5 2.1 -50 155",
    ['T'] = "M0 0L6 0ML3 0L3 8",
    ['U'] = "M0 0L0 5.3A2.8 5.3 2.8 2.7 180 0L5.6 0",
    ['V'] = "M0 0L3 8L6 0",
    ['W'] = "M0 0L2.1 8L4.2 1.2L6.3 8L8.4 0",
    ['X'] = "M0 0L5.6 8ML5.6 0L0 8",
    ['Y'] = "M0 0L2.9 4.2L5.8 0ML2.9 4.2L2.9 8",
    ['Z'] = "M0 0L5.2 0L0 8L5.2 8",
    ['['] = "M1.8 -1L0 -1L0 9.4L1.8 9.4",
    ['\\'] = "M0 -.6L3.4 8.8",
    [']'] = "M0 -1L1.8 -1L1.8 9.4L0 9.4",
    ['^'] = "M0 3L2 0L4 3",
    ['_'] = "M0 9.4L5 9.4",
    ['`'] = "M0 0L1.2 1.6",
    ['a'] = "A2.3 5.5 2.3 2.5 0 360ML4.6 3L4.6 8",
    ['b'] = "M0 0L0 8MA2.3 5.5 2.3 2.5 180 540",
    ['c'] = "A2.4 5.5 2.4 2.5 -50 -310",
    ['d'] = "A2.3 5.5 2.3 2.5 0 360ML4.6 0L4.6 8",
    ['e'] = "M.1 5.4L4.7 5.4A2.35 5.5 2.35 2.5 0 -312",
    ['f'] = "M1.4 8L1.4 2A3 2 1.6 2 180 285ML0 3.2L3 3.2",
    ['g'] = "A2.3 5.5 2.3 2.5 0 360ML4.6 3L4.6 8.4A2.4 8.4 2.2 2.2 0 150",
    ['h'] = "M0 0L0 8MA2.2 5.2 2.2 2.2 180 360L4.4 8",
    ['i'] = "M0 3L0 8ML0 .6L0 .9",
    ['j'] = "M1.4 3L1.4 9A0 9 1.4 1.6 0 90ML1.4 .6L1.4 .9",
    ['k'] = "M0 0L0 8ML3.9 3L0 6.3ML1.5 5L4.2 8",
    ['l'] = "M0 0L0 8",
    ['m'] = "M0 3L0 8MA1.7 4.8 1.7 1.8 180 360L3.4 8MA5.1 4.8 1.7 1.8 180 360L6.8 8",
    ['n'] = "M0 3L0 8MA2.2 5.2 2.2 2.2 180 360L4.4 8",
    ['o'] = "A2.5 5.5 2.5 2.5 0 360",
    ['p'] = "M0 3L0 10.6MA2.3 5.5 2.3 2.5 180 540",
    ['q'] = "A2.3 5.5 2.3 2.5 0 360ML4.6 3L4.6 10.6",
    ['r'] = "M0 3L0 8MA2.3 5.4 2.3 2.4 180 295",
    ['s'] = "A2 4.3 1.7 1.3 -25 -240L3 5.9A2 6.7 1.9 1.3 -50 155",
    ['t'] = "M1.4 1L1.4 6.3A3 6.3 1.6 1.7 180 75ML0 3.1L3 3.1",
    ['u'] = "M0 3L0 5.8A2.2 5.8 2.2 2.2 180 0L4.4 3ML4.4 3L4.4 8",
    ['v'] = "M0 3L2.3 8L4.6 3",
    ['w'] = "M0 3L1.7 8L3.4 3.8L5.1 8L6.8 3",
    ['x'] = "M0 3L4.2 8ML4.2 3L0 8",
    ['y'] = "M0 3L2.4 8ML4.8 3L1.5 10.6",
    ['z'] = "M0 3L4 3L0 8L4 8",
    ['{'] = "M2.2 -1A2.2 .6 1.2 1.6 -90 -180L1 3.2L0 4.2L1 5.2L1 7.8A2.2 7.8 1.2 1.6 180 90",
    ['|'] = "M0 -1L0 9.4",
    ['}'] = "M0 -1A0 .6 1.2 1.6 -90 0L1.2 3.2L2.2 4.2L1.2 5.2L1.2 7.8A0 7.8 1.2 1.6 0 90",
    ['~'] = "A1.2 4.9 1.2 1 180 340L2.4 4.9A3.6 4.6 1.2 1 160 0",
};

static const char *const missing_path = "M0 2L3.6 2L3.6 8L0 8L0 2";

typedef struct pen {
    jm_glyph *glyph;
    float x, y;
    int down; /* 0: the next point only moves */
} pen;

static void pen_to(pen *p, float x, float y)
{
    jm_glyph *glyph = p->glyph;
    if (p->down && glyph->segments < JM_FONT_SEGMENTS) {
        float *s = glyph->segment[glyph->segments++];
        s[0] = p->x;
        s[1] = p->y;
        s[2] = x;
        s[3] = y;
    }
    p->x = x;
    p->y = y;
    p->down = 1;
    if (x > glyph->width) glyph->width = x;
}

static void pen_arc(pen *p, const float arc[6])
{
    const float radian = 3.14159265f / 180;
    int steps = (int)ceilf(fabsf(arc[5] - arc[4]) / 22.5f);
    for (int i = 0; i <= steps; i++) {
        float angle = (arc[4] + (arc[5] - arc[4]) * (float)i / (float)steps) * radian;
        pen_to(p, arc[0] + arc[2] * cosf(angle), arc[1] + arc[3] * sinf(angle));
    }
}

void jm_font_glyph(unsigned char character, jm_glyph *glyph)
{
    *glyph = (jm_glyph){0};
    if (character == ' ') {
        glyph->width = JM_FONT_BLANK;
        return;
    }
    const char *path = character < 128 && glyph_path[character] ? glyph_path[character] : missing_path;
    pen p = {.glyph = glyph};
    while (*path) {
        char command = *path++;
        float number[6];
        int count = command == 'A' ? 6 : command == 'L' || (*path != 'A' && *path != 'L') ? 2 : 0;
        for (int i = 0; i < count; i++) {
            char *end;
            number[i] = strtof(path, &end);
            path = end;
        }
        if (command == 'M') p.down = 0;
        if (command == 'A')
            pen_arc(&p, number);
        else if (count)
            pen_to(&p, number[0], number[1]);
    }
}
