# SPDX-License-Identifier: Apache-2.0
"""`jumar detect --family` for heads that are not rows of boxes: random outputs, decoded in numpy from each family's own
description, against the program. Oracles of the heads of real models are in test_detections.py."""
import json
import os
import subprocess

import numpy as np
import pytest
from PIL import Image

import tasks

JUMAR = os.environ["JUMAR_BIN"]
SEED = int(os.environ.get("JUMAR_TEST_SEED", "7"))
SIZE = (128, 64)
PICTURE = (160, 100)
C = 5
# Published anchors, smallest stride first.
V5 = [[(10, 13), (16, 30), (33, 23)], [(30, 61), (62, 45), (59, 119)], [(116, 90), (156, 198), (373, 326)]]
V7 = [[(12, 16), (19, 36), (40, 28)], [(36, 75), (76, 55), (72, 146)], [(142, 110), (192, 243), (459, 401)]]
V3_TINY = [[(10, 14), (23, 27), (37, 58)], [(81, 82), (135, 169), (344, 319)]]
V4_TINY = [[(23, 27), (37, 58), (81, 82)], [(81, 82), (135, 169), (344, 319)]]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sparse_logits(generator, shape, share=0.05):
    return np.where(generator.random(shape) < share, generator.uniform(0.5, 3, shape), -6.0)


def rows_of(x, y, w, h, scores):
    return np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2, scores.max(-1), scores.argmax(-1)], -1).reshape(-1, 6)


