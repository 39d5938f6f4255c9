# SPDX-License-Identifier: Apache-2.0
"""Ultralytics, unchanged, on the installed wheel: `yolo` exports with our atc and runs the export through our ais_bench.

The wheel is installed into a folder of its own, beside the Ultralytics of this environment. Nothing of Ultralytics (AGPL)
is kept: it is a tool of this test, which skips without it.
"""
import importlib.util
import json
import os
import re
import sys

import pytest

from installed import SOURCE, build_wheel, clean, run

MISSING = [p for p in ("torch", "torchvision", "ultralytics", "onnxruntime") if importlib.util.find_spec(p) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} are not installed: make test-ultralytics installs them")
HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = os.path.join(HERE, "ultralytics_formats.py")
SIZE = 160
TASKS = {"segment": "yolo11n-seg", "pose": "yolo11n-pose", "obb": "yolo11n-obb", "classify": "yolo11n-cls"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The wheel's packages before all others, its programs before all others."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = build_wheel(tmp_path_factory.mktemp("wheel"))
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, wheel, env=clean())
    here = os.path.dirname(sys.executable)
    return dict(clean(), PYTHONPATH=os.pathsep.join([str(folder), os.path.join(HERE, "torchvision_cpu")]),
                PATH=os.pathsep.join([str(folder / "bin"), here, os.environ["PATH"]]), YOLO_CONFIG_DIR=str(folder),
                YOLO_AUTOINSTALL="false", YOLO_OFFLINE="true", YOLO_VERBOSE="true")


@pytest.fixture(scope="module")
def scenes(environment, tmp_path_factory):
    """The folder that the example leaves, and what it said."""
    folder = tmp_path_factory.mktemp("scenes")
    said = run(sys.executable, os.path.join(SOURCE, "examples", "ultralytics_scenes.py"), "--folder", folder, "--size", SIZE,
               cwd=folder, env=environment)
    return folder, said


def compare(environment, folder, *arguments):
    said = run(sys.executable, FORMATS, "compare", *arguments, cwd=folder, env=environment)
    found = json.loads(said.strip().splitlines()[-1])
    print(found)
    assert found["formats"] == ["ascend", "onnx"]
    return found


def test_one_command(scenes):
    """Trained, exported by atc, predicted and measured."""
    folder, said = scenes
    exported = folder / "train" / "weights" / "last_ascend_model"
    assert [p.name for p in exported.glob("*.om")] == ["last_Ascend310P3.om"] and (exported / "metadata.yaml").exists()
    assert re.search(r"running 'atc .*--soc_version=Ascend310P3", said) and "ATC run success" in said, said[-6000:]
    pictures = list((folder / "val" / "images").iterdir())
    assert len(pictures) == 64 and len(list((folder / "predict").glob("*.jpg"))) == len(pictures)
    boxes = [line for p in (folder / "predict" / "labels").iterdir() for line in p.read_text().splitlines()]
    assert len(boxes) > len(pictures)
    everything = re.findall(r"^\s+all\s+64\s+(\d+)\s+\S+\s+\S+\s+(\S+)\s+\S+\s*$", said, re.M)
    assert everything and int(everything[-1][0]) > 200 and float(everything[-1][1]) > 0.5, said[-6000:]


def test_detect_equals_onnx(environment, scenes):
    folder, _ = scenes
    found = compare(environment, folder, folder / "train" / "weights" / "last.pt", SIZE, folder / "val" / "images", folder / "scenes.yaml")
    assert found["task"] == "detect" and found["names"] == 8
    assert all(a == b for a, b in found["boxes"]) and sum(b for _, b in found["boxes"]) > 200
    assert found["unpaired"] == 0 and found["twice"] == 0 and found["confidence"] < 1e-4
    assert found["map50"][1] > 0.5 and abs(found["map50"][0] - found["map50"][1]) < 1e-3 and abs(found["map"][0] - found["map"][1]) < 1e-3
    # Our own detector on the same file: its pictures are resized by other rules, so the count is near, not equal.
    assert abs(found["jumar"] - sum(b for _, b in found["boxes"])) < 0.1 * found["jumar"]


@pytest.mark.parametrize("task", TASKS)
def test_other_tasks(environment, scenes, tmp_path, task):
    """Seeded weights: crowds of boxes, of which none may be lost but where two change places by a rounding error."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for path in sorted((scenes[0] / "val" / "images").iterdir())[:4]:
        os.symlink(path, pictures / path.name)
    weights = tmp_path / f"{TASKS[task]}.pt"
    run(sys.executable, FORMATS, "randomise", f"{TASKS[task]}.yaml", weights, SIZE, cwd=tmp_path, env=environment)
    said = run("yolo", "export", f"model={weights}", "format=ascend", f"imgsz={SIZE}", cwd=tmp_path, env=environment)
    assert "--soc_version=Ascend310B4" in said and (tmp_path / f"{TASKS[task]}_ascend_model" / f"{TASKS[task]}_Ascend310B4.om").exists()
    found = compare(environment, tmp_path, weights, SIZE, pictures)
    total = sum(b for _, b in found["boxes"])
    assert found["task"] == task and found["jumar"] > 0
    assert all(abs(a - b) <= 0.01 * b for a, b in found["boxes"])
    assert found["unpaired"] + found["twice"] <= 0.01 * total
    if task == "classify":
        assert found["probabilities"] < 1e-4
        return
    assert total > 40 and found["confidence"] < 1e-4
    assert found.get("keypoints", 0) < 0.05 and found.get("masks", 0) < 0.02
    assert ("keypoints" in found) == (task == "pose") and ("masks" in found) == (task == "segment")
