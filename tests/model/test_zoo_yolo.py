# SPDX-License-Identifier: Apache-2.0
"""YOLO families as Ultralytics exports them, with seeded random weights, against onnxruntime.

The exports are made here and thrown away; Ultralytics (AGPL) is a tool of this test alone. Skips without it.
JUMAR_ZOO=yolov8n,yolo11n-seg runs these only.
"""
import importlib.util
import json
import os
import pathlib
import sys
import tempfile

os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_CONFIG_DIR", tempfile.gettempdir())

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -r tests/requirements-long.txt")
if importlib.util.find_spec("ultralytics") is None:
    pytest.skip("ultralytics is not installed: make test-zoo installs it", allow_module_level=True)
onnxruntime = pytest.importorskip("onnxruntime")
import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tasks
import ultralytics  # one that is there and broken is an error, not a skip
from zoo import check, jumar, picture, randomise, run_jumar

torch.set_num_threads(2)

# name: (configuration, side of the input, options of the export, column of the score where the output is a selection)
MODELS = {
    "yolov3": ("yolov3", 256, {}, None),
    "yolov3-tiny": ("yolov3-tiny", 320, {}, None),
    "yolov5n": ("yolov5n", 640, {}, None),
    "yolov6n": ("yolov6n", 320, {}, None),
    "yolov8n": ("yolov8n", 640, {}, None),
    "yolov8n-seg": ("yolov8n-seg", 320, {}, None),
    "yolov8n-pose": ("yolov8n-pose", 320, {}, None),
    "yolov8n-obb": ("yolov8n-obb", 320, {}, None),
    "yolov8n-cls": ("yolov8n-cls", 224, {}, None),
    "yolov9t": ("yolov9t", 320, {}, None),
    "yolov10n": ("yolov10n", 320, {}, None),
    "yolov10n-e2e": ("yolov10n", 320, {"nms": False}, 4),
    "yolo11n": ("yolo11n", 320, {}, None),
    "yolo11n-seg": ("yolo11n-seg", 320, {}, None),
    "yolo11n-pose": ("yolo11n-pose", 320, {}, None),
    "yolo11n-obb": ("yolo11n-obb", 320, {}, None),
    "yolo11n-cls": ("yolo11n-cls", 224, {}, None),
    "yolo12n": ("yolo12n", 320, {}, None),
    "yolo26n": ("yolo26n", 320, {}, None),
    "yolo26n-e2e": ("yolo26n", 320, {"nms": False}, 4),
    "yolo26n-seg": ("yolo26n-seg", 320, {}, None),
    "yolo26n-seg-e2e": ("yolo26n-seg", 320, {"nms": False}, 4),
    "yolo26n-pose-e2e": ("yolo26n-pose", 320, {"nms": False}, 4),
    "yolo26n-obb-e2e": ("yolo26n-obb", 320, {"nms": False}, 4),
    "yolo26n-cls": ("yolo26n-cls", 224, {}, None),
    "rtdetr-l": ("rtdetr-l", 256, {}, 4),
}
if os.environ.get("JUMAR_ZOO"):
    MODELS = {name: MODELS[name] for name in os.environ["JUMAR_ZOO"].split(",") if name in MODELS}


def export(name, folder):
    config, size, options, _ = MODELS[name]
    x = picture((1, 3, size, size))
    model = ultralytics.RTDETR(f"{config}.yaml") if config.startswith("rtdetr") else ultralytics.YOLO(f"{config}.yaml")
    randomise(model.model, x)
    previous = os.getcwd()
    os.chdir(folder)
    try:
        model.model.pt_path = str(folder / f"{name}.pt")
        path = model.export(format="onnx", imgsz=size, simplify=False, device="cpu", **options)
    finally:
        os.chdir(previous)
    return pathlib.Path(path), x


@pytest.fixture(scope="module", params=MODELS)
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    path, x = export(request.param, folder)
    return request.param, path, x, folder


def test_same_as_onnxruntime(model):
    name, path, x, folder = model
    check(path, {"images": x}, folder, MODELS[name][3])


def expected(name, path, x, placement, folder):
    """Objects as numpy reads our own outputs, which test_same_as_onnxruntime compares. With onnxruntime's, two boxes that
    overlap and whose scores differ by a rounding error may change places, and suppression then keeps the other one."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    ours = run_jumar(path, {"images": x}, folder)
    out = [ours[o.name] for o in session.get_outputs()]
    metadata = session.get_modelmeta().custom_metadata_map
    task, size = metadata["task"], np.array(placement.size)
    if task == "classify":
        return task, out[0][0]
    extra = {"segment": 32, "pose": 51, "obb": 1}.get(task, 0)
    if name.startswith("rtdetr"):
        rows = tasks.rows_rtdetr(out[0], size)
    elif MODELS[name][3] is not None:
        rows = tasks.rows_end_to_end(out[0], task == "obb")
    else:
        rows = tasks.rows_v8(out[0], extra)
    return task, tasks.objects(task, rows, placement, out[-1], suppressed=MODELS[name][3] is not None)


def test_same_objects(model):
    """The picture has the size of the input, so that both see the same tensor."""
    name, path, x, folder = model
    pixels = np.round(x[0].transpose(1, 2, 0) * 255).astype(np.uint8)
    Image.fromarray(pixels).save(folder / "picture.png")
    x = np.ascontiguousarray(pixels.transpose(2, 0, 1)[None].astype(np.float32) / 255)
    found = json.loads(jumar("detect", path.with_suffix(".om"), "--source", folder / "picture.png", "--json"))[0]
    side = MODELS[name][1]
    task, want = expected(name, path, x, tasks.Placement((side, side), (side, side)), folder)
    assert found["task"] == task
    if task == "classify":
        best = np.argsort(-want)[:5]
        assert [c["class"] for c in found["classes"]] == best.tolist()
        assert np.abs([c["score"] for c in found["classes"]] - want[best]).max() < 1e-3
    else:
        assert len(want) > 0
        distance = tasks.compare(found["objects"], want, most=1.0)
        print(f"ZOO {name}: {len(want)} objects, distance {distance:.3f}")
