# SPDX-License-Identifier: Apache-2.0
"""Detection in numpy, independent of src/vision: a photo as the model sees it, decoding from each model's own description, NMS.

Decoders take the outputs of a model by name, in the model's order, and the side of its input; they return rows of
x1, y1, x2, y2, score, class.
"""
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def centre(cx, cy, w, h, score, label):
    return np.stack([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, score, label], 1)


def grid(size, stride):
    y, x = np.divmod(np.arange((size // stride) ** 2), size // stride)
    return x, y


def decode_yolox(out, size):
    rows = out["output"][0].astype(np.float64)
    xs, ys, ss = [], [], []
    for stride in 8, 16, 32:
        x, y = grid(size, stride)
        xs.append(x), ys.append(y), ss.append(np.full(len(x), stride))
    x, y, s = map(np.concatenate, (xs, ys, ss))
    score = rows[:, 4] * rows[:, 5:].max(1)
    return centre((rows[:, 0] + x) * s, (rows[:, 1] + y) * s, np.exp(rows[:, 2]) * s, np.exp(rows[:, 3]) * s, score,
                  rows[:, 5:].argmax(1))


def decode_nanodet(out, size):
    boxes = []
    outputs = list(out.values())
    classes = sorted((o for o in outputs if o.shape[2] == 80), key=lambda o: -o.shape[1])
    sides = sorted((o for o in outputs if o.shape[2] == 32), key=lambda o: -o.shape[1])
    for c, d, s in zip(classes, sides, (8, 16, 32)):
        x, y = grid(size, s)
        p = np.exp(d[0].astype(np.float64).reshape(-1, 4, 8))
        side = (p / p.sum(2, keepdims=True)) @ np.arange(8) * s
        x, y = (x + 0.5) * s, (y + 0.5) * s
        boxes.append(np.stack([x - side[:, 0], y - side[:, 1], x + side[:, 2], y + side[:, 3], c[0].max(1), c[0].argmax(1)], 1))
    return np.concatenate(boxes)


def decode_fastestdet(out, size):
    m = next(iter(out.values()))[0].astype(np.float64)
    cells = m.shape[1]
    y, x = np.divmod(np.arange(cells * cells), cells)
    m = m.reshape(m.shape[0], -1)
    score = m[0] ** 0.6 * m[5:].max(0) ** 0.4
    return centre((np.tanh(m[1]) + x) / cells * size, (np.tanh(m[2]) + y) / cells * size, sigmoid(m[3]) * size,
                  sigmoid(m[4]) * size, score, m[5:].argmax(0))


def decode_yunet(out, size):
    boxes = []
    for s in 8, 16, 32:
        x, y = grid(size, s)
        b = out[f"bbox_{s}"][0].astype(np.float64)
        score = np.sqrt(np.clip(out[f"cls_{s}"][0, :, 0], 0, 1) * np.clip(out[f"obj_{s}"][0, :, 0], 0, 1))
        boxes.append(centre((b[:, 0] + x) * s, (b[:, 1] + y) * s, np.exp(b[:, 2]) * s, np.exp(b[:, 3]) * s, score, 0 * x))
    return np.concatenate(boxes)


def decode_yolov5(out, size):
    rows = next(iter(out.values()))[0].astype(np.float64)
    return centre(*rows[:, :4].T, rows[:, 4] * rows[:, 5:].max(1), rows[:, 5:].argmax(1))


def decode_yolov8(out, size):
    rows = next(iter(out.values()))[0].astype(np.float64).T
    return centre(*rows[:, :4].T, rows[:, 4:].max(1), rows[:, 4:].argmax(1))


def iou(a, b):
    w = np.minimum(a[2], b[:, 2]) - np.maximum(a[0], b[:, 0])
    h = np.minimum(a[3], b[:, 3]) - np.maximum(a[1], b[:, 1])
    inter = np.clip(w, 0, None) * np.clip(h, 0, None)
    return inter / ((a[2] - a[0]) * (a[3] - a[1]) + (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1]) - inter)


def nms(boxes, confidence=0.25, overlap=0.45):
    boxes = boxes[boxes[:, 4] >= confidence]
    boxes = boxes[np.argsort(-boxes[:, 4], kind="stable")]
    kept = []
    while len(boxes):
        kept.append(boxes[0])
        boxes = boxes[1:][~((boxes[1:, 5] == boxes[0, 5]) & (iou(boxes[0], boxes[1:]) > overlap))]
    return np.array(kept).reshape(-1, 6)


def photo_tensor(photo, size, family):
    """The picture in file `photo` as a model of this family sees it: float32 [1, 3, size, size]."""
    from PIL import Image
    image = Image.open(photo).convert("RGB")
    if family in ("nanodet", "fastestdet"):
        inner = image.resize((size, size), Image.BILINEAR)
        canvas = np.asarray(inner, np.float32)
    else:
        ratio = min(size / image.width, size / image.height)
        inner = image.resize((round(image.width * ratio), round(image.height * ratio)), Image.BILINEAR)
        canvas = np.full((size, size, 3), 114 if family in ("yolo", "yolox") else 0, np.float32)
        canvas[: inner.height, : inner.width] = np.asarray(inner)
    x = (canvas if family == "yolo" else canvas[:, :, ::-1]).transpose(2, 0, 1)[None]  # the others see BGR
    if family == "nanodet":
        mean, deviation = np.array([103.53, 116.28, 123.675]), np.array([57.375, 57.12, 58.395])
        x = (x - mean.reshape(1, 3, 1, 1)) / deviation.reshape(1, 3, 1, 1)
    if family in ("yolo", "fastestdet"):
        x = x / 255
    return np.ascontiguousarray(x, np.float32)
