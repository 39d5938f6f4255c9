#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw random scenes and the true boxes of the objects in them.

A scene is a landscape (sky, hills, ground, water, road) with objects of
eight classes. Everything follows from the seed and the size: the same
seed and size give the same picture with the same Pillow version.

    python3 scenes.py --seed 7 --size 640x480 --output picture.jpg
    python3 scenes.py --seed 7 --size 640x480 --output picture.jpg \\
                      --labels picture.json

A box is the extent of the visible pixels of one object, in pixels of the
picture: x1, y1 is the upper left corner, x2, y2 the lower right corner.
An object of which less than MIN_VISIBLE is visible is not drawn at all.
The sun, clouds, rocks, fences and flowers are background and have no box.
"""
import argparse
import io
import json
import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

CLASSES = ["house", "tree", "car", "person", "dog", "boat", "balloon", "bird"]

SUPERSAMPLE = 4      # drawn at 4 times the size, then averaged down
MIN_VISIBLE = 0.40   # visible part of an object, below which it is left out
MIN_SIDE = 0.018     # smallest side of a box, as a part of the picture unit


# ---------------------------------------------------------------- colours

def mix(a, b, t):
    """The colour at t between a (t = 0) and b (t = 1)."""
    return tuple(int(round(x + (y - x) * t)) for x, y in zip(a, b))


def shade(c, f):
    """The colour c made darker (f < 1) or lighter (f > 1)."""
    if f <= 1:
        return tuple(int(x * f) for x in c)
    return mix(c, (255, 255, 255), min(1.0, f - 1))


def jitter(rng, c, amount=14):
    """The colour c moved by up to amount in each channel."""
    return tuple(max(0, min(255, x + rng.randint(-amount, amount))) for x in c)


# ------------------------------------------------------------------ shapes

class Pen:
    """Records the polygons of one object.

    The unit is the height of the object (the width for a bird), x points
    right, y points up and (0, 0) is the point where the object stands.
    """

    def __init__(self):
        self.shapes = []

    def poly(self, points, colour):
        self.shapes.append((points, colour))

    def rect(self, x0, y0, x1, y1, colour):
        self.poly([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour)

    def ellipse(self, cx, cy, rx, ry, colour, angle=0.0, a0=0.0, a1=360.0):
        n = 36
        ca, sa = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        points = []
        for i in range(n):
            t = math.radians(a0 + (a1 - a0) * i / (n - 1 if a1 - a0 < 360 else n))
            x, y = rx * math.cos(t), ry * math.sin(t)
            points.append((cx + x * ca - y * sa, cy + x * sa + y * ca))
        self.poly(points, colour)

    def limb(self, points, width, colour, end_width=None):
        """A line of some width with round joints, thinner towards its end."""
        end_width = width if end_width is None else end_width
        n = len(points)
        radii = [(width + (end_width - width) * i / (n - 1)) / 2 for i in range(n)]
        for i in range(n - 1):
            (x0, y0), (x1, y1) = points[i], points[i + 1]
            d = math.hypot(x1 - x0, y1 - y0) or 1e-6
            nx, ny = -(y1 - y0) / d, (x1 - x0) / d
            r0, r1 = radii[i], radii[i + 1]
            self.poly([(x0 + nx * r0, y0 + ny * r0), (x1 + nx * r1, y1 + ny * r1),
                       (x1 - nx * r1, y1 - ny * r1), (x0 - nx * r0, y0 - ny * r0)],
                      colour)
        for (x, y), r in zip(points, radii):
            self.ellipse(x, y, r, r, colour)


# ----------------------------------------------------------------- objects

WALLS = [(236, 224, 200), (240, 236, 228), (222, 190, 150), (196, 110, 88),
         (214, 205, 190), (168, 192, 204), (228, 208, 120), (180, 150, 128),
         (230, 170, 160), (150, 170, 140)]
ROOFS = [(168, 72, 56), (128, 56, 48), (92, 78, 72), (70, 82, 96),
         (150, 96, 60), (60, 60, 66), (110, 66, 84), (86, 110, 92)]


def draw_house(pen, rng, scene):
    wall = jitter(rng, rng.choice(WALLS))
    roof = jitter(rng, rng.choice(ROOFS))
    trim = rng.choice([(250, 248, 240), (90, 66, 50), (60, 80, 100), (245, 240, 230)])
    glass = rng.choice([(96, 130, 160), (70, 90, 110), (160, 200, 220)])
    if scene["time"] == "dusk" or rng.random() < 0.12:
        glass = (255, 222, 130)
    storeys = rng.choice([1, 1, 2])
    top = 0.52 if storeys == 1 else 0.68
    w = rng.uniform(0.46, 0.66) if storeys == 1 else rng.uniform(0.36, 0.52)
    depth = rng.uniform(0.22, 0.5) if rng.random() < 0.6 else 0.0
    x0, x1 = -w, w
    kind = rng.choice(["gable", "gable", "eaves", "eaves", "hip"])
    over = rng.uniform(0.03, 0.08)
    side = shade(wall, 0.78)
    # Chimney, behind the roof.
    if rng.random() < 0.65:
        cx = rng.uniform(-0.5, 0.5) * w
        brick = jitter(rng, (150, 84, 70))
        pen.rect(cx - 0.05, top, cx + 0.05, rng.uniform(0.96, 1.06), brick)
        pen.rect(cx - 0.065, 0.97, cx + 0.065, 1.0, shade(brick, 0.7))
    if kind == "gable":
        if depth:
            pen.rect(x1, 0, x1 + depth, top, side)
            pen.poly([(0, 1.0), (depth * 0.95, 0.97), (x1 + depth + over, top - 0.04),
                      (x1 + over, top - 0.05)], roof)
            for i in range(1, 5):
                t = i / 5
                pen.limb([(t * (x1 + over), 1 - t * (1.05 - top)),
                          (depth * 0.95 + t * (x1 + over), 0.97 - t * (1.01 - top))],
                         0.008, shade(roof, 0.85))
        pen.rect(x0, 0, x1, top, wall)
        pen.poly([(x0, top), (x1, top), (0, 0.97)], shade(wall, 0.95))
        pen.limb([(x0 - over, top - 0.05), (0, 1.0), (x1 + over, top - 0.05)],
                 0.055, shade(roof, 0.9))
        if rng.random() < 0.6:
            pen.ellipse(0, top + 0.14, 0.07, 0.07, trim)
            pen.ellipse(0, top + 0.14, 0.05, 0.05, glass)
    else:
        pen.rect(x0, 0, x1, top, wall)
        if depth:
            pen.rect(x1, 0, x1 + depth, top, side)
            x1r = x1 + depth
        else:
            x1r = x1
        inset = 0.06 if kind == "eaves" else rng.uniform(0.18, 0.3)
        a, b = x0 - over, x1r + over
        pen.poly([(a, top - 0.03), (b, top - 0.03), (b - inset, 0.98), (a + inset, 0.98)],
                 roof)
        for i in range(1, 6):
            t = i / 6
            y = top - 0.03 + t * (1.01 - top)
            pen.limb([(a + inset * t, y), (b - inset * t, y)], 0.008, shade(roof, 0.84))
        pen.rect(a, top - 0.05, b, top - 0.02, shade(roof, 0.7))
    # Lines of boards.
    if rng.random() < 0.4:
        for i in range(1, int(top / 0.07)):
            pen.rect(x0, i * 0.07, x1, i * 0.07 + 0.007, shade(wall, 0.9))
    pen.rect(x0, 0, x1, 0.03, shade(wall, 0.6))

    def window(cx, cy, ww, wh):
        pen.rect(cx - ww - 0.018, cy - wh - 0.018, cx + ww + 0.018, cy + wh + 0.018, trim)
        pen.rect(cx - ww, cy - wh, cx + ww, cy + wh, glass)
        pen.poly([(cx - ww, cy + wh), (cx, cy + wh), (cx - ww, cy - wh * 0.4)],
                 shade(glass, 1.25))
        pen.rect(cx - 0.007, cy - wh, cx + 0.007, cy + wh, trim)
        pen.rect(cx - ww, cy - 0.007, cx + ww, cy + 0.007, trim)

    door = jitter(rng, rng.choice([(120, 60, 40), (50, 80, 110), (60, 100, 70), (160, 50, 50)]))
    dx = rng.choice([-0.45, 0.0, 0.45]) * w
    pen.rect(dx - 0.085, 0.02, dx + 0.085, 0.31, trim)
    pen.rect(dx - 0.068, 0.02, dx + 0.068, 0.295, door)
    pen.ellipse(dx + 0.045, 0.15, 0.012, 0.012, (230, 200, 90))
    for wx in (-0.6, 0.0, 0.6):
        if abs(wx * w - dx) > 0.2:
            window(wx * w, 0.25, 0.068, 0.075)
    if storeys == 2:
        for wx in (-0.58, 0.0, 0.58):
            window(wx * w, 0.52, 0.06, 0.068)
    if depth > 0.26:
        window(x1 + depth / 2, 0.26, 0.05, 0.07)


def draw_tree(pen, rng, scene):
    greens = [(70, 128, 60), (96, 150, 64), (52, 104, 58), (120, 160, 70), (84, 120, 50)]
    autumn = [(206, 130, 48), (190, 84, 44), (220, 170, 60), (160, 60, 50)]
    leaf = rng.choice(autumn if scene["season"] == "autumn" and rng.random() < 0.75 else greens)
    if rng.random() < 0.05:
        leaf = (236, 170, 190)
    leaf = jitter(rng, leaf)
    kind = rng.choice(["round", "round", "round", "conifer", "conifer", "poplar"])
    if scene["kind"] in ("beach", "desert"):
        kind = rng.choice(["palm", "palm", "round"])
    elif scene["kind"] in ("snow", "mountain"):
        kind = rng.choice(["conifer", "conifer", "conifer", "round"])
    bark = jitter(rng, rng.choice([(104, 76, 54), (86, 64, 48), (126, 100, 78)]))
    if kind == "conifer":
        leaf = jitter(rng, rng.choice([(40, 92, 62), (52, 104, 70), (36, 78, 60), (70, 112, 66)]))
        tw = rng.uniform(0.03, 0.045)
        pen.rect(-tw, 0, tw, 0.3, bark)
        n = rng.randint(3, 5)
        half = rng.uniform(0.22, 0.34)
        for i in range(n):
            y0 = 0.13 + 0.62 * i / n
            y1 = min(1.0, y0 + 0.87 / n + 0.2)
            if i == n - 1:
                y1 = 1.0
            h = half * (1 - 0.72 * i / n)
            c = shade(leaf, 0.85 + 0.25 * i / n)
            pen.poly([(-h, y0), (-h * 0.5, y0 - 0.015), (0, y0 + 0.015), (h * 0.5, y0 - 0.015),
                      (h, y0), (0, y1)], c)
            pen.poly([(h * 0.3, y0), (h, y0), (0, y1)], shade(c, 0.86))
            if scene["snow"]:
                pen.poly([(-h * 0.42, y0 + (y1 - y0) * 0.58), (-h * 0.1, y0 + (y1 - y0) * 0.5),
                          (h * 0.12, y0 + (y1 - y0) * 0.62), (h * 0.42, y0 + (y1 - y0) * 0.58),
                          (0, y1)], (240, 244, 250))
    elif kind == "poplar":
        pen.rect(-0.03, 0, 0.03, 0.3, bark)
        rx = rng.uniform(0.12, 0.19)
        pen.ellipse(0, 0.57, rx, 0.43, shade(leaf, 0.8))
        pen.ellipse(-0.02, 0.59, rx * 0.82, 0.39, leaf)
        for _ in range(14):
            t = rng.uniform(0, 6.28)
            r = rng.uniform(0, 0.75)
            pen.ellipse(rx * r * math.cos(t), 0.6 + 0.34 * r * math.sin(t), 0.035, 0.05,
                        shade(leaf, rng.uniform(0.85, 1.15)))
    elif kind == "palm":
        leaf = jitter(rng, (74, 140, 70))
        lean = rng.uniform(-0.18, 0.18)
        trunk = [(lean * t * t, 0.76 * t) for t in (0, 0.2, 0.4, 0.6, 0.8, 1.0)]
        pen.limb(trunk, 0.075, jitter(rng, (146, 112, 78)), 0.045)
        for t in (0.15, 0.3, 0.45, 0.6, 0.75, 0.9):
            x, y = lean * t * t, 0.76 * t
            pen.rect(x - 0.028, y, x + 0.028, y + 0.01, (112, 84, 60))
        n = rng.randint(7, 9)
        for i in range(n):
            a = math.radians(-35 + 250 * i / (n - 1) + rng.uniform(-8, 8))
            length = rng.uniform(0.27, 0.36)
            upper, lower = [], []
            for k in range(9):
                t = k / 8
                x = lean + length * t * math.cos(a)
                y = 0.76 + length * (t * math.sin(a) * 0.75 + 0.25 * t - 0.55 * t * t)
                thick = 0.05 * math.sin(math.pi * min(1, t * 0.9 + 0.1))
                upper.append((x, y + thick))
                lower.append((x, y - thick * 0.6))
            pen.poly(upper + lower[::-1], shade(leaf, rng.uniform(0.75, 1.15)))
        for _ in range(3):
            pen.ellipse(lean + rng.uniform(-0.04, 0.04), 0.74 + rng.uniform(-0.03, 0.0),
                        0.025, 0.025, (110, 74, 46))
    else:
        if rng.random() < 0.15:
            bark = (226, 224, 216)
        tw = rng.uniform(0.03, 0.055)
        pen.poly([(-tw * 1.5, 0), (tw * 1.5, 0), (tw, 0.12), (tw * 0.8, 0.5), (-tw * 0.8, 0.5),
                  (-tw, 0.12)], bark)
        pen.limb([(0, 0.3), (0.12, 0.48)], tw, bark, tw * 0.5)
        pen.limb([(0, 0.33), (-0.12, 0.5)], tw, bark, tw * 0.5)
        rx = rng.uniform(0.26, 0.42)
        blobs = []
        for i in range(rng.randint(9, 13)):
            t = 2 * math.pi * i / 11 + rng.uniform(-0.2, 0.2)
            blobs.append((rx * 0.66 * math.cos(t), 0.66 + 0.21 * math.sin(t),
                          rng.uniform(0.10, 0.14)))
        pen.ellipse(0, 0.66, rx * 0.85, 0.27, shade(leaf, 0.78))
        for x, y, r in blobs:
            pen.ellipse(x, y, r * 1.05, r, shade(leaf, 0.8))
        for x, y, r in blobs:
            pen.ellipse(x * 0.86 - 0.025, y * 0.94 + 0.06, r * 0.85, r * 0.8, leaf)
        for _ in range(12):
            t = rng.uniform(0, 6.28)
            r = rng.uniform(0, 0.8)
            pen.ellipse(rx * 0.75 * r * math.cos(t) - 0.04, 0.71 + 0.18 * r * math.sin(t),
                        0.04, 0.03, shade(leaf, rng.uniform(0.92, 1.2)))
        if rng.random() < 0.2:
            fruit = rng.choice([(206, 50, 44), (240, 190, 60), (250, 250, 240)])
            for _ in range(10):
                t, r = rng.uniform(0, 6.28), rng.uniform(0.1, 0.9)
                pen.ellipse(rx * 0.75 * r * math.cos(t), 0.66 + 0.2 * r * math.sin(t),
                            0.022, 0.022, fruit)


CAR_PAINT = [(200, 44, 44), (44, 92, 170), (240, 240, 240), (46, 50, 58), (236, 190, 50),
             (70, 140, 90), (160, 166, 174), (230, 120, 50), (110, 180, 210), (120, 50, 90)]


def draw_car(pen, rng, scene):
    paint = jitter(rng, rng.choice(CAR_PAINT), 10)
    dark = shade(paint, 0.72)
    glass = rng.choice([(70, 92, 112), (120, 160, 185), (50, 62, 74)])
    kind = rng.choice(["sedan", "sedan", "hatch", "suv", "van", "pickup"])
    half = {"sedan": 1.38, "hatch": 1.15, "suv": 1.28, "van": 1.32, "pickup": 1.42}[kind]
    wr = 0.215
    ax = half * 0.60
    belt = 0.60
    # Body outline, nose to the right.
    body = [(-half, 0.24), (-half, 0.50), (-half + 0.06, belt), (half * 0.45, belt + 0.01),
            (half - 0.16, 0.53), (half - 0.02, 0.44), (half, 0.24), (half - 0.06, 0.18),
            (-half + 0.06, 0.18)]
    if kind == "sedan":
        cabin = [(-half * 0.68, belt), (-half * 0.40, 0.95), (-half * 0.28, 1.0),
                 (half * 0.12, 1.0), (half * 0.20, 0.96), (half * 0.50, belt)]
    elif kind == "hatch":
        cabin = [(-half + 0.05, belt), (-half * 0.76, 0.95), (-half * 0.66, 1.0),
                 (half * 0.10, 1.0), (half * 0.20, 0.96), (half * 0.55, belt)]
    elif kind == "suv":
        cabin = [(-half + 0.03, belt), (-half + 0.12, 0.97), (-half + 0.2, 1.0),
                 (half * 0.18, 1.0), (half * 0.26, 0.96), (half * 0.52, belt)]
    elif kind == "van":
        cabin = [(-half, belt - 0.06), (-half + 0.03, 1.05), (-half + 0.1, 1.1),
                 (half * 0.42, 1.1), (half * 0.54, 1.04), (half * 0.84, belt - 0.02)]
    else:
        cabin = [(-half * 0.12, belt), (-half * 0.08, 0.96), (-half * 0.02, 1.0),
                 (half * 0.28, 1.0), (half * 0.36, 0.96), (half * 0.60, belt)]
    pen.poly(cabin, shade(paint, 0.95))
    pen.poly(body, paint)
    pen.poly([(-half, 0.24), (half, 0.24), (half - 0.06, 0.18), (-half + 0.06, 0.18)],
             shade(paint, 0.5))
    pen.poly([(-half + 0.02, 0.36), (half - 0.01, 0.36), (half, 0.24), (-half, 0.24)],
             shade(paint, 0.84))
    # Windows: the cabin outline drawn smaller.
    cx = sum(p[0] for p in cabin) / len(cabin)
    base = cabin[0][1] + 0.02
    top = max(p[1] for p in cabin)
    win = [(cx + (x - cx) * 0.86, base + (y - base) * 0.86 if y > base else base)
           for x, y in cabin]
    if kind == "van" and rng.random() < 0.6:
        wx = half * 0.16
        pen.poly([(wx, base + 0.1), (wx, top - 0.1), (half * 0.42, top - 0.1),
                  (half * 0.68, base + 0.1)], glass)
    else:
        pen.poly(win, glass)
        pen.poly([(cx - 0.05, base), (cx + 0.12, base), (cx + 0.28, top - 0.07),
                  (cx + 0.14, top - 0.07)], shade(glass, 1.25))
        pen.rect(cx - 0.03, base, cx + 0.02, top - 0.02, shade(paint, 0.95))
        if kind in ("suv", "van", "hatch"):
            pen.rect(-half * 0.58, base, -half * 0.54, top - 0.02, shade(paint, 0.95))
    if kind == "pickup":
        pen.rect(-half + 0.04, belt - 0.03, -half * 0.14, belt + 0.03, dark)
    # Door lines, handle, lamps, stripe.
    pen.rect(cx - 0.012, 0.24, cx + 0.002, belt, dark)
    pen.rect(half * 0.42, 0.26, half * 0.42 + 0.012, belt, dark)
    pen.rect(cx - 0.16, 0.51, cx - 0.05, 0.535, dark)
    pen.ellipse(half - 0.09, 0.44, 0.085, 0.05, (255, 246, 200), -18)
    pen.rect(-half - 0.005, 0.42, -half + 0.07, 0.53, (200, 40, 36))
    pen.rect(half - 0.1, 0.2, half + 0.03, 0.27, (90, 94, 100))
    pen.rect(-half - 0.03, 0.2, -half + 0.1, 0.27, (90, 94, 100))
    if rng.random() < 0.2:
        pen.rect(-half + 0.05, 0.385, half - 0.04, 0.42, shade(paint, 1.6))
    if kind in ("suv", "hatch", "sedan") and rng.random() < 0.15:
        pen.rect(-half * 0.4, 1.0, half * 0.1, 1.05, (60, 60, 64))
    for x in (-ax, ax):
        pen.ellipse(x, wr + 0.03, wr + 0.05, wr + 0.05, shade(paint, 0.4), 0, 0, 180)
        pen.ellipse(x, wr, wr, wr, (34, 34, 38))
        pen.ellipse(x, wr, wr * 0.62, wr * 0.62, (176, 180, 186))
        for k in range(5):
            a = 2 * math.pi * k / 5
            pen.limb([(x, wr), (x + wr * 0.55 * math.cos(a), wr + wr * 0.55 * math.sin(a))],
                     0.03, (110, 114, 120))
        pen.ellipse(x, wr, wr * 0.18, wr * 0.18, (80, 84, 90))


SKIN = [(244, 208, 178), (226, 180, 140), (190, 136, 98), (140, 94, 66), (98, 66, 48)]
CLOTH = [(206, 60, 56), (56, 100, 176), (240, 238, 230), (242, 196, 70), (80, 150, 100),
         (130, 80, 150), (50, 54, 66), (236, 130, 90), (110, 190, 200), (230, 130, 170)]


def draw_person(pen, rng, scene):
    skin = jitter(rng, rng.choice(SKIN), 8)
    shirt = jitter(rng, rng.choice(CLOTH), 12)
    trousers = jitter(rng, rng.choice([(52, 66, 104), (60, 60, 66), (120, 96, 74), (90, 110, 84),
                                       (150, 60, 60), (200, 196, 186)]), 10)
    hair = rng.choice([(44, 32, 28), (92, 60, 36), (206, 160, 84), (160, 70, 40), (170, 170, 172)])
    shoes = rng.choice([(40, 36, 36), (230, 230, 230), (130, 50, 40)])
    stride = rng.choice([0.03, 0.05, 0.10, 0.15])
    dress = rng.random() < 0.28
    wide = rng.uniform(0.9, 1.2)
    front = rng.random() < 0.6
    leg = 0.085 * wide
    sleeves = rng.random() < 0.7
    pack = not front and rng.random() < 0.4

    def arm(sx, pose, colour):
        side = 1 if sx >= 0 else -1
        if pose == "wave":
            elbow = (sx + side * 0.10, 0.85)
            hand = (sx + side * 0.13, 1.0)
        elif pose == "hip":
            elbow = (sx + side * 0.11, 0.66)
            hand = (sx + side * 0.02, 0.54)
        elif pose == "out":
            elbow = (sx + side * 0.12, 0.74)
            hand = (sx + side * 0.24, 0.76)
        else:
            s = rng.uniform(-0.05, 0.05) + side * 0.03
            elbow = (sx + s, 0.65)
            hand = (sx + s * 1.5 + (0.03 if not front else 0), 0.50)
        shoulder = (sx, 0.78)
        if sleeves:
            pen.limb([shoulder, elbow, hand], 0.062 * wide, colour, 0.05 * wide)
            pen.ellipse(hand[0], hand[1], 0.03, 0.03, skin)
        else:
            pen.limb([shoulder, elbow, hand], 0.058 * wide, skin, 0.045 * wide)
            pen.limb([shoulder, ((shoulder[0] + elbow[0]) / 2, (shoulder[1] + elbow[1]) / 2)],
                     0.066 * wide, colour)

    poses = [rng.choice(["down", "down", "down", "wave", "hip", "out"]) for _ in range(2)]
    hip = 0.045 * wide
    sh = (0.115 if front else 0.05) * wide
    if not front:
        arm(sh, poses[0] if poses[0] != "hip" else "down", shade(shirt, 0.78))
    leg_colour = skin if dress else trousers
    pen.limb([(hip, 0.47), (hip + stride * 0.7, 0.25), (hip + stride, 0.04)], leg,
             shade(leg_colour, 0.86), leg * 0.8)
    pen.limb([(-hip, 0.47), (-hip - stride * 0.45, 0.25), (-hip - stride, 0.04)], leg,
             leg_colour, leg * 0.8)
    toe = 0.02 if front else 0.035
    pen.ellipse(hip + stride + toe, 0.025, 0.06, 0.028, shoes)
    pen.ellipse(-hip - stride + (toe if not front else -toe), 0.025, 0.06, 0.028, shoes)
    if pack:
        pen.ellipse(-0.12 * wide, 0.68, 0.07, 0.12, jitter(rng, rng.choice(CLOTH)))
    if dress:
        pen.poly([(-sh * 0.8, 0.8), (sh * 0.8, 0.8), (sh + 0.10, 0.28), (-sh - 0.10, 0.28)], shirt)
    tw = max(sh, 0.085 * wide)
    pen.poly([(-tw, 0.79), (-tw * 0.6, 0.825), (tw * 0.6, 0.825), (tw, 0.79),
              (tw * 0.82, 0.58), (tw * 0.86, 0.45), (-tw * 0.86, 0.45), (-tw * 0.82, 0.58)], shirt)
    if not dress:
        pen.rect(-tw * 0.86, 0.445, tw * 0.86, 0.475, shade(trousers, 0.6))
    if rng.random() < 0.25:
        stripe = shade(shirt, 0.6) if sum(shirt) > 380 else shade(shirt, 1.5)
        for y in (0.55, 0.63, 0.71):
            pen.rect(-tw * 0.84, y, tw * 0.84, y + 0.03, stripe)
    if front:
        arm(sh, poses[0], shade(shirt, 0.9))
    arm(-sh, poses[1] if front or poses[1] != "hip" else "down", shade(shirt, 0.9))
    # Neck and head.
    pen.rect(-0.03, 0.80, 0.03, 0.86, shade(skin, 0.9))
    long_hair = rng.random() < 0.45
    if long_hair:
        for dx in ((-0.06, 0.06) if front else (-0.06, -0.03)):
            pen.ellipse(dx, 0.88, 0.032, 0.085, hair)
    pen.ellipse(0, 0.91, 0.068, 0.08, skin)
    pen.ellipse(0 if front else -0.012, 0.94, 0.075, 0.062, hair, 0, 0, 180)
    if front:
        pen.ellipse(-0.026, 0.905, 0.009, 0.011, (40, 34, 34))
        pen.ellipse(0.026, 0.905, 0.009, 0.011, (40, 34, 34))
        pen.ellipse(0, 0.872, 0.022, 0.008, (170, 80, 76), 0, 180, 360)
    else:
        pen.ellipse(0.035, 0.91, 0.009, 0.011, (40, 34, 34))
        pen.ellipse(0.068, 0.895, 0.014, 0.012, skin)
        pen.ellipse(-0.035, 0.90, 0.032, 0.055, hair)
    if rng.random() < 0.3:
        hat = jitter(rng, rng.choice(CLOTH))
        pen.ellipse(0, 0.955, 0.078, 0.062, hat, 0, 0, 180)
        if rng.random() < 0.5:
            pen.ellipse(0, 0.955, 0.13, 0.02, shade(hat, 0.85))
        else:
            pen.ellipse(0.07, 0.955, 0.05, 0.014, shade(hat, 0.85))


def draw_dog(pen, rng, scene):
    coat = jitter(rng, rng.choice([(150, 100, 60), (66, 48, 40), (214, 176, 120), (236, 230, 220),
                                   (44, 42, 44), (180, 120, 70), (140, 136, 132)]), 10)
    second = rng.choice([shade(coat, 0.65), (240, 236, 226), shade(coat, 0.85), coat])
    collar = rng.choice([(206, 40, 40), (40, 90, 180), (240, 200, 60)])
    far = shade(coat, 0.74)
    sit = rng.random() < 0.25
    swing = rng.choice([0.0, 0.05, 0.10])
    if sit:
        pen.limb([(-0.30, 0.08), (-0.52, 0.10), (-0.66, 0.28)], 0.09, coat, 0.05)
        pen.ellipse(-0.16, 0.22, 0.26, 0.22, coat)
        pen.limb([(0.16, 0.5), (0.22, 0.05)], 0.12, far, 0.09)
        pen.limb([(-0.14, 0.26), (0.10, 0.66)], 0.36, coat, 0.28)
        pen.limb([(0.10, 0.5), (0.12, 0.05)], 0.12, coat, 0.09)
        pen.ellipse(0.16, 0.04, 0.09, 0.045, coat)
        pen.ellipse(-0.02, 0.05, 0.16, 0.055, coat)
        pen.ellipse(0.14, 0.46, 0.09, 0.16, second)
        hx, hy = 0.20, 0.84
    else:
        tail_up = rng.uniform(0.62, 0.98)
        pen.limb([(-0.48, 0.60), (-0.62, 0.68), (-0.72, tail_up)], 0.09, coat, 0.05)
        for x, s in ((-0.30, -1), (0.32, 1)):
            pen.limb([(x + 0.05, 0.44), (x + 0.05 + s * swing, 0.24), (x + 0.04 + s * swing, 0.04)],
                     0.12, far, 0.09)
        pen.ellipse(-0.06, 0.54, 0.46, 0.17, coat)
        pen.ellipse(0.26, 0.55, 0.21, 0.2, coat)
        pen.ellipse(-0.34, 0.54, 0.17, 0.16, coat)
        pen.ellipse(-0.02, 0.46, 0.3, 0.07, second)
        for x, s in ((-0.40, 1), (0.24, -1)):
            pen.limb([(x, 0.44), (x + s * swing, 0.24), (x + s * swing, 0.04)], 0.14, coat, 0.09)
            pen.ellipse(x + s * swing + 0.03, 0.035, 0.08, 0.04, coat)
        if rng.random() < 0.4:
            pen.ellipse(rng.uniform(-0.3, 0.0), 0.60, 0.14, 0.08, second)
        pen.limb([(0.34, 0.60), (0.48, 0.78)], 0.24, coat, 0.19)
        pen.limb([(0.32, 0.70), (0.52, 0.62)], 0.05, collar)
        hx, hy = 0.54, 0.83
    pen.ellipse(hx, hy, 0.165, 0.15, coat)
    pen.ellipse(hx + 0.17, hy - 0.05, 0.14, 0.075, second if rng.random() < 0.5 else coat)
    pen.ellipse(hx + 0.29, hy - 0.03, 0.036, 0.032, (28, 24, 24))
    pen.ellipse(hx + 0.07, hy + 0.035, 0.022, 0.024, (24, 20, 20))
    if rng.random() < 0.5:
        pen.ellipse(hx - 0.09, hy - 0.02, 0.065, 0.15, shade(coat, 0.7), -14)
    else:
        pen.poly([(hx - 0.14, hy + 0.06), (hx - 0.10, hy + 0.25), (hx + 0.02, hy + 0.12)],
                 shade(coat, 0.7))
    if sit:
        pen.limb([(hx - 0.16, hy - 0.13), (hx + 0.06, hy - 0.16)], 0.05, collar)


def draw_boat(pen, rng, scene):
    hull = jitter(rng, rng.choice([(240, 240, 240), (180, 50, 46), (44, 80, 140), (130, 86, 54),
                                   (60, 120, 110), (40, 44, 52), (236, 190, 70)]), 10)
    kind = rng.choice(["sail", "sail", "sail", "motor", "motor", "row"])
    if kind == "sail":
        w = rng.uniform(0.36, 0.48)
        sail = jitter(rng, rng.choice([(250, 248, 242), (250, 248, 242), (240, 220, 180),
                                       (220, 80, 60), (90, 150, 200), (246, 200, 90)]), 6)
        pen.limb([(0.02, 0.12), (0.02, 1.0)], 0.022, (110, 84, 62))
        pen.poly([(-0.01, 0.96), (-0.01, 0.24), (-w * 0.92, 0.24), (-w * 0.45, 0.52)], sail)
        if rng.random() < 0.8:
            jib = sail if rng.random() < 0.7 else jitter(rng, rng.choice(CLOTH))
            pen.poly([(0.05, 0.86), (0.05, 0.24), (w * 0.88, 0.22)], shade(jib, 0.92))
        if rng.random() < 0.4:
            pen.poly([(-0.01, 0.56), (-0.01, 0.46), (-w * 0.66, 0.40), (-w * 0.52, 0.48)],
                     jitter(rng, rng.choice(CLOTH)))
        if rng.random() < 0.5:
            pen.poly([(0.02, 1.0), (0.02, 0.95), (-0.10, 0.975)], (214, 50, 50))
        pen.poly([(-w, 0.19), (w * 1.08, 0.20), (w * 0.8, 0.02), (w * 0.7, 0), (-w * 0.8, 0)], hull)
        pen.poly([(-w, 0.19), (w * 1.08, 0.20), (w * 1.02, 0.16), (-w * 0.97, 0.15)],
                 shade(hull, 0.7) if sum(hull) > 300 else shade(hull, 1.5))
    elif kind == "motor":
        w = rng.uniform(0.85, 1.15)
        top = (246, 246, 244) if sum(hull) < 600 else jitter(rng, rng.choice(CLOTH))
        pen.rect(-w * 0.45, 0.36, w * 0.25, 0.72, top)
        pen.poly([(w * 0.25, 0.36), (w * 0.25, 0.72), (w * 0.48, 0.36)], shade(top, 0.9))
        pen.rect(-w * 0.52, 0.70, w * 0.32, 0.77, shade(top, 0.75))
        for i in range(3):
            x = -w * 0.36 + i * w * 0.20
            pen.rect(x, 0.50, x + w * 0.13, 0.64, (80, 110, 136))
        if rng.random() < 0.5:
            pen.rect(-w * 0.36, 0.76, -w * 0.2, 1.0, jitter(rng, (190, 60, 50)))
            pen.rect(-w * 0.36, 0.93, -w * 0.2, 1.0, (40, 40, 44))
        else:
            pen.limb([(-w * 0.1, 0.76), (-w * 0.1, 1.02)], 0.03, (90, 90, 96))
            pen.poly([(-w * 0.1, 1.02), (-w * 0.1, 0.90), (-w * 0.3, 0.96)],
                     jitter(rng, rng.choice(CLOTH)))
        pen.poly([(-w, 0.40), (w * 0.6, 0.40), (w * 1.1, 0.52), (w * 0.82, 0.05), (w * 0.76, 0),
                  (-w * 0.88, 0)], hull)
        pen.poly([(-w * 0.95, 0.16), (w * 0.885, 0.16), (w * 0.82, 0.05), (w * 0.76, 0),
                  (-w * 0.88, 0)], shade(hull, 0.6))
        pen.poly([(-w, 0.40), (w * 0.6, 0.40), (w * 1.1, 0.52), (w * 1.06, 0.45), (w * 0.6, 0.34),
                  (-w * 0.99, 0.34)], shade(hull, 1.4) if sum(hull) < 500 else (60, 90, 140))
    else:
        w = rng.uniform(1.3, 1.6)
        pen.poly([(-w, 0.66), (-w * 0.5, 0.56), (w * 0.5, 0.56), (w, 0.72), (w * 0.74, 0.06),
                  (w * 0.6, 0), (-w * 0.62, 0), (-w * 0.76, 0.06)], hull)
        pen.poly([(-w, 0.66), (-w * 0.5, 0.56), (w * 0.5, 0.56), (w, 0.72), (w * 0.97, 0.60),
                  (w * 0.5, 0.45), (-w * 0.5, 0.45), (-w * 0.96, 0.55)], shade(hull, 0.6))
        for y in (0.16, 0.30):
            pen.rect(-w * 0.78, y, w * 0.80, y + 0.025, shade(hull, 0.8))
        pen.limb([(-w * 0.12, 0.64), (-w * 0.42, 1.0)], 0.06, (190, 150, 100))
        pen.limb([(w * 0.22, 0.64), (w * 0.46, 1.0)], 0.06, (190, 150, 100))


def draw_balloon(pen, rng, scene):
    first = jitter(rng, rng.choice([(214, 52, 52), (44, 100, 180), (246, 190, 54), (90, 160, 90),
                                    (150, 80, 160), (238, 124, 50), (50, 170, 180)]), 10)
    second = rng.choice([(250, 244, 230), (250, 210, 80), shade(first, 0.6), (240, 130, 60),
                         (90, 190, 210)])
    cy, r = 0.655, rng.uniform(0.31, 0.36)
    profile = []
    for i in range(31):
        y = cy + 0.345 - i * (0.845 / 30)
        d = (y - cy) / 0.345
        if d >= -0.25:
            x = r * math.sqrt(max(0.0, 1 - d * d))
        else:
            t = (-0.25 - d) / ((cy - 0.155) / 0.345 - 0.25)
            x = r * 0.968 * (1 - t) + 0.062 * t - 0.05 * math.sin(math.pi * t) * 0.4
        profile.append((x, y))
    gores = rng.choice([6, 7, 8, 9, 10])
    for g in range(gores):
        a = math.sin(math.pi * (g / gores - 0.5))
        b = math.sin(math.pi * ((g + 1) / gores - 0.5))
        c = first if g % 2 == 0 else second
        c = shade(c, 0.78 + 0.25 * (1 - abs(a + b) / 2))
        pen.poly([(x * a, y) for x, y in profile] + [(x * b, y) for x, y in profile[::-1]], c)
    band = rng.random()
    if band < 0.45:
        colour = rng.choice([(250, 244, 230), shade(first, 0.6), (250, 210, 80)])
        part = [p for p in profile if abs(p[1] - cy + 0.02) < rng.choice([0.06, 0.09])]
        pen.poly([(x, y) for x, y in part] + [(-x, y) for x, y in part[::-1]], colour)
    pen.limb([(-0.06, 0.16), (-0.05, 0.09)], 0.009, (70, 54, 44))
    pen.limb([(0.06, 0.16), (0.05, 0.09)], 0.009, (70, 54, 44))
    pen.limb([(0.0, 0.16), (0.0, 0.09)], 0.007, (70, 54, 44))
    basket = jitter(rng, (146, 100, 60))
    pen.rect(-0.062, 0.0, 0.062, 0.10, basket)
    pen.rect(-0.068, 0.085, 0.068, 0.105, shade(basket, 0.7))
    pen.rect(-0.062, 0.04, 0.062, 0.05, shade(basket, 0.8))


def draw_bird(pen, rng, scene):
    body = jitter(rng, rng.choice([(244, 244, 244), (60, 58, 64), (120, 84, 60), (60, 100, 170),
                                   (190, 60, 54), (226, 180, 70), (150, 154, 162)]), 10)
    wing = rng.choice([shade(body, 0.75), shade(body, 0.6), body])
    tip = rng.choice([(40, 40, 44), shade(body, 0.5), wing])
    beak = rng.choice([(240, 160, 50), (230, 200, 90), (70, 64, 60)])
    if rng.random() < 0.55:
        # From the side, wings up or down.
        up = rng.choice([1, 1, -1])
        lift = rng.uniform(0.28, 0.46) * up
        pen.poly([(0.02, 0.02), (0.22, 0.03), (0.10, lift * 0.6), (-0.04, lift),
                  (-0.10, lift * 0.55)], shade(wing, 0.78))
        pen.poly([(-0.22, 0.02), (-0.5, 0.09), (-0.47, 0.0), (-0.5, -0.06), (-0.2, -0.04)], wing)
        pen.ellipse(0, 0, 0.28, 0.10, body, 4)
        pen.ellipse(0.02, -0.035, 0.2, 0.055, shade(body, 1.25))
        pen.ellipse(0.28, 0.06, 0.095, 0.085, body)
        pen.poly([(0.36, 0.09), (0.48, 0.045), (0.36, 0.025)], beak)
        pen.ellipse(0.31, 0.08, 0.017, 0.017, (20, 20, 22))
        lift *= 1.12
        pen.poly([(-0.12, 0.03), (0.16, 0.04), (0.02, lift * 0.55), (-0.16, lift),
                  (-0.24, lift * 0.9), (-0.22, lift * 0.45)], wing)
        pen.poly([(-0.16, lift), (-0.24, lift * 0.9), (-0.225, lift * 0.7), (-0.10, lift * 0.84)],
                 tip)
    else:
        # From the front or behind, both wings spread.
        rise = rng.uniform(0.10, 0.26)
        drop = rng.uniform(-0.06, 0.10)
        for s in (-1, 1):
            pen.poly([(0, 0.05), (s * 0.16, rise * 0.85), (s * 0.28, rise), (s * 0.42, rise * 0.75),
                      (s * 0.5, drop), (s * 0.36, rise * 0.42), (s * 0.2, rise * 0.30),
                      (0, -0.05)], wing)
            pen.poly([(s * 0.42, rise * 0.75), (s * 0.5, drop), (s * 0.38, rise * 0.48)], tip)
        pen.poly([(-0.05, -0.03), (0.05, -0.03), (0.08, -0.17), (-0.08, -0.17)], shade(wing, 0.9))
        pen.ellipse(0, 0.0, 0.075, 0.11, body)
        pen.ellipse(0, 0.10, 0.055, 0.05, body)
        pen.poly([(-0.018, 0.10), (0.018, 0.10), (0, 0.055)], beak)


DRAW = {"house": draw_house, "tree": draw_tree, "car": draw_car, "person": draw_person,
        "dog": draw_dog, "boat": draw_boat, "balloon": draw_balloon, "bird": draw_bird}


# --------------------------------------------------------------- landscape

SKIES = {
    "day": ((70, 140, 214), (190, 222, 242)),
    "morning": ((120, 160, 214), (250, 222, 190)),
    "sunset": ((86, 84, 150), (250, 160, 96)),
    "overcast": ((150, 162, 176), (208, 214, 218)),
    "dusk": ((30, 40, 84), (130, 110, 150)),
}
TINTS = {"day": (1.0, 1.0, 1.0), "morning": (1.03, 0.98, 0.92), "sunset": (1.02, 0.88, 0.80),
         "overcast": (0.90, 0.92, 0.95), "dusk": (0.62, 0.66, 0.86)}
GROUNDS = {"meadow": ((148, 182, 92), (86, 136, 62)), "town": ((150, 172, 110), (110, 140, 84)),
           "lake": ((140, 170, 96), (84, 128, 66)), "beach": ((238, 220, 170), (214, 188, 132)),
           "snow": ((236, 240, 246), (206, 216, 230)), "desert": ((226, 186, 124), (196, 148, 92)),
           "mountain": ((128, 156, 96), (84, 120, 70))}


def choose_setting(rng):
    kind = rng.choice(["meadow", "meadow", "town", "town", "lake", "lake", "beach", "snow",
                       "desert", "mountain"])
    season = rng.choice(["summer", "summer", "autumn"])
    time = rng.choice(["day"] * 5 + ["morning"] * 2 + ["sunset"] * 2 + ["overcast"] * 2 + ["dusk"])
    horizon = rng.uniform(0.40, 0.60)
    scene = {"kind": kind, "season": season, "time": time, "snow": kind == "snow",
             "horizon": horizon, "sun_side": rng.choice([-1, 1]), "water": None, "road": None}
    ground_top = horizon + 0.01
    if kind in ("lake", "beach") or (kind in ("mountain", "meadow") and rng.random() < 0.35):
        depth = rng.uniform(0.14, 0.26)
        scene["water"] = (horizon, horizon + depth)
        ground_top = horizon + depth + 0.02
    if kind == "town" or (kind != "beach" and rng.random() < 0.4):
        lo = ground_top + 0.10
        if lo < 0.86:
            top = rng.uniform(lo, 0.86)
            scene["road"] = (top, min(0.99, top + rng.uniform(0.09, 0.14)))
    scene["ground_top"] = ground_top
    return scene


def gradient(top, bottom, size):
    t = np.linspace(0, 1, 64)[:, None]
    column = np.asarray(top)[None, :] * (1 - t) + np.asarray(bottom)[None, :] * t
    image = Image.fromarray(column.round().astype(np.uint8)[:, None, :])
    return image.resize(size, Image.BILINEAR)


def draw_landscape(rng, scene, w, h):
    """The background, w by h pixels (already supersampled)."""
    unit = math.sqrt(w * h) * 0.866
    top, bottom = (jitter(rng, c, 12) for c in SKIES[scene["time"]])
    hz = scene["horizon"] * h
    canvas = Image.new("RGB", (w, h))
    canvas.paste(gradient(top, bottom, (w, int(hz) + 4)), (0, 0))

    # Sun or moon with a glow.
    if scene["time"] != "overcast":
        sx = w * (0.5 + scene["sun_side"] * rng.uniform(0.1, 0.42))
        low = scene["time"] in ("sunset", "morning")
        sy = hz * (rng.uniform(0.6, 0.9) if low else rng.uniform(0.12, 0.4))
        r = unit * rng.uniform(0.035, 0.06)
        colour = {"day": (255, 246, 196), "morning": (255, 236, 180), "sunset": (255, 206, 120),
                  "dusk": (236, 236, 226)}[scene["time"]]
        g = int(r * 7)
        glow = Image.radial_gradient("L").resize((2 * g, 2 * g))
        glow = glow.point([int(max(0, 1 - v / 180) ** 2 * 150) for v in range(256)])
        canvas.paste(colour, (int(sx) - g, int(sy) - g), glow)
        ImageDraw.Draw(canvas).ellipse([sx - r, sy - r, sx + r, sy + r], fill=colour)

    # Clouds: soft blobs drawn small and enlarged.
    n = rng.choice([0, 1, 2, 3, 3, 4, 5])
    if n:
        k = 8
        mask = Image.new("L", (w // k, h // k))
        d = ImageDraw.Draw(mask)
        for _ in range(n):
            cx, cy = rng.uniform(0, w), rng.uniform(0.05, 0.72) * hz
            cw = unit * rng.uniform(0.08, 0.2)
            for i in range(6):
                ox = (i / 5 - 0.5) * 1.7 * cw
                r = cw * (0.42 - 0.28 * abs(i / 5 - 0.5)) * rng.uniform(0.7, 1.1)
                box = [(cx + ox - r) / k, (cy - r * 0.8) / k, (cx + ox + r) / k, (cy + r * 0.42) / k]
                d.ellipse(box, fill=rng.randint(190, 235))
        mask = mask.filter(ImageFilter.GaussianBlur(unit * 0.005 / k * 2))
        mask = mask.resize((w, h), Image.BILINEAR)
        canvas.paste(mix((255, 255, 255), bottom, 0.25), (0, 0), mask)

    d = ImageDraw.Draw(canvas)
    near, far_ground = GROUNDS[scene["kind"]][1], GROUNDS[scene["kind"]][0]
    if scene["season"] == "autumn" and scene["kind"] in ("meadow", "town", "lake"):
        far_ground, near = mix(far_ground, (206, 170, 90), 0.5), mix(near, (160, 124, 60), 0.45)
    far_ground, near = jitter(rng, far_ground, 10), jitter(rng, near, 10)

    # Mountains and hills.
    if scene["kind"] in ("mountain", "snow") or rng.random() < 0.3:
        rock = mix(jitter(rng, (110, 116, 140)), bottom, 0.35)
        x = -0.1 * w
        while x < w * 1.1:
            pw, ph = unit * rng.uniform(0.25, 0.5), unit * rng.uniform(0.12, 0.30)
            peak = (x + pw * 0.5, hz - ph)
            d.polygon([(x - pw * 0.2, hz + 3), peak, (x + pw * 1.2, hz + 3)], fill=rock)
            d.polygon([peak, (x + pw * 1.2, hz + 3), (x + pw * 0.6, hz + 3),
                       (x + pw * 0.45, hz - ph * 0.5)], fill=shade(rock, 0.86))
            s = 0.34
            d.polygon([peak, (x + pw * (0.5 - 0.7 * s), hz - ph * (1 - s)),
                       (x + pw * 0.42, hz - ph * 0.78), (x + pw * 0.52, hz - ph * 0.62),
                       (x + pw * 0.6, hz - ph * 0.76), (x + pw * (0.5 + 0.7 * s), hz - ph * (1 - s))],
                      fill=mix((246, 248, 252), bottom, 0.15))
            x += pw * rng.uniform(0.5, 1.0)
    xs = np.linspace(0, w, 60)
    for i in range(rng.choice([0, 1, 2, 2, 3])):
        amp = unit * rng.uniform(0.015, 0.06)
        ys = hz - unit * (0.05 - 0.02 * i) - amp * (
            np.sin(xs / unit * rng.uniform(2, 5) + rng.uniform(0, 6))
            + 0.4 * np.sin(xs / unit * rng.uniform(6, 11) + rng.uniform(0, 6)))
        colour = mix(mix(far_ground, (90, 130, 120), 0.3), bottom, 0.55 - 0.15 * i)
        d.polygon([(0, hz + 4)] + list(zip(xs, np.minimum(ys, hz + 2))) + [(w, hz + 4)],
                  fill=colour)

    # Ground.
    canvas.paste(gradient(far_ground, near, (w, h - int(hz))), (0, int(hz)))
    d = ImageDraw.Draw(canvas)
    for _ in range(rng.randint(3, 8)):
        y = rng.uniform(scene["ground_top"] * h, h)
        p = (y - hz) / (h - hz)
        cx, rx, ry = rng.uniform(0, w), unit * rng.uniform(0.2, 0.6), unit * 0.05 * (0.2 + p)
        c = mix(mix(far_ground, near, p), rng.choice([(255, 255, 220), (40, 60, 30)]), 0.07)
        d.ellipse([cx - rx, y - ry, cx + rx, y + ry], fill=c)

    # Water with light streaks and a wavy shore.
    if scene["water"]:
        y0, y1 = scene["water"][0] * h, scene["water"][1] * h
        deep = mix(jitter(rng, (54, 118, 160)), top, 0.3)
        pale = mix(jitter(rng, (110, 170, 190)), bottom, 0.4)
        canvas.paste(gradient(pale, deep, (w, int(y1 - y0))), (0, int(y0)))
        d = ImageDraw.Draw(canvas)
        shore = y1 + unit * 0.012 * np.sin(xs / unit * rng.uniform(3, 7) + rng.uniform(0, 6))
        sand = mix((228, 208, 160), far_ground, 0.0 if scene["kind"] == "beach" else 0.45)
        d.polygon([(0, y1 - unit * 0.03)] + list(zip(xs, shore + unit * 0.010))
                  + [(w, y1 - unit * 0.03)], fill=sand)
        d.polygon([(0, y1 - unit * 0.04)] + list(zip(xs, shore)) + [(w, y1 - unit * 0.04)],
                  fill=deep)
        for _ in range(rng.randint(20, 50)):
            y = rng.uniform(y0 + 2, y1 - unit * 0.02)
            p = (y - y0) / (y1 - y0)
            x, l = rng.uniform(0, w), unit * rng.uniform(0.02, 0.10) * (0.4 + p)
            t = max(1, unit * 0.0016 * (0.6 + p))
            d.rectangle([x, y, x + l, y + t],
                        fill=mix(mix(pale, deep, p), (255, 255, 255), rng.uniform(0.1, 0.4)))

    # Road.
    if scene["road"]:
        y0, y1 = scene["road"][0] * h, scene["road"][1] * h
        tar = jitter(rng, (112, 112, 118), 14)
        edge = mix(far_ground, (180, 176, 166), 0.6)
        d.rectangle([0, y0 - unit * 0.010, w, y1 + unit * 0.012], fill=edge)
        d.rectangle([0, y0, w, y1], fill=tar)
        mid, t, step = (y0 + y1) / 2, unit * 0.006, unit * 0.10
        x = -rng.uniform(0, step)
        while x < w:
            d.polygon([(x, mid + t), (x + step * 0.5, mid + t), (x + step * 0.53, mid - t),
                       (x + step * 0.03, mid - t)], fill=(236, 232, 214))
            x += step
    elif rng.random() < 0.35 and not scene["water"]:
        # A path that runs to the horizon.
        x0, x1 = w * rng.uniform(0.3, 0.7), w * rng.uniform(0.2, 0.8)
        a, b = [], []
        for i in range(21):
            t = i / 20
            y = hz + (h - hz) * t
            c = x0 + (x1 - x0) * t + unit * 0.08 * math.sin(4 * t) * t
            half = unit * (0.006 + 0.11 * t * t)
            a.append((c - half, y))
            b.append((c + half, y))
        d.polygon(a + b[::-1], fill=mix(jitter(rng, (206, 180, 138)), far_ground, 0.2))

    # Small things without a class: fence, rocks, tufts, flowers.
    if rng.random() < 0.22 and scene["kind"] in ("meadow", "town", "lake", "snow"):
        y = h * min(0.95, scene["ground_top"] + rng.uniform(0.02, 0.2))
        s = unit * 0.07 * (0.3 + (y - hz) / (h - hz))
        wood = jitter(rng, rng.choice([(150, 116, 80), (236, 232, 224)]))
        for k in (0.35, 0.75):
            d.rectangle([0, y - s * k - s * 0.06, w, y - s * k + s * 0.06], fill=wood)
        x = rng.uniform(0, s)
        while x < w:
            d.rectangle([x, y - s, x + s * 0.14, y], fill=shade(wood, 0.9))
            x += s * 1.2
    lo = scene["ground_top"]
    for _ in range(rng.randint(0, 5)):
        y = h * rng.uniform(lo, 1.0)
        p = (y - hz) / (h - hz)
        r, x = unit * rng.uniform(0.008, 0.03) * (0.3 + p), rng.uniform(0, w)
        c = jitter(rng, (150, 146, 140))
        d.polygon([(x - r, y), (x - r * 0.7, y - r * 0.6), (x, y - r * 0.85), (x + r * 0.8, y - r * 0.5),
                   (x + r, y)], fill=c)
        d.polygon([(x - r, y), (x - r * 0.2, y - r * 0.4), (x + r, y)], fill=shade(c, 0.8))
    in_road = lambda v: scene["road"] and scene["road"][0] - 0.02 < v < scene["road"][1] + 0.02
    if scene["kind"] not in ("beach", "desert", "snow"):
        bloom = [(250, 250, 240), (246, 210, 70), (220, 80, 80), (190, 130, 210)]
        bloom = [rng.choice(bloom) for _ in range(2)]
        flowers = rng.random() < 0.4
        for _ in range(rng.randint(40, 120)):
            v = rng.uniform(lo, 1.0)
            if in_road(v):
                continue
            y, x = h * v, rng.uniform(0, w)
            p = (y - hz) / (h - hz)
            s = unit * 0.02 * (0.25 + p)
            c = mix(mix(far_ground, near, p), (40, 70, 30), rng.uniform(0.1, 0.35))
            for o in (-0.4, 0.0, 0.4):
                d.polygon([(x + o * s - s * 0.1, y), (x + o * s + s * 0.1, y), (x + o * s * 1.8, y - s)],
                          fill=c)
            if flowers:
                q = s * 0.28
                d.ellipse([x - q, y - s - q, x + q, y - s + q], fill=rng.choice(bloom))
    return canvas, unit, bottom


# -------------------------------------------------------------- composition

WEIGHTS = {  # house, tree, car, person, dog, boat, balloon, bird
    "meadow": (4, 9, 3, 2.5, 2.5, 0, 3, 2.5), "town": (7, 7, 8, 4, 2, 0, 2, 2),
    "lake": (3, 8, 2, 2.5, 2, 9, 3, 2.5), "beach": (2, 7, 1, 4, 3, 10, 3, 3),
    "snow": (6, 10, 3, 3, 3, 0, 3, 2), "desert": (3, 8, 5, 3, 2, 0, 4, 2),
    "mountain": (4, 10, 3, 3, 2, 0, 4, 2.5)}
# Height (for a bird: width) of an object as a part of the picture unit, in
# the foreground; for balloon and bird the range of heights and widths.
SIZES = {"house": 0.74, "tree": 0.80, "car": 0.27, "person": 0.44, "dog": 0.24, "boat": 0.62}


def place(rng, scene, name, aspect):
    """Foot point (as parts of the width and height) and size of an object."""
    hz, lo = scene["horizon"], scene["ground_top"]
    x = rng.uniform(0.02, 0.98)
    if name == "balloon":
        size = rng.uniform(0.10, 0.42) * rng.uniform(0.8, 1.0)
        return x, rng.uniform(0.12, hz * 1.02), size, -1.0
    if name == "bird":
        return x, rng.uniform(0.05, hz * 0.95), rng.uniform(0.06, 0.17), rng.uniform(-0.5, 2)
    if name == "boat":
        y = rng.uniform(scene["water"][0] + 0.025, scene["water"][1] - 0.035)
    elif name == "car" and scene["road"] and rng.random() < 0.85:
        y = rng.uniform(scene["road"][0] + 0.03, scene["road"][1])
    elif name == "house":
        y = rng.uniform(lo + 0.01, lo + (0.98 - lo) * 0.45)
    else:
        y = rng.uniform(lo + 0.01, 0.985)
    if name in ("house", "tree") and scene["road"]:
        if scene["road"][0] - 0.01 < y < scene["road"][1] + 0.015:
            y = scene["road"][0] - rng.uniform(0.012, 0.05)
    p = 0.24 + 0.76 * (y - hz) / (1 - hz)
    size = SIZES[name] * p * rng.uniform(0.78, 1.22)
    if name == "person" and rng.random() < 0.2:
        size *= 0.7
    return x, y, size, y


def transform(shapes, x, y, size, mirror, angle):
    """Object units to picture pixels."""
    ca, sa = math.cos(angle) * size, math.sin(angle) * size
    m = -1 if mirror else 1
    return [([(x + m * px * ca - py * sa, y - m * px * sa - py * ca) for px, py in points], c)
            for points, c in shapes]


def rasterise(shapes, side, haze, haze_amount):
    """Colour layer, mask and position of an object."""
    pts = np.concatenate([np.asarray(p) for p, _ in shapes])
    x0, y0 = np.floor(pts.min(0)).astype(int) - 1
    x1, y1 = np.ceil(pts.max(0)).astype(int) + 2
    size = (int(x1 - x0), int(y1 - y0))
    layer, mask = Image.new("RGB", size), Image.new("L", size)
    d, dm = ImageDraw.Draw(layer), ImageDraw.Draw(mask)
    for points, colour in shapes:
        moved = [(px - x0, py - y0) for px, py in points]
        d.polygon(moved, fill=colour)
        dm.polygon(moved, fill=255)
    # Light from the side of the sun.
    ramp = Image.linear_gradient("L").rotate(70 if side < 0 else -70, expand=False)
    ramp = ramp.crop((32, 32, 224, 224)).resize(size, Image.BILINEAR)
    dark = layer.point([int(v * 0.80) for v in range(256)] * 3)
    light = layer.point([min(255, int(v * 1.05 + 4)) for v in range(256)] * 3)
    layer = Image.composite(dark, light, ramp)
    if haze_amount > 0:
        layer = Image.blend(layer, Image.new("RGB", size, haze), haze_amount)
    return layer, mask, (int(x0), int(y0))


def overlap(a, b):
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    return max(0.0, w) * max(0.0, h)


def area(a):
    return (a[2] - a[0]) * (a[3] - a[1])


def finish(rng, image, scene):
    """Light of the hour, exposure, blur and noise."""
    gain = rng.uniform(0.88, 1.12)
    lut = []
    for t in TINTS[scene["time"]]:
        lut += [max(0, min(255, int(v * t * gain + 0.5))) for v in range(256)]
    image = image.point(lut)
    image = ImageEnhance.Contrast(image).enhance(rng.uniform(0.85, 1.15))
    image = ImageEnhance.Color(image).enhance(rng.uniform(0.7, 1.2))
    blur, noise, quality = rng.random(), rng.random(), rng.random()
    if blur < 0.25:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.9)))
    sigma = rng.uniform(1.0, 9.0)
    if noise < 0.55:
        a = np.asarray(image, np.float32)
        g = np.random.default_rng(rng.getrandbits(32))
        a = a + g.standard_normal(a.shape, np.float32) * sigma
        image = Image.fromarray(a.round().clip(0, 255).astype(np.uint8))
    q = rng.randint(35, 90)
    if quality < 0.5:
        data = io.BytesIO()
        image.save(data, "JPEG", quality=q)
        image = Image.open(data).convert("RGB")
    return image


def make_scene(seed, width, height):
    """The picture (RGB image) and its objects: a list of (class, box)."""
    rng = random.Random(seed)
    ss = SUPERSAMPLE
    w, h = width * ss, height * ss
    scene = choose_setting(rng)
    canvas, unit, haze = draw_landscape(rng, scene, w, h)

    weights = list(WEIGHTS[scene["kind"]])
    weights[5] = max(weights[5], 7) if scene["water"] else 0
    wanted = rng.randint(4, 14)
    things = []
    for _ in range(wanted * 4):
        if len(things) >= wanted:
            break
        name = rng.choices(CLASSES, weights)[0]
        pen = Pen()
        DRAW[name](pen, rng, scene)
        px, py, size, depth = place(rng, scene, name, w / h)
        tilt = {"balloon": 5, "bird": 18, "boat": 3, "tree": 2, "person": 2}.get(name, 0)
        angle = math.radians(rng.uniform(-tilt, tilt))
        shapes = transform(pen.shapes, px * w, py * h, size * unit, rng.random() < 0.5, angle)
        pts = np.concatenate([np.asarray(p) for p, _ in shapes])
        box = (*pts.min(0), *pts.max(0))
        if area(box) > 0.30 * w * h:
            continue
        if overlap(box, (0, 0, w, h)) < 0.75 * area(box):
            continue
        if any(overlap(box, t["box"]) > 0.45 * min(area(box), area(t["box"])) for t in things):
            continue
        if name in ("balloon", "bird") and any(
                overlap(box, t["box"]) > 0.15 * area(box) for t in things):
            continue
        things.append({"name": name, "shapes": shapes, "box": box, "depth": depth, "size": size})
    things.sort(key=lambda t: t["depth"])

    for t in things:
        far = 0.0
        if t["name"] not in ("bird", "balloon"):
            far = 0.22 * (1 - (t["depth"] - scene["horizon"]) / (1 - scene["horizon"]))
        elif t["name"] == "balloon":
            far = 0.18 * (1 - t["size"] / 0.42)
        t["layer"], t["mask"], t["at"] = rasterise(t["shapes"], scene["sun_side"], haze, far)
        t["full"] = t["mask"].histogram()[255]

    def visible(kept):
        ids = Image.new("L", (w, h))
        for i, t in enumerate(kept):
            ids.paste(i + 1, t["at"], t["mask"])
        ids = np.asarray(ids)
        for i, t in enumerate(kept):
            x, y = max(0, t["at"][0]), max(0, t["at"][1])
            x2, y2 = t["at"][0] + t["mask"].width, t["at"][1] + t["mask"].height
            m = ids[y:max(0, y2), x:max(0, x2)] == i + 1
            rows, cols = np.flatnonzero(m.any(1)), np.flatnonzero(m.any(0))
            t["part"] = float(m.sum()) / max(1, t["full"])
            t["visible"] = None
            if len(rows):
                t["visible"] = ((x + cols[0]) / ss, (y + rows[0]) / ss,
                                (x + cols[-1] + 1) / ss, (y + rows[-1] + 1) / ss)

    visible(things)
    least = MIN_SIDE * unit / ss
    kept = [t for t in things if t["visible"] and t["part"] >= MIN_VISIBLE
            and t["visible"][2] - t["visible"][0] >= least
            and t["visible"][3] - t["visible"][1] >= least]
    visible(kept)

    side = scene["sun_side"]
    for t in kept:
        x0, y0, x1, y1 = t["box"]
        tw, th = x1 - x0, y1 - y0
        if t["name"] == "boat":
            flip = t["mask"].transpose(Image.FLIP_TOP_BOTTOM)
            rh = int(th * 0.35)
            flip = flip.crop((0, 0, flip.width, max(1, rh))).point([int(v * 0.3) for v in range(256)])
            mirror = t["layer"].transpose(Image.FLIP_TOP_BOTTOM).crop((0, 0, flip.width, flip.height))
            bottom = scene["water"][1] * h - unit * 0.01
            keep = int(min(flip.height, max(0, bottom - y1)))
            if keep > 1:
                canvas.paste(mirror.crop((0, 0, flip.width, keep)), (t["at"][0], int(y1) - 2),
                             flip.crop((0, 0, flip.width, keep)))
        elif t["name"] not in ("balloon", "bird") and scene["time"] != "overcast":
            foot = tw * (0.5 if t["name"] != "tree" else 0.42)
            sh = max(2, min(tw * 0.14, th * 0.10))
            shadow = Image.new("L", (int(2 * foot) + 2, int(2 * sh) + 2))
            ImageDraw.Draw(shadow).ellipse([0, 0, 2 * foot, 2 * sh], fill=80)
            cx = (x0 + x1) / 2 - side * foot * 0.25
            canvas.paste((20, 24, 30), (int(cx - foot), int(y1 - sh * 1.1)), shadow)
        canvas.paste(t["layer"], t["at"], t["mask"])

    image = finish(rng, canvas.reduce(ss), scene)
    return image, [(t["name"], tuple(float(v) for v in t["visible"])) for t in kept]


def main():
    parser = argparse.ArgumentParser(description="Draw one scene.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--size", default="640x480", help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--output", required=True, help="picture to write (.jpg or .png)")
    parser.add_argument("--labels", help="JSON file to write the true boxes to")
    args = parser.parse_args()
    width, height = (int(v) for v in args.size.split("x"))
    image, objects = make_scene(args.seed, width, height)
    extra = {"quality": 90} if args.output.lower().endswith((".jpg", ".jpeg")) else {}
    image.save(args.output, **extra)
    if args.labels:
        rows = [json.dumps({"class": name, "box": [round(v, 2) for v in box]})
                for name, box in objects]
        with open(args.labels, "w") as f:
            f.write('{"objects": [\n  ' + ",\n  ".join(rows) + "\n]}\n")


if __name__ == "__main__":
    main()
