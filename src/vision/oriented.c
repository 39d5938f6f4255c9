/* SPDX-License-Identifier: Apache-2.0
 *
 * Turned boxes: corners, and the overlap of two as polygons. Sutherland-Hodgman clipping of one convex polygon by the
 * edges of the other, in float64.
 */
#include <math.h>

#include "base/alloc.h"
#include "vision/detection.h"

typedef struct point {
    double x, y;
} point;

/* Four corners, and each of four cuts adds one at most. */
enum { MAX_POINTS = 8 };

typedef struct polygon {
    point at[MAX_POINTS];
    int count;
} polygon;

/* Corners around the centre (cx, cy), so that far from the origin no digits are lost. */
static polygon corners_of(const jm_box *box, double cx, double cy)
{
    double x = ((double)box->x1 + (double)box->x2) / 2 - cx, y = ((double)box->y1 + (double)box->y2) / 2 - cy;
    double w = ((double)box->x2 - (double)box->x1) / 2, h = ((double)box->y2 - (double)box->y1) / 2;
    double c = cos((double)box->angle), s = sin((double)box->angle);
    static const double side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    polygon p = {.count = 4};
    for (int i = 0; i < 4; i++) {
        double dx = side[i][0] * w, dy = side[i][1] * h;
        p.at[i] = (point){x + dx * c - dy * s, y + dx * s + dy * c};
    }
    return p;
}

void jm_box_corners(const jm_box *box, float corner[4][2])
{
    polygon p = corners_of(box, 0, 0);
    for (int i = 0; i < 4; i++) {
        corner[i][0] = (float)p.at[i].x;
        corner[i][1] = (float)p.at[i].y;
    }
}

/* Twice the signed area of the triangle a, b, p: not negative on the inner side of the edge from a to b. */
static double side_of(point a, point b, point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/* What lies on the inner side of the line through a and b. */
static polygon cut(const polygon *p, point a, point b)
{
    polygon out = {0};
    for (int i = 0; i < p->count; i++) {
        point from = p->at[i], to = p->at[(i + 1) % p->count];
        double d = side_of(a, b, from), e = side_of(a, b, to);
        if (d >= 0 && out.count < MAX_POINTS) out.at[out.count++] = from;
        if ((d < 0) != (e < 0) && out.count < MAX_POINTS) {
            double t = d / (d - e);
            out.at[out.count++] = (point){from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
        }
    }
    return out;
}

static double area_of(const polygon *p)
{
    double twice = 0;
    for (int i = 0; i < p->count; i++) {
        point a = p->at[i], b = p->at[(i + 1) % p->count];
        twice += a.x * b.y - a.y * b.x;
    }
    return twice / 2;
}

float jm_oriented_iou(const jm_box *a, const jm_box *b)
{
    double aw = (double)a->x2 - (double)a->x1, ah = (double)a->y2 - (double)a->y1;
    double bw = (double)b->x2 - (double)b->x1, bh = (double)b->y2 - (double)b->y1;
    if (!(aw > 0) || !(ah > 0) || !(bw > 0) || !(bh > 0)) return 0;
    double cx = ((double)a->x1 + (double)a->x2) / 2, cy = ((double)a->y1 + (double)a->y2) / 2;
    double dx = ((double)b->x1 + (double)b->x2) / 2 - cx, dy = ((double)b->y1 + (double)b->y2) / 2 - cy;
    /* The circles around them do not touch: most pairs end here. */
    if (hypot(dx, dy) >= (hypot(aw, ah) + hypot(bw, bh)) / 2) return 0;
    polygon p = corners_of(a, cx, cy), by = corners_of(b, cx, cy);
    for (int i = 0; i < 4 && p.count; i++) p = cut(&p, by.at[i], by.at[(i + 1) % 4]);
    double inter = JM_MAX(area_of(&p), 0);
    return (float)(inter / (aw * ah + bw * bh - inter));
}
