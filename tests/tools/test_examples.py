# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/ build against the public headers with nothing but -lascendcl, and do what they say."""
import json
import os
import re
import subprocess
import sys

import numpy as np
import onnxruntime
import pytest
from PIL import Image

SOURCE = os.environ["JUMAR_SOURCE"]
BUILD = os.environ["JUMAR_BUILD"]
sys.path.insert(0, os.path.join(SOURCE, "tests", "python"))
import network


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The vendor's name for the library, and a small network whose batch and image size are open."""
    path = tmp_path_factory.mktemp("examples")
    library = os.path.join(BUILD, "src", "libjumar.so")
    os.symlink(library, path / "libascendcl.so")
    network.compile(os.path.join(BUILD, "bin", "atc"), path, ("fixed", "batch", "size"))
    return path


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=200, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def example(folder, name, *arguments, **environment):
    program = folder / name
    if not program.exists():
        run("cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", os.path.join(SOURCE, "examples", name + ".c"), "-o", program,
            "-I" + os.path.join(SOURCE, "include"), "-L" + str(folder), "-lascendcl", "-Wl,-rpath," + os.path.join(BUILD, "src"), "-pthread", "-lm")
    return run(program, *arguments, cwd=folder, env=dict(os.environ, **environment))


def expected(folder, x):
    """What onnxruntime computes."""
    return onnxruntime.InferenceSession(str(folder / "net.onnx"), providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]


def drawn(i, source=0):
    """The frames that the programs make up."""
    k = np.arange(3 * 32 * 32, dtype=np.int64)
    return (((k * 31 + i * 977 + source * 131) % 256) / 255).astype(np.float32).reshape(1, 3, 32, 32)


def test_classify(folder):
    x = np.random.default_rng(1).random((1, 3, 32, 32), np.float32)
    x.tofile(folder / "one.bin")
    out = example(folder, "classify", "fixed.om", "one.bin")
    want = expected(folder, x)[0]
    found = re.findall(r"class (\d+), score (-?[\d.]+)", out)
    assert [int(c) for c, _ in found] == list(np.argsort(-want)[:5])
    assert np.allclose([float(s) for _, s in found], np.sort(want)[::-1][:5], atol=2e-6)


def test_classify_says_what_is_wrong(folder):
    np.zeros(7, np.float32).tofile(folder / "short.bin")
    done = subprocess.run([folder / "classify", "fixed.om", "short.bin"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1 and "28 bytes and the model takes 12288" in done.stderr
    done = subprocess.run([folder / "classify", "none.om", "short.bin"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1 and "none.om" in done.stderr


def overlap(a, b):
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    both = max(width, 0) * max(height, 0)
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def test_detect_aipp(folder):
    """The toy detector finds what is drawn in its pictures, from bytes."""
    demo = os.path.join(SOURCE, "demo")
    names = ["house", "tree", "car", "person", "dog", "boat", "balloon", "bird"]
    run(os.path.join(BUILD, "bin", "atc"), "--framework=5", "--model=" + os.path.join(demo, "scenes.onnx"), "--output=scenes",
        "--soc_version=Ascend310P3", "--insert_op_conf=" + os.path.join(SOURCE, "examples", "detect_aipp.cfg"), cwd=folder)
    for name in ("harbour", "lake", "street", "village"):
        Image.open(os.path.join(demo, "pictures", name + ".jpg")).convert("RGB").save(folder / f"{name}.ppm")
        out = example(folder, "detect_aipp", "scenes.om", f"{name}.ppm")
        found = [(names[int(c)], [float(n) for n in box.split()]) for c, box in re.findall(r"class (\d), score [\d.]+, box (.*)", out)]
        with open(os.path.join(demo, "pictures", name + ".json"), encoding="utf-8") as file:
            objects = json.load(file)["objects"]
        assert f"{len(objects)} objects" in out and len(found) == len(objects), (name, out)
        for thing in objects:
            assert any(kind == thing["class"] and overlap(box, thing["box"]) > 0.5 for kind, box in found), (name, thing)
    done = subprocess.run([folder / "detect_aipp", "fixed.om", "lake.ppm"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1 and "detect_aipp.cfg" in done.stderr
    done = subprocess.run([folder / "detect_aipp", "scenes.om", "scenes.om"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1 and "no binary PPM" in done.stderr


def test_dynamic_batch(folder):
    x = np.random.default_rng(2).random((7, 3, 32, 32), np.float32)
    x.tofile(folder / "seven.bin")
    out = example(folder, "dynamic_batch", "batch.om", "seven.bin")
    found = re.findall(r"input (\d+) \(batch of (\d+)\): class (\d+)", out)
    assert [int(b) for _, b, _ in found] == [4, 4, 4, 4, 2, 2, 1]
    assert [int(c) for _, _, c in found] == list(expected(folder, x).argmax(1))


def test_dynamic_size(folder):
    out = example(folder, "dynamic_size", "size.om", 20, 30, 32, 33, 64, 1, 65, 1)
    assert re.findall(r"run as (\d+) x (\d+)", out) == [("32", "32"), ("32", "64"), ("64", "64")]
    assert "65 x 1: larger than every size" in out


def test_async_pipeline(folder):
    out = example(folder, "async_pipeline", "fixed.om", 20)
    found = re.findall(r"frame (\d+): largest output (\d+)", out)
    assert [int(f) for f, _ in found] == list(range(20)) and "20 of 20 frames" in out
    assert [int(c) for _, c in found] == [int(expected(folder, drawn(i)).argmax()) for i in range(20)]


def test_many_sources(folder):
    out = example(folder, "many_sources", "batch.om", 3, 25)
    found = re.findall(r"source (\d+) frame (\d+) \(batch of \d\): class (\d+)", out)
    total, done, dropped = map(int, re.search(r"(\d+) frames: (\d+) run, (\d+) dropped", out).groups())
    assert total == 75 and done + dropped == 75 and len(found) == done > 0
    assert len({(s, f) for s, f, _ in found}) == done
    for source, number, best in found:
        assert int(best) == expected(folder, drawn(int(number), int(source))).argmax()


def test_multi_device(folder):
    out = example(folder, "multi_device", "fixed.om", 9, JUMAR_DEVICES="3")
    found = {int(i): (int(d), int(c)) for d, i, c in re.findall(r"device (\d), input (\d+): largest output (\d+)", out)}
    assert "9 inputs on 3 devices" in out and len(found) == 9
    for i, (device, best) in found.items():
        assert device == i % 3 and best == expected(folder, drawn(i)).argmax()


def test_quantised_kv_cache(folder):
    out = example(folder, "quantised_kv_cache")
    found = re.findall(r"sequence (\d), token +(\d+): page (\d), row (\d), largest error of v ([\d.]+)", out)
    tokens = [(int(s), int(t)) for s, t, *_ in found]
    # Ten steps of two sequences, the first of which ends a step early; each token has a place of its own.
    assert sorted(tokens) == [(0, t) for t in range(9)] + [(1, 6 + t) for t in range(10)]
    assert len({(page, row) for _, _, page, row, _ in found}) == len(found)
    assert all(int(row) == int(t) % 4 and float(error) <= 0.51 / 127 for _, t, _, row, error in found)
    assert "7 of 8 pages" in out
