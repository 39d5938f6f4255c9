# SPDX-License-Identifier: Apache-2.0
"""YOLO families as Ultralytics exports them, with seeded random weights, against onnxruntime.

The exports are made here and thrown away; Ultralytics (AGPL) is a tool of this test alone. Skips without it.
JUMAR_ZOO=yolov8n,yolo11n-seg runs these only.
"""
import os

os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("YOLO_OFFLINE", "true")

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
ultralytics = pytest.importorskip("ultralytics", reason="ultralytics is not installed: pip install -r tests/requirements-long.txt")

from zoo import check, picture, randomise

torch.set_num_threads(2)

# name of the configuration: (side of the input, column of the score where the output is a selection)
MODELS = {
    "yolov3": (256, None),
    "yolov3-tiny": (320, None),
    "yolov5n": (640, None),
    "yolov6n": (320, None),
    "yolov8n": (640, None),
    "yolov8n-seg": (320, None),
    "yolov8n-pose": (320, None),
    "yolov8n-obb": (320, None),
    "yolov8n-cls": (224, None),
    "yolov9t": (320, None),
    "yolov10n": (320, 4),
    "yolo11n": (320, None),
    "yolo11n-seg": (320, None),
    "yolo11n-pose": (320, None),
    "yolo11n-obb": (320, None),
    "yolo11n-cls": (224, None),
    "yolo12n": (320, None),
    "yolo26n": (320, 4),
    "yolo26n-seg": (320, 4),
    "yolo26n-pose": (320, 4),
    "yolo26n-obb": (320, 4),
    "yolo26n-cls": (224, None),
    "rtdetr-l": (320, None),
}
if os.environ.get("JUMAR_ZOO"):
    MODELS = {name: MODELS[name] for name in os.environ["JUMAR_ZOO"].split(",")}


def export(name, size, folder):
    x = picture((1, 3, size, size))
    kind = ultralytics.RTDETR if name.startswith("rtdetr") else ultralytics.YOLO
    model = kind(f"{name}.yaml", verbose=False) if kind is ultralytics.YOLO else kind(f"{name}.yaml")
    randomise(model.model, x)
    previous = os.getcwd()
    os.chdir(folder)
    try:
        model.model.pt_path = str(folder / f"{name}.pt")
        path = model.export(format="onnx", imgsz=size, simplify=False, device="cpu")
    finally:
        os.chdir(previous)
    return path, x


@pytest.mark.parametrize("name", MODELS)
def test_same_as_onnxruntime(name, tmp_path):
    size, rows = MODELS[name]
    path, x = export(name, size, tmp_path)
    check(path, {"images": x}, tmp_path, rows)
