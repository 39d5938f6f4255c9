#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Train, evaluate and export the toy detector of this folder.

    python3 train.py --render 6000 --cache cache
    python3 train.py --train --minutes 60 --cache cache --export ../scenes.onnx
    python3 train.py --evaluate ../scenes.onnx --cache cache

The network follows the published design of YOLOv8: convolution, batch norm
and SiLU; C2f blocks; SPPF; an FPN and PAN neck; a decoupled head without
anchor boxes that predicts each side of a box as a distribution (DFL);
task-aligned assignment in training. It is an independent implementation.
"""
import argparse
import copy
import json
import math
import os
import random
import time

import numpy as np
from PIL import Image

import scenes

CLASSES = scenes.CLASSES
SIDE = 320            # side of the network input
GREY = 114            # colour of the letterbox bars
TRAIN_SEED = 1000000  # seeds of the training scenes start here
TEST_SEED = 2000000   # seeds of the held-out scenes start here
TEST_COUNT = 300
CHUNK = 250           # scenes in one file of the cache
SHAPES = [(4, 3), (4, 3), (4, 3), (3, 4), (1, 1), (3, 2), (16, 9), (2, 3)]


# ------------------------------------------------------------------- scenes

def letterbox(image, rng=None):
    """Scale to fit SIDE x SIDE and centre on grey.

    Returns the array, the scale and the offsets. With rng the resampling
    method is random, so that the network does not depend on one method.
    """
    w, h = image.size
    r = min(SIDE / w, SIDE / h)
    nw, nh = round(w * r), round(h * r)
    kind = rng.randrange(3) if rng else 0
    if kind == 2:    # bilinear from the four nearest pixels
        image = image.transform((nw, nh), Image.AFFINE,
                                (w / nw, 0, 0, 0, h / nh, 0), Image.BILINEAR)
    else:
        image = image.resize((nw, nh), Image.BICUBIC if kind == 1 else Image.BILINEAR)
    left, top = (SIDE - nw) // 2, (SIDE - nh) // 2
    out = np.full((SIDE, SIDE, 3), GREY, np.uint8)
    out[top:top + nh, left:left + nw] = np.asarray(image)
    return out, r, left, top


def render_one(seed, held_out):
    rng = random.Random(seed + 1)
    a, b = rng.choice(SHAPES)
    big = held_out or rng.random() < 0.3
    side = 640 if big else SIDE
    scenes.SUPERSAMPLE = 4 if held_out else 2 if big else 3
    w, h = (side, round(side * b / a)) if a >= b else (round(side * a / b), side)
    image, objects = scenes.make_scene(seed, w, h)
    array, r, left, top = letterbox(image, None if held_out else rng)
    labels = np.zeros((len(objects), 5), np.float32)
    for i, (name, box) in enumerate(objects):
        labels[i] = (CLASSES.index(name), box[0] * r + left, box[1] * r + top,
                     box[2] * r + left, box[3] * r + top)
    return array, labels


def save_chunk(path, seeds, held_out):
    arrays, labels, counts = [], [], []
    for seed in seeds:
        a, l = render_one(seed, held_out)
        arrays.append(a)
        labels.append(l)
        counts.append(len(l))
    np.savez(path + ".part.npz", images=np.stack(arrays), labels=np.concatenate(labels),
             counts=np.array(counts))
    os.replace(path + ".part.npz", path)


def render(cache, count):
    os.makedirs(cache, exist_ok=True)
    for k in range(math.ceil(count / CHUNK)):
        path = os.path.join(cache, "train%04d.npz" % k)
        if not os.path.exists(path):
            save_chunk(path, range(TRAIN_SEED + k * CHUNK, TRAIN_SEED + (k + 1) * CHUNK), False)
        if k == 0:
            path = os.path.join(cache, "test.npz")
            if not os.path.exists(path):
                save_chunk(path, range(TEST_SEED, TEST_SEED + TEST_COUNT), True)
        print("rendered", (k + 1) * CHUNK, flush=True)


def load_chunk(path):
    with np.load(path) as f:
        images, labels, counts = f["images"], f["labels"], f["counts"]
    ends = np.cumsum(counts)
    return [(images[i], labels[ends[i] - counts[i]:ends[i]]) for i in range(len(counts))]


class Cache:
    """The rendered training scenes; picks up new files as they appear."""

    def __init__(self, folder):
        self.folder, self.seen, self.items = folder, set(), []

    def refresh(self):
        for name in sorted(os.listdir(self.folder)):
            if name.startswith("train") and not name.endswith(".part.npz") \
                    and name not in self.seen:
                self.seen.add(name)
                self.items += load_chunk(os.path.join(self.folder, name))


def augment(rng, image, labels):
    labels = labels.copy()
    if rng.random() < 0.6:
        s = rng.uniform(0.72, 1.12)
        tx, ty = ((rng.uniform(-0.12, 0.12) + (1 - s) / 2) * SIDE for _ in range(2))
        moved = Image.fromarray(image).transform(
            (SIDE, SIDE), Image.AFFINE, (1 / s, 0, -tx / s, 0, 1 / s, -ty / s),
            Image.BILINEAR, fillcolor=(GREY, GREY, GREY))
        boxes = labels[:, 1:] * s + np.array([tx, ty, tx, ty], np.float32)
        clipped = boxes.clip(0, SIDE)
        full = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        part = (clipped[:, 2] - clipped[:, 0]) * (clipped[:, 3] - clipped[:, 1])
        # Only take the move if it cuts no object badly.
        if (part > 0.7 * full).all():
            image = np.asarray(moved)
            labels[:, 1:] = clipped
    if rng.random() < 0.5:
        image = image[:, ::-1]
        labels[:, 1], labels[:, 3] = SIDE - labels[:, 3], SIDE - labels[:, 1]
    x = image.transpose(2, 0, 1).astype(np.float32) * (1 / 255)
    if rng.random() < 0.7:
        gain = rng.uniform(0.8, 1.2)
        gains = np.array([gain * rng.uniform(0.93, 1.07) for _ in range(3)], np.float32)
        x = (x * gains[:, None, None] + rng.uniform(-0.04, 0.04)).clip(0, 1)
    return x, labels


# --------------------------------------------------------------- evaluation

def nms(boxes, scores, limit):
    """Indices of the boxes (x1, y1, x2, y2) kept, best score first."""
    order, keep = scores.argsort()[::-1], []
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    while len(order):
        i, rest = order[0], order[1:]
        keep.append(i)
        w = np.minimum(boxes[i, 2], boxes[rest, 2]) - np.maximum(boxes[i, 0], boxes[rest, 0])
        h = np.minimum(boxes[i, 3], boxes[rest, 3]) - np.maximum(boxes[i, 1], boxes[rest, 1])
        inter = w.clip(0) * h.clip(0)
        order = rest[inter / (areas[i] + areas[rest] - inter + 1e-9) <= limit]
    return keep


def detections(output, confidence, limit=0.6):
    """Rows (class, score, x1, y1, x2, y2) from one [4 + C, N] output."""
    boxes, scores = output[:4].T, output[4:]
    xy, wh = boxes[:, :2], boxes[:, 2:]
    corners = np.concatenate([xy - wh / 2, xy + wh / 2], 1)
    rows = []
    for c in range(len(scores)):
        pick = np.flatnonzero(scores[c] >= confidence)
        for i in nms(corners[pick], scores[c][pick], limit):
            rows.append((c, float(scores[c][pick[i]]), *corners[pick[i]].tolist()))
    return sorted(rows, key=lambda r: -r[1])


def iou_matrix(a, b):
    w = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0])
    h = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1])
    inter = w.clip(0) * h.clip(0)
    area = lambda x: (x[:, 2] - x[:, 0]) * (x[:, 3] - x[:, 1])
    return inter / (area(a)[:, None] + area(b)[None, :] - inter + 1e-9)


def average_precision(predicted, truth, threshold):
    """AP of each class, as the mean precision at 101 levels of recall."""
    result = []
    for c in range(len(CLASSES)):
        rows = sorted(((r[1], k, r[2:]) for k, rs in enumerate(predicted) for r in rs if r[0] == c),
                      key=lambda r: -r[0])
        boxes = [t[t[:, 0] == c, 1:] for t in truth]
        used = [np.zeros(len(b), bool) for b in boxes]
        total = sum(len(b) for b in boxes)
        if not total:
            continue
        hit = np.zeros(len(rows))
        for i, (_, k, box) in enumerate(rows):
            if len(boxes[k]):
                v = iou_matrix(np.array([box]), boxes[k])[0]
                v[used[k]] = -1
                j = v.argmax()
                if v[j] >= threshold:
                    used[k][j], hit[i] = True, 1
        tp = hit.cumsum()
        recall, precision = tp / total, tp / np.arange(1, len(rows) + 1)
        precision = np.maximum.accumulate(precision[::-1])[::-1]
        levels = np.linspace(0, 1, 101)
        at = np.searchsorted(recall, levels)
        result.append(float(np.append(precision, 0)[at].mean()))
    return result


def evaluate(predict, items, verbose=False):
    predicted = [detections(predict(image), 0.01) for image, _ in items]
    truth = [labels for _, labels in items]
    ap50 = average_precision(predicted, truth, 0.5)
    if verbose:
        for name, ap in zip(CLASSES, ap50):
            print("AP50 %-8s %.3f" % (name, ap))
        every = [np.mean(average_precision(predicted, truth, t)) for t in np.arange(0.5, 1, 0.05)]
        print("mAP50-95 %.3f" % np.mean(every))
    return float(np.mean(ap50))


def as_input(image):
    return np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32) / 255


def onnx_predict(path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda image: session.run(None, {"images": as_input(image)})[0][0]


def evaluate_file(path, cache):
    items = load_chunk(os.path.join(cache, "test.npz"))
    print("mAP50 %.4f on %d held-out scenes" % (evaluate(onnx_predict(path), items, True),
                                                len(items)))


def check_pictures(path, folder, confidence=0.25, threshold=0.5):
    """Print, for each picture, how many of its objects the model finds."""
    predict = onnx_predict(path)
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jpg"):
            continue
        with open(os.path.join(folder, name[:-4] + ".json")) as f:
            objects = json.load(f)["objects"]
        image, r, left, top = letterbox(Image.open(os.path.join(folder, name)).convert("RGB"))
        rows = detections(predict(image), confidence)
        boxes = (np.array([row[2:] for row in rows]).reshape(-1, 4) - [left, top, left, top]) / r
        free, lost, scores = set(range(len(rows))), [], []
        for o in objects:
            v = iou_matrix(np.array([o["box"]]), boxes)[0]
            fit = [i for i in free if rows[i][0] == CLASSES.index(o["class"]) and v[i] >= threshold]
            if fit:
                i = max(fit, key=lambda i: v[i])
                free.remove(i)
                scores.append((rows[i][1], v[i]))
            else:
                lost.append(o)
        print("%-12s found %d of %d, lowest score %.2f, lowest IoU %.2f, missed %s, extra %s" % (
            name, len(scores), len(objects), min(s for s, _ in scores) if scores else 0,
            min(v for _, v in scores) if scores else 0, [o["class"] for o in lost],
            ["%s %.2f" % (CLASSES[rows[i][0]], rows[i][1]) for i in sorted(free)]))


# ------------------------------------------------------------------ network

import torch                                    # noqa: E402
import torch.nn as nn                           # noqa: E402
import torch.nn.functional as F                 # noqa: E402

REG_MAX = 16
STRIDES = (8, 16, 32)


class Conv(nn.Module):
    """Convolution, batch norm, SiLU."""

    def __init__(self, cin, cout, k=1, s=1):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, k, s, k // 2, bias=False)
        self.bn = nn.BatchNorm2d(cout, eps=1e-3, momentum=0.05)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Bottleneck(nn.Module):
    def __init__(self, c, shortcut):
        super().__init__()
        self.cv1, self.cv2, self.add = Conv(c, c, 3), Conv(c, c, 3), shortcut

    def forward(self, x):
        y = self.cv2(self.cv1(x))
        return x + y if self.add else y


class C2f(nn.Module):
    """Split in two, pass one half through n bottlenecks, join all steps."""

    def __init__(self, cin, cout, n=1, shortcut=False):
        super().__init__()
        c = cout // 2
        self.c = c
        self.cv1, self.cv2 = Conv(cin, 2 * c), Conv((2 + n) * c, cout)
        self.m = nn.ModuleList(Bottleneck(c, shortcut) for _ in range(n))

    def forward(self, x):
        parts = list(self.cv1(x).split((self.c, self.c), 1))
        for m in self.m:
            parts.append(m(parts[-1]))
        return self.cv2(torch.cat(parts, 1))


class SPPF(nn.Module):
    """Three 5x5 max pools in a row, joined."""

    def __init__(self, cin, cout):
        super().__init__()
        c = cin // 2
        self.cv1, self.cv2 = Conv(cin, c), Conv(4 * c, cout)
        self.pool = nn.MaxPool2d(5, 1, 2)

    def forward(self, x):
        a = self.cv1(x)
        b = self.pool(a)
        c = self.pool(b)
        return self.cv2(torch.cat([a, b, c, self.pool(c)], 1))


def anchor_points():
    """Centres of the cells in units of their stride, and the strides."""
    points, strides = [], []
    for s in STRIDES:
        n = SIDE // s
        v = torch.arange(n, dtype=torch.float32) + 0.5
        gy, gx = torch.meshgrid(v, v, indexing="ij")
        points.append(torch.stack([gx, gy], -1).reshape(-1, 2))
        strides.append(torch.full((n * n,), float(s)))
    return torch.cat(points), torch.cat(strides)


class Detect(nn.Module):
    def __init__(self, channels, box_width, class_width):
        super().__init__()
        nc = len(CLASSES)
        self.cv2 = nn.ModuleList(nn.Sequential(Conv(c, box_width, 3), Conv(box_width, box_width, 3),
                                               nn.Conv2d(box_width, 4 * REG_MAX, 1))
                                 for c in channels)
        self.cv3 = nn.ModuleList(nn.Sequential(Conv(c, class_width, 3),
                                               Conv(class_width, class_width, 3),
                                               nn.Conv2d(class_width, nc, 1)) for c in channels)
        for box, cls, s in zip(self.cv2, self.cv3, STRIDES):
            box[-1].bias.data.fill_(1.0)
            cls[-1].bias.data.fill_(math.log(5 / nc / (SIDE / s) ** 2))
        points, strides = anchor_points()
        self.count = len(points)
        self.register_buffer("points", points, persistent=False)
        self.register_buffer("strides", strides, persistent=False)
        # The expected value of a distribution, as a 1x1 convolution.
        self.dfl = nn.Conv2d(REG_MAX, 1, 1, bias=False).requires_grad_(False)
        self.dfl.weight.data.copy_(torch.arange(REG_MAX, dtype=torch.float32).view(1, -1, 1, 1))

    def forward(self, features):
        maps = [torch.cat([b(f), c(f)], 1) for f, b, c in zip(features, self.cv2, self.cv3)]
        n = self.count
        joined = torch.cat([m.reshape(m.shape[0], 4 * REG_MAX + len(CLASSES), -1) for m in maps], 2)
        box, cls = joined.split((4 * REG_MAX, len(CLASSES)), 1)
        if self.training:
            return box, cls
        sides = self.dfl(box.view(-1, 4, REG_MAX, n).transpose(1, 2).softmax(1)).view(-1, 4, n)
        lt, rb = sides.split((2, 2), 1)
        points = self.points.t()[None]
        a, b = points - lt, points + rb
        boxes = torch.cat([(a + b) / 2, b - a], 1) * self.strides[None]
        return torch.cat([boxes, cls.sigmoid()], 1)


class Detector(nn.Module):
    def __init__(self, c=(16, 24, 40, 64, 96), depth=(1, 1, 1, 1), box_width=24, class_width=24):
        super().__init__()
        self.stem = Conv(3, c[0], 3, 2)
        self.down2, self.stage2 = Conv(c[0], c[1], 3, 2), C2f(c[1], c[1], depth[0], True)
        self.down3, self.stage3 = Conv(c[1], c[2], 3, 2), C2f(c[2], c[2], depth[1], True)
        self.down4, self.stage4 = Conv(c[2], c[3], 3, 2), C2f(c[3], c[3], depth[2], True)
        self.down5, self.stage5 = Conv(c[3], c[4], 3, 2), C2f(c[4], c[4], depth[3], True)
        self.sppf = SPPF(c[4], c[4])
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.fpn4, self.fpn3 = C2f(c[4] + c[3], c[3]), C2f(c[3] + c[2], c[2])
        self.pan3, self.pan4 = Conv(c[2], c[2], 3, 2), Conv(c[3], c[3], 3, 2)
        self.out4, self.out5 = C2f(c[2] + c[3], c[3]), C2f(c[3] + c[4], c[4])
        self.detect = Detect(c[2:], box_width, class_width)

    def forward(self, x):
        x = self.stage2(self.down2(self.stem(x)))
        p3 = self.stage3(self.down3(x))
        p4 = self.stage4(self.down4(p3))
        p5 = self.sppf(self.stage5(self.down5(p4)))
        n4 = self.fpn4(torch.cat([self.up(p5), p4], 1))
        n3 = self.fpn3(torch.cat([self.up(n4), p3], 1))
        n4 = self.out4(torch.cat([self.pan3(n3), n4], 1))
        n5 = self.out5(torch.cat([self.pan4(n4), p5], 1))
        return self.detect([n3, n4, n5])


# --------------------------------------------------------------------- loss

def box_iou(a, b, complete=False):
    """IoU of boxes x1, y1, x2, y2; with complete the CIoU."""
    w1, h1 = a[..., 2] - a[..., 0], a[..., 3] - a[..., 1]
    w2, h2 = b[..., 2] - b[..., 0], b[..., 3] - b[..., 1]
    iw = torch.minimum(a[..., 2], b[..., 2]) - torch.maximum(a[..., 0], b[..., 0])
    ih = torch.minimum(a[..., 3], b[..., 3]) - torch.maximum(a[..., 1], b[..., 1])
    inter = iw.clamp(min=0) * ih.clamp(min=0)
    iou = inter / (w1 * h1 + w2 * h2 - inter + 1e-7)
    if not complete:
        return iou
    cw = torch.maximum(a[..., 2], b[..., 2]) - torch.minimum(a[..., 0], b[..., 0])
    ch = torch.maximum(a[..., 3], b[..., 3]) - torch.minimum(a[..., 1], b[..., 1])
    dx = (a[..., 0] + a[..., 2] - b[..., 0] - b[..., 2]) / 2
    dy = (a[..., 1] + a[..., 3] - b[..., 1] - b[..., 3]) / 2
    distance = (dx * dx + dy * dy) / (cw * cw + ch * ch + 1e-7)
    v = (4 / math.pi ** 2) * (torch.atan(w2 / (h2 + 1e-7)) - torch.atan(w1 / (h1 + 1e-7))) ** 2
    with torch.no_grad():
        alpha = v / (1 - iou + v + 1e-7)
    return iou - distance - alpha * v


@torch.no_grad()
def assign(scores, boxes, centres, gt_class, gt_box, gt_valid, topk=10, alpha=0.5, beta=6.0):
    """Task-aligned assignment.

    scores [B,N,C] after the sigmoid, boxes [B,N,4] and centres [N,2] in
    pixels; gt_class [B,M], gt_box [B,M,4], gt_valid [B,M]. Returns the mask
    of positive cells [B,N], their truth index [B,N] and soft scores [B,N,C].
    """
    B, N, C = scores.shape
    M = gt_class.shape[1]
    # Cells whose centre is in the box; a thin box is widened to 10 pixels.
    mid, half = (gt_box[..., :2] + gt_box[..., 2:]) / 2, (gt_box[..., 2:] - gt_box[..., :2]) / 2
    off = (centres[None, None] - mid[:, :, None]).abs()
    inside = (off < half.clamp(min=5.0)[:, :, None]).all(-1) & gt_valid[..., None]    # [B,M,N]
    s = scores.gather(2, gt_class[:, None, :].expand(B, N, M)).transpose(1, 2)        # [B,M,N]
    iou = box_iou(gt_box[:, :, None], boxes[:, None]).clamp(min=0)
    metric = s.pow(alpha) * iou.pow(beta) * inside
    best, index = metric.topk(topk, -1)
    chosen = torch.zeros_like(metric).scatter_(-1, index, (best > 1e-12).float())
    chosen = chosen * inside
    # A cell claimed by several objects goes to the one with the best IoU.
    winner = (iou * chosen).argmax(1)                                                 # [B,N]
    chosen = chosen * F.one_hot(winner, M).transpose(1, 2)
    positive = chosen.sum(1) > 0
    metric = metric * chosen
    scale = (iou * chosen).amax(-1, keepdim=True) / (metric.amax(-1, keepdim=True) + 1e-9)
    weight = (metric * scale).amax(1)                                                 # [B,N]
    label = gt_class.gather(1, winner)
    target = F.one_hot(label, C).float() * (weight * positive)[..., None]
    return positive, winner, target


def loss_of(net, x, gt_class, gt_box, gt_valid):
    dist, logits = net(x)
    B, _, N = dist.shape
    head = net.detect
    dist = dist.view(B, 4, REG_MAX, N).permute(0, 3, 1, 2)           # [B,N,4,R]
    logits = logits.transpose(1, 2)                                  # [B,N,C]
    sides = dist.softmax(-1) @ head.dfl.weight.view(-1)              # [B,N,4]
    points, strides = head.points[None], head.strides[None, :, None]
    boxes = torch.cat([points - sides[..., :2], points + sides[..., 2:]], -1) * strides
    positive, winner, target = assign(logits.detach().sigmoid(), boxes.detach(),
                                      head.points * head.strides[:, None],
                                      gt_class, gt_box, gt_valid)
    total = target.sum().clamp(min=1)
    cls = F.binary_cross_entropy_with_logits(logits, target, reduction="sum") / total
    truth = gt_box.gather(1, winner[..., None].expand(B, N, 4))[positive]
    weight = target.sum(-1)[positive]
    box = ((1 - box_iou(boxes[positive], truth, True)) * weight).sum() / total
    # DFL: cross entropy with the two bins next to the true distance.
    p = points.expand(B, N, 2)[positive]
    t = truth / strides.expand(B, N, 1)[positive]
    t = torch.cat([p - t[:, :2], t[:, 2:] - p], -1).clamp(0, REG_MAX - 1.01)
    low = t.long()
    part = t - low
    logp = dist[positive].log_softmax(-1)
    dfl = -(logp.gather(-1, low[..., None])[..., 0] * (1 - part)
            + logp.gather(-1, low[..., None] + 1)[..., 0] * part)
    dfl = (dfl.mean(-1) * weight).sum() / total
    return 0.5 * cls + 7.5 * box + 1.5 * dfl, (cls.item(), box.item(), dfl.item())


# ----------------------------------------------------------------- training

def make_batch(rng, items, size, plain=False):
    chosen = [items[rng.randrange(len(items))] for _ in range(size)]
    pairs = [(i.transpose(2, 0, 1).astype(np.float32) / 255, l) if plain else augment(rng, i, l)
             for i, l in chosen]
    m = max(1, max(len(l) for _, l in pairs))
    cls, box = np.zeros((size, m), np.int64), np.zeros((size, m, 4), np.float32)
    valid = np.zeros((size, m), bool)
    for k, (_, l) in enumerate(pairs):
        cls[k, :len(l)], box[k, :len(l)], valid[k, :len(l)] = l[:, 0], l[:, 1:], True
    x = torch.from_numpy(np.stack([p for p, _ in pairs]))
    return x, torch.from_numpy(cls), torch.from_numpy(box), torch.from_numpy(valid)


def torch_predict(net):
    @torch.no_grad()
    def run(image):
        return net(torch.from_numpy(as_input(image)))[0].numpy()
    return run


def train(args):
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    cache = Cache(args.cache)
    cache.refresh()
    test = cache.items[:16] if args.overfit else load_chunk(os.path.join(args.cache, "test.npz"))
    net = Detector().to(memory_format=torch.channels_last)
    ema = copy.deepcopy(net).eval()
    decay = [p for p in net.parameters() if p.requires_grad and p.ndim > 1]
    plain = [p for p in net.parameters() if p.requires_grad and p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.02},
                             {"params": plain, "weight_decay": 0.0}], lr=args.lr, betas=(0.9, 0.99))
    begin, last, step, used = time.time(), time.time(), 0, 0.0
    log = np.zeros(3)
    if args.resume:
        state = torch.load(args.checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        ema.load_state_dict(state["ema"])
        opt.load_state_dict(state["opt"])
        step, used = state["step"], state["seconds"]
    net.train()

    def save():
        torch.save({"net": net.state_dict(), "ema": ema.state_dict(), "opt": opt.state_dict(),
                    "step": step, "seconds": used + time.time() - begin},
                   args.checkpoint + ".part")
        os.replace(args.checkpoint + ".part", args.checkpoint)

    while True:
        # The schedule follows the clock: it ends when the minutes are used.
        done = (used + time.time() - begin) / (60 * args.minutes)
        if done >= 1 or (args.steps and step >= args.steps):
            break
        lr = args.lr * min(1, (step + 1) / 100) * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
        for g in opt.param_groups:
            g["lr"] = lr
        x, c, b, v = make_batch(rng, cache.items[:16] if args.overfit else cache.items, args.batch,
                                args.overfit)
        loss, parts = loss_of(net, x.contiguous(memory_format=torch.channels_last), c, b, v)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        opt.step()
        step += 1
        log += parts
        with torch.no_grad():
            d = 0.998 * (1 - math.exp(-step / 150))
            for a, w in zip(ema.state_dict().values(), net.state_dict().values()):
                if a.dtype.is_floating_point:
                    a.mul_(d).add_(w, alpha=1 - d)
        if step % 50 == 0:
            print("step %d  %.0f s  lr %.5f  cls %.3f  box %.3f  dfl %.3f  scenes %d" % (
                step, used + time.time() - begin, lr, *(log / 50), len(cache.items)), flush=True)
            log[:] = 0
            cache.refresh()
        if time.time() - last > 60 * args.every:
            save()
            last = time.time()
            print("test mAP50 %.3f (60 scenes)" % evaluate(torch_predict(ema), test[:60]), flush=True)
    save()
    print("steps %d, %.1f minutes, mAP50 %.4f" % (
        step, (used + time.time() - begin) / 60, evaluate(torch_predict(ema), test, True)))
    if args.export:
        export(args.checkpoint, args.export)


# ------------------------------------------------------------------- export

def export(checkpoint, path):
    import onnx
    net = Detector().eval()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["ema"])
    torch.onnx.export(net, torch.zeros(1, 3, SIDE, SIDE), path, opset_version=17, dynamo=False,
                      input_names=["images"], output_names=["output0"])
    model = onnx.load(path)
    model.doc_string = model.graph.doc_string = ""
    for node in model.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    del model.metadata_props[:]
    names = "{" + ", ".join("%d: %r" % kv for kv in enumerate(CLASSES)) + "}"
    for key, value in (("description", "Toy detector of drawn scenes"), ("license", "Apache-2.0"),
                       ("stride", "32"), ("task", "detect"), ("batch", "1"),
                       ("imgsz", str([SIDE, SIDE])), ("names", names)):
        model.metadata_props.add(key=key, value=value)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    print("%s: %d bytes, %d parameters" % (
        os.path.basename(path), os.path.getsize(path),
        sum(p.numel() for p in net.parameters() if p.requires_grad)))


def main():
    parser = argparse.ArgumentParser(description="Train, evaluate and export the toy detector.")
    parser.add_argument("--cache", default="cache", help="folder of rendered scenes")
    parser.add_argument("--render", type=int, metavar="COUNT", help="render training scenes")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--evaluate", metavar="ONNX", help="print the mAP50 of a model")
    parser.add_argument("--check", metavar="ONNX", help="run a model on the demo pictures")
    parser.add_argument("--pictures", default="../pictures")
    parser.add_argument("--export", metavar="ONNX", help="write the model, after training if any")
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many steps")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=5, help="minutes between checkpoints")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--overfit", action="store_true", help="check: learn 16 scenes by heart")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    if args.render:
        render(args.cache, args.render)
    if args.train:
        train(args)
    elif args.export:
        export(args.checkpoint, args.export)
    if args.evaluate:
        evaluate_file(args.evaluate, args.cache)
    if args.check:
        check_pictures(args.check, args.pictures)


if __name__ == "__main__":
    main()
