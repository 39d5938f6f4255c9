# SPDX-License-Identifier: Apache-2.0
"""import jumar: compile, sessions, detectors; and the examples of docs/python.md."""
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import program

jumar = pytest.importorskip("jumar", reason="the module jumar was not built (python3-dev)")
DEMO = os.path.join(os.environ["JUMAR_SOURCE"], "demo")
STREET = os.path.join(DEMO, "pictures", "street.jpg")


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    path = tmp_path_factory.mktemp("scenes") / "scenes.om"
    jumar.compile(os.path.join(DEMO, "scenes.onnx"), path)
    return path


def test_compile_and_session(models, expected, tmp_path):
    jumar.compile(models / "net.onnx", tmp_path / "a.om", input_shapes={"x": (2, 3, 32, 32)}, winograd=False)
    session = jumar.Session(str(tmp_path / "a.om"), threads=1)
    assert [(t.name, t.dtype, t.shape) for t in session.inputs] == [("x", np.dtype("float32"), (2, 3, 32, 32))]
    x = np.random.default_rng(1).random((2, 3, 32, 32), np.float32)
    out = session.run({"x": x})
    assert list(out) == [session.outputs[0].name] and np.allclose(out[session.outputs[0].name], expected(x), atol=2e-6)
    assert session.metadata("no such key") is None
    jumar.compile(models / "net.onnx", tmp_path / "b.om", input_shapes="x:-1,3,32,32", batches=[1, 2])
    assert jumar.Session(tmp_path / "b.om").inputs[0].shape == (2, 3, 32, 32)


def test_mistakes(models, tmp_path, scenes):
    net, om = models / "net.onnx", tmp_path / "x.om"
    session = jumar.Session(models / "fixed.om")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"\xff" * 100)
    for call, error in ((lambda: jumar.compile(tmp_path / "no.onnx", om), FileNotFoundError), (lambda: jumar.compile(broken, om), ValueError),
                        (lambda: jumar.compile(net, om), ValueError), (lambda: jumar.compile(net, om, batches=[1], dims=[(1,)]), ValueError),
                        (lambda: jumar.compile(5, om), TypeError), (lambda: jumar.compile(net, om, labels=[5]), TypeError),
                        (lambda: jumar.Session(tmp_path / "no.om"), FileNotFoundError), (lambda: jumar.Session(broken), ValueError),
                        (lambda: session.run({}), ValueError), (lambda: session.run({"x": np.zeros(3)}), ValueError),
                        (lambda: session.run({"x": np.zeros((1, 3, 32, 32), np.float64)}), ValueError),
                        (lambda: jumar.YOLO(scenes)("no.jpg"), FileNotFoundError),
                        (lambda: jumar.YOLO(scenes)(np.zeros((4, 4), np.uint8)), ValueError), (lambda: jumar.YOLO(scenes)(STREET, conf=0), ValueError),
                        (lambda: jumar._jumar.session_run(5, [], []), ValueError),
                        (lambda: jumar._jumar.session_run(session._session, [b"short"], [bytearray(40)]), ValueError)):
        with pytest.raises(error):
            call()
    assert not om.exists()


def iou(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    both = max(w, 0) * max(h, 0)
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def test_yolo_equals_the_program(scenes, tmp_path):
    """The same boxes as `jumar detect`, from a path and from pixels."""
    model = jumar.YOLO(scenes)
    found = model(STREET)
    text = subprocess.run([program("jumar"), "detect", str(scenes), "--source", STREET, "--json"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    want = [float(s) for s in re.findall(r'"score":\s*([\d.]+)', text)]
    assert len(found) == len(want) > 3 and np.allclose(found.scores, want, atol=2e-4)
    assert found.boxes.shape == (len(want), 4) and found.boxes.dtype == np.float32 and found.labels.dtype == np.int32
    assert model.task == "detect" and set(found.labels) <= set(model.names) and found.masks is None
    again = model(jumar.read_image(STREET))
    assert np.array_equal(found.boxes, again.boxes) and np.array_equal(found.scores, again.scores)
    one = model(STREET, classes=[int(found.labels[0])])
    assert 0 < len(one) < len(found) and set(one.labels) == {found.labels[0]}
    assert len(model(STREET, conf=0.999)) == 0 and model(STREET, conf=0.999).boxes.shape == (0, 4)


def test_boxes_are_where_the_objects_are(scenes):
    """Against what was drawn, told beside the picture."""
    found = jumar.YOLO(scenes)(STREET)
    with open(os.path.splitext(STREET)[0] + ".json", encoding="utf-8") as file:
        truth = json.load(file)["objects"]
    names = [found.names[k] for k in found.labels]
    hit = [max(iou(t["box"], b) for b, name in zip(found.boxes, names) if name == t["class"]) > 0.5 for t in truth if t["class"] in names]
    assert len(truth) > 3 and sum(hit) >= 0.8 * len(truth)


def test_pixels_live_as_long_as_they_are_used():
    whole = jumar.read_image(STREET)
    part, want = whole[100:120, 5:50], whole[100:120, 5:50].copy()
    del whole
    others = [jumar.read_image(STREET) for _ in range(3)]  # would take freed memory
    for other in others:
        other[:] = 0
    assert np.array_equal(part, want) and part.flags.writeable


def test_plot_and_save(scenes, tmp_path):
    found = jumar.YOLO(scenes)(STREET)
    drawn = found.plot()
    assert drawn.shape == found.orig_img.shape and (drawn != found.orig_img).any()
    found.save(tmp_path / "out.png")
    assert np.array_equal(jumar.read_image(tmp_path / "out.png"), drawn)
    with pytest.raises(ValueError):
        found.save(tmp_path / "out.xyz")


def test_threads_share_a_model(scenes):
    model, want, bad = jumar.YOLO(scenes), None, []
    want = model(STREET).boxes

    def run():
        for _ in range(4):
            if not np.array_equal(model(STREET).boxes, want):
                bad.append(1)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not bad


def test_stub_has_the_same_names():
    with open(os.path.join(os.path.dirname(jumar.__file__), "__init__.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    stub = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))} | {"__version__"}
    assert stub == set(jumar.__all__)


@pytest.mark.parametrize("document, count", [("docs/python.md", 4), ("README.md", 1)])
def test_examples_of_the_documentation(tmp_path, document, count):
    for name in ("scenes.onnx", "yolov8n.onnx"):
        shutil.copy(os.path.join(DEMO, "scenes.onnx"), tmp_path / name)
    shutil.copy(STREET, tmp_path)
    with open(os.path.join(os.environ["JUMAR_SOURCE"], document), encoding="utf-8") as file:
        programs = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    assert len(programs) == count
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    for text in programs:
        done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0 and done.stdout, text + done.stdout + done.stderr
    assert (tmp_path / "out.jpg").exists()
