# SPDX-License-Identifier: Apache-2.0
"""`jumar detect` for every task: models whose outputs are known numbers, against the float64 model of tasks.py."""
import csv
import io
import json
import os
import subprocess

import numpy as np
import pytest
from PIL import Image

import tasks

JUMAR = os.environ["JUMAR_BIN"]
SEED = int(os.environ.get("JUMAR_TEST_SEED", "7"))
SIZE = (96, 64)  # of the input: width, height
PICTURE = (150, 120)
CLASSES = 3


def run(*args):
    done = subprocess.run([JUMAR, *map(str, args)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_model(path, outputs, **metadata):
    tasks.write_model(path, SIZE, outputs, {i: f"class {i}, 'x'" for i in range(CLASSES)}, **metadata)


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "picture.png"
    pixels = np.random.default_rng(SEED).integers(60, 90, (PICTURE[1], PICTURE[0], 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return path


def centre_boxes(generator, n):
    return np.stack([generator.uniform(0, SIZE[0], n), generator.uniform(0, SIZE[1], n), generator.uniform(8, 50, n),
                     generator.uniform(8, 40, n)], 1)


def make(task, layout):
    """Outputs of a head, and its rows as tasks.py reads them. A third of the boxes lies upon others, so that suppression
    has something to do."""
    generator = np.random.default_rng(SEED + len(task) * 10 + len(layout))
    n = 126 if layout == "v8" else 378 if layout == "v5" else 80  # as many as the grid has cells
    boxes = centre_boxes(generator, n)
    boxes[n // 3 * 2:] = boxes[:n - n // 3 * 2] + generator.uniform(-3, 3, (n - n // 3 * 2, 4))
    scores = np.where(generator.random((n, CLASSES)) < 0.1, generator.uniform(0.2, 0.95, (n, CLASSES)), 0.01)
    prototypes = generator.normal(0, 1, (1, 6, 16, 24))
    extra = {"detect": np.zeros((n, 0)), "segment": generator.normal(0, 1, (n, 6)),
             "pose": np.concatenate([np.stack([generator.uniform(0, SIZE[0], n), generator.uniform(0, SIZE[1], n),
                                               generator.uniform(0, 1, n)], 1) for _ in range(17)], 1),
             "obb": generator.uniform(-0.7, 2.3, (n, 1))}[task]
    if layout == "v8":
        out = np.concatenate([boxes, scores, extra], 1).T[None].astype(np.float32)
        rows = tasks.rows_v8(out, extra.shape[1])
    elif layout == "v5":
        out = np.concatenate([boxes, np.full((n, 1), 0.9), scores, extra], 1)[None].astype(np.float32)
        rows = tasks.rows_v5(out, extra.shape[1])
    else:
        best = np.stack([scores.max(1), scores.argmax(1)], 1)
        first = boxes if task == "obb" else np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], 1)
        out = np.concatenate([first, best, extra], 1)[None].astype(np.float32)
        rows = tasks.rows_end_to_end(out, task == "obb")
    outputs = [out, prototypes.astype(np.float32)] if task == "segment" else [out]
    return outputs, rows


@pytest.mark.parametrize("layout", ["v8", "v5", "end to end"])
@pytest.mark.parametrize("task", ["detect", "segment", "pose", "obb"])
def test_json_is_what_the_model_means(task, layout, picture, tmp_path):
    outputs, rows = make(task, layout)
    write_model(tmp_path / "m.onnx", outputs, task=task, **({"kpt_shape": "[17, 3]"} if task == "pose" else {}))
    run("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.om")
    found = json.loads(run("detect", tmp_path / "m.om", "--source", picture, "--json", "--save", tmp_path / "out"))[0]
    assert found["task"] == task and (found["width"], found["height"]) == PICTURE
    want = tasks.objects(task, rows, tasks.Placement(PICTURE, SIZE), outputs[-1], suppressed=layout == "end to end")
    assert len(found["objects"]) == len(want) > 5
    worst = tasks.compare(found["objects"], want)
    print(f"{task} {layout}: {len(want)} objects, distance {worst:.4f}")
    assert [o["score"] for o in found["objects"]] == sorted((o["score"] for o in found["objects"]), reverse=True)
    assert found["objects"][0]["name"] == f"class {found['objects'][0]['class']}, 'x'"
    check_csv(task, tmp_path / "m.om", picture, found["objects"])
    check_drawing(task, tmp_path / "out" / "picture.png", picture, found["objects"])


def check_csv(task, om, picture, objects):
    rows = list(csv.DictReader(io.StringIO(run("detect", om, "--source", picture, "--csv"))))
    assert len(rows) == len(objects)
    for row, item in zip(rows, objects):
        assert row["name"] == item["name"] and float(row["score"]) == item["score"]
        assert [float(row[k]) for k in ("x1", "y1", "x2", "y2")] == item["box"]
        if task == "segment":
            assert int(row["mask_area"]) == tasks.mask_of(item["mask"]).sum()
        if task == "obb":
            assert [float(row[k]) for k in ("ax", "ay", "bx", "by", "cx", "cy", "dx", "dy")] == item["corners"]
        if task == "pose":
            assert [[float(v) for v in p.split()] for p in row["keypoints"].split(";")] == item["keypoints"]
    lines = run("detect", om, "--source", picture).splitlines()
    words = {"detect": " at (", "segment": " pixels", "pose": " of 17 keypoints", "obb": " degrees"}[task]
    assert len(lines) == len(objects) and all(words in line for line in lines)


def check_drawing(task, drawn, picture, objects):
    before, after = (np.asarray(Image.open(p).convert("RGB"), int) for p in (picture, drawn))
    changed = np.abs(after - before).max(2) > 8
    assert changed.any()
    for item in objects:
        if task == "segment":
            inner = tasks.mask_of(item["mask"])
            assert changed[inner].mean() > 0.9 or not inner.any()
        if task == "pose":
            for x, y, score in item["keypoints"]:
                if score >= 0.5 and 0 <= x < PICTURE[0] and 0 <= y < PICTURE[1]:
                    assert changed[int(y), int(x)]
        if task == "obb":
            polygon = np.array(item["corners"]).reshape(4, 2)
            for a, b in zip(polygon, np.roll(polygon, -1, 0)):
                x, y = (a + b) / 2
                if 1 <= x < PICTURE[0] - 1 and 1 <= y < PICTURE[1] - 1:
                    assert changed[int(y), int(x)]


@pytest.mark.parametrize("logits", [False, True])
def test_classifiers_name_the_five_best(logits, picture, tmp_path):
    values = np.random.default_rng(SEED).normal(0, 3, (1, 50)).astype(np.float32)
    wide = values.astype(np.float64)[0]
    probability = np.exp(wide - wide.max()) / np.exp(wide - wide.max()).sum()
    metadata = {} if logits else {"task": "classify"}
    write_model(tmp_path / "m.onnx", [values if logits else probability[None]], **metadata)
    run("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.om")
    found = json.loads(run("detect", tmp_path / "m.om", "--source", picture, "--json", "--save", tmp_path / "out"))[0]
    best = np.argsort(-probability)[:5]
    assert found["task"] == "classify" and [c["class"] for c in found["classes"]] == best.tolist()
    assert np.abs([c["score"] for c in found["classes"]] - probability[best]).max() < 1e-4
    rows = list(csv.DictReader(io.StringIO(run("detect", tmp_path / "m.om", "--source", picture, "--csv"))))
    assert [int(r["class"]) for r in rows] == best.tolist()
    lines = run("detect", tmp_path / "m.om", "--source", picture).splitlines()
    assert len(lines) == 5 and " at (" not in lines[0]
    before, after = (np.asarray(Image.open(p).convert("RGB"), int) for p in (picture, tmp_path / "out" / "picture.png"))
    assert (np.abs(after - before).max(2) > 50).any(1).sum() > 5 * 12  # tags lie one below the other


def test_rtdetr_is_known_by_its_metadata(picture, tmp_path):
    generator = np.random.default_rng(SEED)
    boxes = np.concatenate([generator.uniform(0.2, 0.8, (30, 2)), generator.uniform(0.1, 0.4, (30, 2))], 1)
    scores = generator.uniform(0.3, 0.9, 30)
    out = np.concatenate([boxes, scores[:, None], generator.integers(0, CLASSES, (30, 1))], 1)[None].astype(np.float32)
    write_model(tmp_path / "m.onnx", [out], task="detect", head="RTDETRDecoder")
    run("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.om")
    found = json.loads(run("detect", tmp_path / "m.om", "--source", picture, "--json"))[0]
    want = tasks.objects("detect", tasks.rows_rtdetr(out, np.array(SIZE)), tasks.Placement(PICTURE, SIZE, "stretch"),
                         suppressed=True)
    assert len(want) == 30
    tasks.compare(found["objects"], want)


def test_other_tasks_are_refused(picture, tmp_path):
    write_model(tmp_path / "m.onnx", [np.zeros((1, 4, 64, 96))], task="semantic")
    run("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.om")
    done = subprocess.run([JUMAR, "detect", tmp_path / "m.om", "--source", picture], capture_output=True, text=True)
    assert done.returncode == 1 and "task 'semantic' is not detect, segment, pose, obb or classify" in done.stderr
