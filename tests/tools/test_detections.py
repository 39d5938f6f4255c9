# SPDX-License-Identifier: Apache-2.0
"""Real detectors on real photos: the same objects as onnxruntime on the same input tensor, and the objects a person sees.

Decoding is numpy, in boxes.py, independent of src/vision.
"""
import json
import os
import subprocess

import numpy as np
import onnxruntime
import pytest

from boxes import decode_fastestdet, decode_nanodet, decode_yolox, decode_yunet, iou, nms, photo_tensor

JUMAR = os.environ["JUMAR_BIN"]
DATA = os.environ["JUMAR_TEST_DATA"]
PHOTOS = ["bus.jpg", "street.jpg"]
COCO = {"person": 0, "bicycle": 1, "car": 2, "bus": 5}

pytestmark = pytest.mark.skipif(not os.path.isdir(os.path.join(DATA, "models")), reason=f"no test data at {DATA}")

MODELS = {"yolox_nano": (416, "yolox", decode_yolox), "nanodet_m": (416, "nanodet", decode_nanodet),
          "fastestdet": (352, "fastestdet", decode_fastestdet), "face_detection_yunet_2026may": (640, "yunet", decode_yunet)}


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


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("name", MODELS)
def test_same_detections_as_onnxruntime(name, photo, compiled, tmp_path):
    size, family, decode = MODELS[name]
    x = photo_tensor(os.path.join(DATA, "images", photo), size, family)
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
