# SPDX-License-Identifier: Apache-2.0
"""Whole models against onnxruntime, and the same bytes at every thread count and instruction set.

Needs numpy, onnxruntime and pytest; the tool is JUMAR_BIN (default: build/bin/jumar beside the sources). Models and the
generator of synthetic ones come from JUMAR_TEST_DATA (default: ../shared). JUMAR_TEST_SEED changes the inputs.
"""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

onnxruntime = pytest.importorskip("onnxruntime")
onnxruntime.set_default_logger_severity(3)

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("JUMAR_BIN", str(ROOT / "build/bin/jumar"))
DATA = pathlib.Path(os.environ.get("JUMAR_TEST_DATA", ROOT.parent / "shared"))
SEED = int(os.environ.get("JUMAR_TEST_SEED", "7"))
TOLERANCE = 2e-5  # of the largest element of each output
RUNS = 20  # of each model at each level, with 1, 2 and 3 threads in turn

# name: (file or arguments of the generator, input shape, range of the input, also at level reference). Files see a photo,
# because scores of noise are so small that onnxruntime's own rounding shows; synthetic models see noise.
MODELS = {
    "yolox_nano": ("yolox_nano.onnx", [1, 3, 416, 416], (0, 255), True),
    "fastestdet": ("fastestdet.onnx", [1, 3, 352, 352], (0, 1), True),
    "nanodet_m": ("nanodet_m.onnx", [1, 3, 416, 416], (-2, 2), True),
    "yunet": ("face_detection_yunet_2026may.onnx", [1, 3, 160, 224], (0, 255), True),
    "ppocr_cls": ("ppocr_cls.onnx", [1, 3, 48, 192], (-1, 1), True),
    "yolov5n": (["yolov5n", "--size", "160"], [1, 3, 160, 160], (0, 1), True),
    "yolov5s": (["yolov5s"], [1, 3, 640, 640], (0, 1), False),
    "yolov5s_heads": (["yolov5s", "--heads", "--size", "320"], [1, 3, 320, 320], (0, 1), False),
    "yolov8n": (["yolov8n"], [1, 3, 640, 640], (0, 1), False),
    "yolov8n_heads": (["yolov8n", "--heads", "--size", "160"], [1, 3, 160, 160], (0, 1), True),
    "yolov8n_opset12": (["yolov8n", "--size", "224", "--opset", "12"], [1, 3, 224, 224], (0, 1), False),
    "resnet50": (["resnet50"], [1, 3, 224, 224], (-2, 2), False),
    "mobilenetv2": (["mobilenetv2"], [1, 3, 224, 224], (-2, 2), True),
}


def run(*args, **environment):
    done = subprocess.run([TOOL, *map(str, args)], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def noise(shape, low, high):
    return np.random.default_rng(SEED).uniform(low, high, shape).astype(np.float32)


def photo(shape, low, high):
    image = pytest.importorskip("PIL.Image").open(DATA / "images/street.jpg").convert("RGB")
    pixels = np.asarray(image.resize(shape[:1:-1]), np.float32).transpose(2, 0, 1)[None]
    return np.ascontiguousarray(low + (high - low) / 255 * pixels, np.float32)


@pytest.fixture(scope="module", params=MODELS)
def model(request, tmp_path_factory):
    source, shape, (low, high), reference = MODELS[request.param]
    if not DATA.is_dir():
        pytest.skip(f"no test data at {DATA} (set JUMAR_TEST_DATA)")
    folder = tmp_path_factory.mktemp(request.param)
    if isinstance(source, list):
        onnx = folder / "model.onnx"
        subprocess.run([sys.executable, DATA / "tools/gen_onnx.py", source[0], onnx, *source[1:]], check=True,
                       capture_output=True)
    else:
        onnx = DATA / "models" / source
    session = onnxruntime.InferenceSession(str(onnx), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    x = photo(shape, low, high) if isinstance(source, str) else noise(shape, low, high)
    np.save(folder / "x.npy", x)
    om = folder / "model.om"
    run("compile", onnx, "-o", om, "--input-shape", f"{name}:{','.join(map(str, shape))}")
    want = dict(zip([o.name for o in session.get_outputs()], session.run(None, {name: x})))
    return folder, om, want, reference


def outputs(model, target, threads, **environment):
    folder, om, _, _ = model
    run("run", om, "--input", folder / "x.npy", "--output", folder / target, "--threads", threads, **environment)
    return {path.stem: path.read_bytes() for path in sorted((folder / target).glob("*.npy"))}


def test_matches_onnxruntime(model):
    folder, _, want, _ = model
    got = outputs(model, "match", 2)
    assert len(got) == len(want)
    for name, reference in want.items():
        y = np.load(folder / "match" / f"{name}.npy")
        assert y.shape == reference.shape
        error = np.abs(y.astype(np.float64) - reference).max() / np.abs(reference).max()
        print(f"{name}: {error:.2e} of max {np.abs(reference).max():.3g}")
        assert error <= TOLERANCE, name


@pytest.mark.parametrize("level", ["reference", "avx2", "avx512"])
def test_same_bytes(model, level):
    if level == "reference" and not model[3]:
        pytest.skip("takes minutes at level reference")
    try:
        got = outputs(model, "got", 2, JUMAR_CPU=level)
    except AssertionError as error:
        if "this CPU has no" in str(error):
            pytest.skip(f"not run: {error}")
        raise
    want = outputs(model, "want", 1)
    assert got == want
    for i in range(RUNS if level != "reference" else 0):
        assert outputs(model, "got", 1 + i % 3, JUMAR_CPU=level) == want, f"{1 + i % 3} threads, run {i}"


# Steps that only move data, as `jumar info` counts them, at most; everything else of their kind must be a view.
MOVING = ["Reorder", "Concat", "Split", "Slice", "ChannelShuffle", "Reshape"]
MOVES = {
    "fastestdet": {"Slice c16": 13},  # halves that pass a block of a ShuffleNet
    "nanodet_m": {"Slice c16": 13},
}


def test_structure(model, request):
    most = MOVES.get(request.node.callspec.params["model"], {})
    lines = re.findall(r"(?m)^(?:algorithms|\s) +(\w+) +(\S.*?) +(\d+)$", run("info", model[1]))
    assert lines
    for operator, form, count in lines:
        print(operator, form, count)
        if operator in MOVING:
            assert int(count) <= most.get(f"{operator} {form}", 0), f"{operator} {form}"


@pytest.mark.parametrize("model", ["yolov8n_heads"], indirect=True)
def test_without_winograd(model):
    folder, om, want, _ = model
    assert "winograd" in run("info", om)
    direct = folder / "direct.om"
    shape = ",".join(map(str, MODELS["yolov8n_heads"][1]))
    run("compile", folder / "model.onnx", "-o", direct, "--input-shape", f"images:{shape}", "--no-winograd")
    assert "winograd" not in run("info", direct)
    assert direct.stat().st_size < om.stat().st_size
    got = outputs((folder, direct, want, False), "direct", 2)
    assert len(got) == len(want)
    for name, reference in want.items():
        y = np.load(folder / "direct" / f"{name}.npy")
        assert np.abs(y.astype(np.float64) - reference).max() <= TOLERANCE * np.abs(reference).max(), name
