# SPDX-License-Identifier: Apache-2.0
"""Real detectors on real photos: the same objects as onnxruntime on the same input tensor, and the objects a person sees.

Decoding here is numpy, written from each model's own description, independent of src/vision.
"""
import json
import os
import subprocess

import numpy as np
import onnxruntime
import pytest

JUMAR = os.environ["JUMAR_BIN"]
DATA = os.environ["JUMAR_TEST_DATA"]
PHOTOS = ["bus.jpg", "street.jpg"]
COCO = {"person": 0, "bicycle": 1, "car": 2, "bus": 5}

pytestmark = pytest.mark.skipif(not os.path.isdir(os.path.join(DATA, "models")), reason=f"no test data at {DATA}")


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


MODELS = {"yolox_nano": (416, "yolox", decode_yolox), "nanodet_m": (416, "nanodet", decode_nanodet),
          "fastestdet": (352, "fastestdet", decode_fastestdet), "face_detection_yunet_2026may": (640, "yunet", decode_yunet)}


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


def same(got, want):
    """Every detection has its partner; those within 0.002 of the threshold may lack one."""
    def covered(a, b):
        for box in a:
            if box[4] < 0.252:
                continue
            mates = b[b[:, 5] == box[5]]
            fits = (iou(box, mates) >= 0.99) & (np.abs(mates[:, 4] - box[4]) <= 0.002) if len(mates) else np.array([])
            assert fits.any(), f"{box} has no partner in\n{b}"
    covered(got, want)
    covered(want, got)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("om")
    done = {}
    for name, (size, family, _) in MODELS.items():
        command = [JUMAR, "compile", f"{DATA}/models/{name}.onnx", "-o", folder / (name + ".om"), "--family", family]
        if "yunet" in name:
            command += ["--input-shape", f"input:1,3,{size},{size}"]
        elif family != "yunet":
            command += ["--labels", "coco"]
        subprocess.run(command, check=True)
        done[name] = folder / (name + ".om")
    return done


def photo_tensor(photo, size, family, folder):
    """The photo as the model sees it, made by numpy from the decoded PPM of the photo."""
    from PIL import Image
    image = Image.open(os.path.join(DATA, "images", photo)).convert("RGB")
    if family in ("nanodet", "fastestdet"):
        inner = image.resize((size, size), Image.BILINEAR)
        canvas = np.asarray(inner, np.float32)
    else:
        ratio = min(size / image.width, size / image.height)
        inner = image.resize((round(image.width * ratio), round(image.height * ratio)), Image.BILINEAR)
        canvas = np.full((size, size, 3), 114 if family == "yolox" else 0, np.float32)
        canvas[: inner.height, : inner.width] = np.asarray(inner)
    x = canvas[:, :, ::-1].transpose(2, 0, 1)[None]
    if family == "nanodet":
        mean, deviation = np.array([103.53, 116.28, 123.675]), np.array([57.375, 57.12, 58.395])
        x = (x - mean.reshape(1, 3, 1, 1)) / deviation.reshape(1, 3, 1, 1)
    if family == "fastestdet":
        x = x / 255
    return np.ascontiguousarray(x, np.float32)


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("name", MODELS)
def test_same_detections_as_onnxruntime(name, photo, compiled, tmp_path):
    size, family, decode = MODELS[name]
    x = photo_tensor(photo, size, family, tmp_path)
    np.save(tmp_path / "x.npy", x)
    session = onnxruntime.InferenceSession(f"{DATA}/models/{name}.onnx", providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    want = dict(zip(names, session.run(None, {session.get_inputs()[0].name: x})))
    subprocess.run([JUMAR, "run", compiled[name], "--input", tmp_path / "x.npy", "--output", tmp_path / "out"], check=True)
    got = {n: np.load(tmp_path / "out" / f"{n}.npy") for n in names}
    # Tensors are compared in tests/model on inputs of size 1. On a photo of 0..255 onnxruntime's own distance from float64 is
    # 5e-5 for yolox_nano, so only what comes out of the decoder counts here.
    mine, theirs = nms(decode(got, size)), nms(decode(want, size))
    assert len(theirs) > 0 or family in ("yunet",)
    same(mine, theirs)


def detect(om, photo, *options):
    done = subprocess.run([JUMAR, "detect", om, "--source", f"{DATA}/images/{photo}", "--json", *options], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)[0]["objects"]


@pytest.mark.parametrize("name", ["yolox_nano", "nanodet_m", "fastestdet"])
def test_people_bus_and_bicycle_are_found(name, compiled):
    """Image.BILINEAR above filters when it shrinks and our resize does not, so only what a person sees is asked here."""
    bus = [o["name"] for o in detect(compiled[name], "bus.jpg")]
    street = [o["name"] for o in detect(compiled[name], "street.jpg")]
    assert "bus" in bus and bus.count("person") >= 3, bus
    assert street.count("person") >= 3 and "car" in street and ("bicycle" in street or name == "fastestdet"), street


def test_labels_of_coco_are_in_order(compiled):
    for o in detect(compiled["yolox_nano"], "street.jpg"):
        if o["name"] in COCO:
            assert o["class"] == COCO[o["name"]]