def grid(stride):
    return np.meshgrid(np.arange(-(-SIZE[0] // stride)), np.arange(-(-SIZE[1] // stride)))


def anchor_heads(generator, anchors, darknet, split):
    outputs, rows = [], []
    for i, sizes in enumerate(anchors):
        stride = 8 * 2 ** (i + 3 - len(anchors))
        gx, gy = grid(stride)
        v = generator.normal(0, 1, (3, 5 + C, *gx.shape)).astype(np.float32)
        v[:, 4:] = sparse_logits(generator, v[:, 4:].shape, 0.2) + 1
        out = v[None].reshape(1, -1, *gx.shape)
        outputs.append(v.transpose(0, 2, 3, 1)[None] if split else out)
        v = v.astype(np.float64)
        s, size = sigmoid(v), np.array(sizes)
        if darknet:
            x, y = (s[:, 0] + gx) * stride, (s[:, 1] + gy) * stride
            w, h = np.exp(v[:, 2]) * size[:, 0, None, None], np.exp(v[:, 3]) * size[:, 1, None, None]
        else:
            x, y = (2 * s[:, 0] + gx - 0.5) * stride, (2 * s[:, 1] + gy - 0.5) * stride
            w, h = (2 * s[:, 2]) ** 2 * size[:, 0, None, None], (2 * s[:, 3]) ** 2 * size[:, 1, None, None]
        rows.append(rows_of(x, y, w, h, (s[:, 4:5] * s[:, 5:]).transpose(0, 2, 3, 1)))
    return outputs, np.concatenate(rows)


def bins(generator, cells):
    """Four distributions of 8 bins, and their means."""
    v = generator.normal(0, 2, (cells, 4, 8)).astype(np.float32)
    p = np.exp(v.astype(np.float64))
    return v.reshape(cells, 32), (p / p.sum(2, keepdims=True)) @ np.arange(8)


def nanodet_heads(generator, plus):
    classes, sides, rows = [], [], []
    for stride in (8, 16, 32, 64):
        gx, gy = (v.ravel() for v in grid(stride))
        v, side = bins(generator, gx.size)
        c = sigmoid(sparse_logits(generator, (gx.size, C))).astype(np.float32)
        shift = 0 if plus else 0.5
        at = np.stack([gx, gy], 1) + shift
        corners = np.concatenate([at - side[:, :2], at + side[:, 2:]], 1) * stride
        rows.append(np.concatenate([corners, c.max(1)[:, None], c.argmax(1)[:, None]], 1))
        classes.append(c), sides.append(v)
    if plus:
        return [np.concatenate([np.concatenate([c, s], 1) for c, s in zip(classes, sides)])[None]], np.concatenate(rows)
    return [c[None] for c in classes] + [s[None] for s in sides], np.concatenate(rows)


def corner_heads(generator, n, family):
    low = generator.uniform(0, 0.7, (n, 2))
    corners = np.concatenate([low, low + generator.uniform(0.05, 0.3, (n, 2))], 1)
    scale = np.array([*SIZE, *SIZE])
    scores = sigmoid(sparse_logits(generator, (n, C)))
    if family == "ssd":
        scores = np.concatenate([generator.uniform(0, 1, (n, 1)), scores], 1)
    boxes = (corners * scale if family == "damo" else corners).astype(np.float32)
    scores = scores.astype(np.float32)
    kept = scores[:, 1:] if family == "ssd" else scores
    rows = np.concatenate([boxes.astype(np.float64) * (1 if family == "damo" else scale), kept.max(1)[:, None],
                           kept.argmax(1)[:, None]], 1)
    if family == "yolov4":
        return [boxes[None, :, None], scores[None]], rows
    return [scores[None], boxes[None]] if family == "ssd" else [boxes[None], scores.T[None]], rows


def rtdetr_head(generator):
    boxes = np.concatenate([generator.uniform(0.2, 0.8, (100, 2)), generator.uniform(0.05, 0.4, (100, 2))], 1)
    out = np.concatenate([boxes, sigmoid(sparse_logits(generator, (100, C)))], 1)[None].astype(np.float32)
    return [out], tasks.rows_rtdetr(out, np.array(SIZE))


def yolov6_head(generator):
    n = sum(g.size for g in (grid(s)[0] for s in (8, 16, 32)))
    boxes = np.stack([generator.uniform(0, SIZE[0], n), generator.uniform(0, SIZE[1], n), *generator.uniform(8, 40, (2, n))], 1)
    out = np.concatenate([boxes, np.ones((n, 1)), sigmoid(sparse_logits(generator, (n, C)))], 1)[None].astype(np.float32)
    return [out], tasks.rows_v5(out)


# name: (outputs and rows, fit)
FAMILIES = {
    "yolov3": (lambda g: anchor_heads(g, V5, True, False), "centre"),
    "yolov3-tiny": (lambda g: anchor_heads(g, V3_TINY, True, False), "centre"),
    "yolov4": (lambda g: corner_heads(g, 504, "yolov4"), "stretch"),
    "yolov4 ": (lambda g: anchor_heads(g, V7, True, True), "stretch"),
    "yolov4-tiny": (lambda g: anchor_heads(g, V4_TINY, True, False), "stretch"),
    "yolov6": (yolov6_head, "centre"),
    "yolov7": (lambda g: anchor_heads(g, V7, False, True), "centre"),
    "yolo": (lambda g: anchor_heads(g, V5, False, True), "centre"),
    "nanodet": (lambda g: nanodet_heads(g, True), "stretch"),
    "picodet": (lambda g: nanodet_heads(g, False), "stretch"),
    "damo": (lambda g: corner_heads(g, 168, "damo"), "corner"),
    "ssd": (lambda g: corner_heads(g, 600, "ssd"), "stretch"),
    "rtdetr": (rtdetr_head, "stretch"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_decoding_is_that_of_the_family(family, tmp_path):
    make, fit = FAMILIES[family]
    outputs, rows = make(np.random.default_rng(SEED))
    tasks.write_model(tmp_path / "m.onnx", SIZE, outputs, {i: f"c{i}" for i in range(C)})
    Image.fromarray(np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8)).save(tmp_path / "picture.png")
    subprocess.run([JUMAR, "compile", tmp_path / "m.onnx", "-o", tmp_path / "m.om", "--family", family.strip()], check=True)
    done = subprocess.run([JUMAR, "detect", tmp_path / "m.om", "--source", tmp_path / "picture.png", "--json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)[0]["objects"]
    want = tasks.objects("detect", rows, tasks.Placement(PICTURE, SIZE, fit), suppressed=family == "rtdetr")
    assert len(want) >= 4
    assert abs(len(found) - len(want)) <= sum(abs(w["score"] - 0.25) < 0.002 for w in want)
    print(f"{family}: {len(want)} objects, distance {tasks.compare(found, want):.4f}")
