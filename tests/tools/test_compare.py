# SPDX-License-Identifier: Apache-2.0
"""bench/compare.py on the demo's detector with one peer, its float64 reference and its YOLO11 generator."""
import importlib.util
import json
import math
import os
import random
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

SOURCE, BUILD = os.environ["JUMAR_SOURCE"], os.environ["JUMAR_BUILD"]
BENCH = os.path.join(SOURCE, "bench")
# Peers that this machine lacks: named in the report, and nothing else happens.
ABSENT = [m for m in ("openvino", "ncnn") if not importlib.util.find_spec(m)]
MODEL = os.path.join(SOURCE, "demo/scenes.onnx")


def compare(tmp_path, *arguments):
    systems = ",".join(["jumar", "onnxruntime", *ABSENT])
    command = [sys.executable, os.path.join(BENCH, "compare.py"), *arguments, "--rounds", "1", "--seconds", "0",
               "--threads", "1", "--systems", systems, "--jumar", os.environ["JUMAR_BIN"],
               "--library", os.path.join(BUILD, "src/libjumar.so"),
               "--json", str(tmp_path / "r.json"), "--chart", str(tmp_path / "r.png")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((tmp_path / "r.json").read_text()), done.stdout


def test_one_round(tmp_path):
    report, text = compare(tmp_path, MODEL, MODEL + "@2")
    rows = {(r["model"], r["system"]): r for r in report["rows"]}
    assert [n["system"] for n in report["not_compared"]] == ABSENT, text
    for model, batch in ("scenes", 1), ("scenes x2", 2):
        jumar, peer = rows[model, "jumar"], rows[model, "onnxruntime"]
        for row in jumar, peer:
            assert row["batch"] == batch and row["threads"] == 1
            assert 0 < row["min_ms"] <= row["ms"] and 0 < row["percent_of_peak"] and row["error"] < 1e-4
            assert row["boxes"] == 1 and 0 < row["rss_above"] < row["rss"] and row["library_bytes"] > 100000
            assert row["open_ms"] > 0 and row["cold_open_ms"] > 0
        assert math.isclose(jumar["gflops"] * jumar["ms"], peer["gflops"] * peer["ms"], rel_tol=1e-9)
        assert jumar["ms"] / jumar["ratio"] == pytest.approx(min(r["ms"] for r in report["rows"] if r["model"] == model and
                                                                 r["system"] != "jumar"))
    assert rows["scenes x2", "jumar"]["gflops"] * rows["scenes x2", "jumar"]["ms"] == pytest.approx(
        2 * rows["scenes", "jumar"]["gflops"] * rows["scenes", "jumar"]["ms"], rel=0.01)


def test_wrong_outputs_are_not_compared():
    sys.path.append(BENCH)
    import oracle
    right = [np.array([[1.0, -2.0]])]
    assert oracle.error([np.float32([[1, -2]])], right) == 0
    assert oracle.error([np.float32([[1, -1.5]])], right) == 0.25
    assert oracle.error([np.float32([[1, float("nan")]])], right) == math.inf
    assert oracle.error([np.float32([[1]])], right) == math.inf


def test_box_agreement():
    """YOLOX rows with three objects; one of them moved by an eighth of its width has no partner on either side."""
    sys.path.append(BENCH)
    import models
    import oracle
    right = np.zeros((1, 3549, 85))
    for row in 100, 1000, 3000:
        right[0, row, :4] = 0.5, 0.5, 2, 2
        right[0, row, 4:7] = 0.9, 0.1, 0.8
    decode = models.detector("yolox_nano")[1]
    assert oracle.box_agreement(decode, ["output"], [np.float32(right)], [right], 416) == (1, 3)
    moved = right.copy()
    moved[0, 1000, 0] += np.exp(2) / 8
    share, found = oracle.box_agreement(decode, ["output"], [moved], [right], 416)
    assert share == pytest.approx(4 / 6) and found == 3


@pytest.fixture(scope="module")
def yolo11(tmp_path_factory):
    """The generator's model at a small size, an input, and onnxruntime's output."""
    path = tmp_path_factory.mktemp("yolo11") / "yolo11n.onnx"
    subprocess.run([sys.executable, os.path.join(BENCH, "yolo11.py"), path, "--size", "160"], check=True)
    seed = int(os.environ.get("JUMAR_TEST_SEED", random.randrange(1 << 30)))
    print("seed: JUMAR_TEST_SEED =", seed)
    x = np.random.default_rng(seed).random((1, 3, 160, 160), dtype=np.float32)
    return path, x, onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, {"images": x})[0]


def test_yolo11_equals_onnxruntime(yolo11, tmp_path):
    path, x, want = yolo11
    np.save(tmp_path / "x.npy", x)
    subprocess.run([os.environ["JUMAR_BIN"], "compile", path, "-o", tmp_path / "x.om"], check=True)
    subprocess.run([os.environ["JUMAR_BIN"], "run", tmp_path / "x.om", "--input", tmp_path / "x.npy", "--output",
                    tmp_path / "out"], check=True)
    got = np.load(tmp_path / "out" / (onnx.load(path).graph.output[0].name + ".npy"))
    assert np.abs(got - want).max() <= 2e-5 * np.abs(want).max()


def test_float64_reference_equals_onnxruntime(yolo11):
    torch = pytest.importorskip("torch")
    sys.path.append(BENCH)
    import onnx_torch
    path, x, want = yolo11
    with torch.inference_mode():
        exact = onnx_torch.load(str(path)).double()(torch.from_numpy(x).double())[0].numpy()
    assert np.abs(want - exact).max() <= 2e-5 * np.abs(exact).max()
