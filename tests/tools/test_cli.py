# SPDX-License-Identifier: Apache-2.0
"""The jumar program as a user types it, on the model and pictures of demo/."""
import csv
import glob
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest

JUMAR = os.environ["JUMAR_BIN"]
DEMO = os.path.join(os.environ["JUMAR_SOURCE"], "demo")
MODEL = os.path.join(DEMO, "scenes.onnx")
PICTURES = os.path.join(DEMO, "pictures")


def jumar(*arguments, code=0, **options):
    done = subprocess.run([JUMAR, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == code, f"{arguments}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def fails(*arguments, words, code=1, **options):
    """The command fails with one sentence on standard error that names the command."""
    done = jumar(*arguments, code=code, **options)
    lines = [line for line in done.stderr.splitlines() if line]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("jumar"), lines
    for word in [words] if isinstance(words, str) else words:
        assert word in lines[0], lines
    return done


@pytest.fixture(scope="module")
def om(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "scenes.om"
    jumar("compile", MODEL, "-o", path)
    return str(path)


def iou(a, b):
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    inter = max(w, 0) * max(h, 0)
    return inter / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter)


def test_help_of_every_command_has_an_example():
    listing = jumar("--help").stdout
    for command in ["compile", "info", "detect", "run", "bench", "profile"]:
        assert command in listing
        text = jumar(command, "--help").stdout
        assert "Usage: jumar " + command in text and "Example:" in text
        assert max(map(len, text.splitlines())) <= 110


def test_detect_finds_the_objects_of_the_pictures(om, tmp_path):
    found = json.loads(jumar("detect", om, "--source", PICTURES, "--json", "--save", tmp_path / "out").stdout)
    assert [os.path.basename(p["file"]) for p in found] == sorted(os.path.basename(p) for p in glob.glob(PICTURES + "/*.jpg"))
    wanted = hit = 0
    for picture in found:
        with open(picture["file"].replace(".jpg", ".json")) as file:
            truth = json.load(file)["objects"]
        for object in truth:
            wanted += 1
            hit += any(o["name"] == object["class"] and iou(o["box"], object["box"]) > 0.5 for o in picture["objects"])
        drawn = tmp_path / "out" / os.path.basename(picture["file"])
        assert drawn.stat().st_size > 10000
    assert hit >= 0.9 * wanted, f"{hit} of {wanted} objects found"


def test_lines_json_and_csv_agree(om):
    picture = PICTURES + "/street.jpg"
    lines = jumar("detect", om, "--source", picture).stdout.splitlines()
    objects = json.loads(jumar("detect", om, "--source", picture, "--json").stdout)[0]["objects"]
    rows = list(csv.DictReader(io.StringIO(jumar("detect", om, "--source", picture, "--csv").stdout)))
    assert len(lines) == len(objects) == len(rows) > 3
    for line, object, row in zip(lines, objects, rows):
        assert line.startswith(f"street.jpg: {object['name']} {object['score']:.2f} at (")
        assert row["name"] == object["name"] and float(row["score"]) == object["score"]
        assert [float(row[k]) for k in ("x1", "y1", "x2", "y2")] == object["box"]


def test_detect_options(om):
    picture = PICTURES + "/street.jpg"

    def detect(*options):
        return json.loads(jumar("detect", om, "--source", picture, "--json", *options).stdout)[0]["objects"]

    everything = detect("--conf", "0.05")
    assert len(detect("--conf", "0.5")) == sum(o["score"] >= 0.5 for o in everything)
    cars = detect("--classes", str(everything[0]["class"]))
    assert cars and all(o["class"] == everything[0]["class"] for o in cars)
    assert len(detect("--conf", "0.05", "--iou", "1")) > len(everything)
    assert len(detect("--conf", "0.05", "--agnostic")) <= len(everything)


def test_sources(om, tmp_path):
    for name in ["b.jpg", "a.jpg", "notes.txt", "x[1].jpg"]:
        shutil.copy(PICTURES + "/street.jpg", tmp_path / name)

    def files(source):
        return [os.path.basename(p["file"]) for p in json.loads(jumar("detect", om, "--source", source, "--json").stdout)]

    assert files(tmp_path) == ["a.jpg", "b.jpg", "x[1].jpg"]
    assert files(tmp_path / "?.jpg") == ["a.jpg", "b.jpg"]
    assert files(tmp_path / "x[1].jpg") == ["x[1].jpg"]
    fails("detect", om, "--source", tmp_path / "*.png", words="no picture matches")
    (tmp_path / "empty").mkdir()
    fails("detect", om, "--source", tmp_path / "empty", words="holds no pictures")
    fails("detect", om, "--source", tmp_path / "notes.tx", words="notes.tx")
    (tmp_path / "cut.jpg").write_bytes((tmp_path / "a.jpg").read_bytes()[:20000])
    fails("detect", om, "--source", tmp_path / "cut.jpg", words=["cut.jpg", "cut short"])


def test_run_equals_onnxruntime_and_itself(om, tmp_path):
    x = np.random.default_rng(5).random((1, 3, 320, 320), dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    x.tofile(tmp_path / "x.bin")
    want = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"]).run(None, {"images": x})[0]
    first = None
    for threads in 1, 2, 3:
        for level in "reference", "avx2", "avx512", None:
            environment = {k: v for k, v in os.environ.items() if k != "JUMAR_CPU"}
            if level:
                environment["JUMAR_CPU"] = level
            done = subprocess.run([JUMAR, "run", om, "--input", tmp_path / "x.npy", "--output", tmp_path / "out", "--threads",
                                   str(threads)], capture_output=True, text=True, env=environment)
            if done.returncode and "CPU" in done.stderr:
                print(f"not run: {level}: {done.stderr.strip()}")
                continue
            assert done.returncode == 0, done.stderr
            got = np.load(tmp_path / "out" / "output0.npy")
            assert got.dtype == np.float32 and got.shape == want.shape
            assert np.abs(got - want).max() <= 2e-5 * np.abs(want).max()
            first = got.tobytes() if first is None else first
            assert got.tobytes() == first, f"other bits at {level}, {threads} threads"
    jumar("run", om, "--input", "images=" + str(tmp_path / "x.bin"), "--output", tmp_path / "bin")
    assert np.load(tmp_path / "bin" / "output0.npy").tobytes() == first


def test_info_tells_the_truth(om):
    text = jumar("info", om, "--layers", "--verify").stdout
    model = onnx.load(MODEL)
    convs = sum(node.op_type == "Conv" for node in model.graph.node)
    assert "images  float32 [1,3,320,320]" in text and "output0  float32 [1,12,2100]" in text
    operators = [line.split()[1] for line in text.splitlines() if line.strip()[:1].isdigit()]
    # The convolution that sums a box's distribution is part of its softmax.
    assert operators.count("Conv") + operators.count("SoftmaxDot") == convs and operators.count("SoftmaxDot") == 1
    assert "8 class names" in text and "YOLOv8" in text and "preprocessing yolo" in text
    assert "DIFFERS" not in text and "digest" in text


def test_bench_writes_json(om, tmp_path):
    jumar("bench", om, "--threads", "1,2", "--repeat", "3", "--warmup", "0", "--json", tmp_path / "b.json")
    rows = json.loads((tmp_path / "b.json").read_text())["rows"]
    assert [row["threads"] for row in rows] == [1, 2]
    for row in rows:
        assert 0 < row["min_ms"] <= row["median_ms"] <= row["p95_ms"]
        assert 0 < row["gflops"] < row["peak_gflops"] * 1.5
        assert row["gflops"] == pytest.approx(row["gflop"] / row["median_ms"] * 1e3)
    assert json.loads(jumar("bench", om, "--repeat", "1", "--json", "-").stdout)["model"] == om


def test_labels_and_family(tmp_path):
    (tmp_path / "names.txt").write_text("house\r\ntwo words\n\u00e9l\u00e9phant\n\n")
    out = tmp_path / "a.om"
    jumar("compile", MODEL, "-o", out, "--labels", tmp_path / "names.txt", "--family", "yolox")
    text = jumar("info", out).stdout
    assert "3 class names" in text and "preprocessing yolox" in text
    fails("compile", MODEL, "-o", out, "--family", "yoloz", words=["yoloz", "yolox"])
    fails("compile", MODEL, "-o", out, "--labels", tmp_path / "absent.txt", words="absent.txt")
    jumar("compile", MODEL, "-o", out, "--labels", "coco")
    assert "80 class names" in jumar("info", out).stdout


def test_usage_errors():
    fails("compile", code=2, words="name the ONNX model")
    fails("compile", "--bogus", "x.onnx", code=2, words="--bogus")
    fails("compile", "x.onnx", "-o", code=2, words="-o")
    fails("detect", "x.om", code=2, words="--source is missing")
    fails("detect", "x.om", "--source", PICTURES, "--conf", "2", code=2, words=["--conf", "from 0.0001 to 1"])
    fails("detect", "x.om", "--source", PICTURES, "--classes", "1,a", code=2, words="whole numbers")
    fails("bench", "x.om", "--threads", "0", code=2, words="from 1 to 1024")
    fails("frobnicate", code=2, words="unknown command")


def test_bad_files_are_one_sentence(om, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("hello, this is no model\n" * 10)
    (tmp_path / "vendor").write_bytes(b"IMOD" + bytes(300))
    for name in "empty", "text", "absent":
        fails("compile", tmp_path / name, "-o", tmp_path / "out.om", words=name)
        fails("info", tmp_path / name, words=name)
    fails("compile", tmp_path, "-o", tmp_path / "out.om", words="is a folder")
    fails("info", tmp_path, words="is a folder")
    fails("info", tmp_path / "vendor", words="compile the ONNX again")
    fails("compile", MODEL, "-o", tmp_path / "no" / "such" / "x.om", words="x.om")
    fails("compile", MODEL, "-o", tmp_path, words="is a folder")
    fails("run", om, "--output", tmp_path / "o", words="0 inputs were given")
    np.save(tmp_path / "wrong.npy", np.zeros((1, 3, 32, 32), np.float32))
    fails("run", om, "--input", tmp_path / "wrong.npy", "--output", tmp_path / "o", words=["[1,3,32,32]", "[1,3,320,320]"])
    np.save(tmp_path / "half.npy", np.zeros((1, 3, 320, 320), np.float16))
    fails("run", om, "--input", tmp_path / "half.npy", "--output", tmp_path / "o", words=["float16", "float32"])
    assert not (tmp_path / "out.om").exists() and not (tmp_path / "o").exists()


def damaged(data, rng, rounds):
    for _ in range(rounds):
        yield "cut", data[: rng.randrange(len(data))]
    for _ in range(rounds):
        copy = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            copy[rng.randrange(len(copy))] ^= 1 << rng.randrange(8)
        yield "flip", bytes(copy)


def test_damaged_models_never_crash(om, tmp_path):
    seed = int(os.environ.get("JUMAR_TEST_SEED", random.randrange(1 << 30)))
    print("seed: JUMAR_TEST_SEED =", seed)
    rng = random.Random(seed)
    out = tmp_path / "out.om"
    for kind, data in damaged(open(MODEL, "rb").read(), rng, 25):
        (tmp_path / "x.onnx").write_bytes(data)
        done = subprocess.run([JUMAR, "compile", tmp_path / "x.onnx", "-o", out], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 1), (kind, done.returncode, done.stderr)
        assert out.exists() == (done.returncode == 0)
        out.unlink(missing_ok=True)
        assert sorted(os.listdir(tmp_path)) == ["x.onnx"]
    for kind, data in damaged(open(om, "rb").read(), rng, 25):
        (tmp_path / "x.om").write_bytes(data)
        done = subprocess.run([JUMAR, "info", tmp_path / "x.om"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1, (kind, done.returncode, done.stdout)
        assert done.stderr.startswith("jumar info: ")


def small_disk():
    """Writes beyond 100 KB fail, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


def test_full_disk_leaves_no_partial_file(om, tmp_path):
    fails("compile", MODEL, "-o", tmp_path / "x.om", words="x.om", preexec_fn=small_disk)
    assert os.listdir(tmp_path) == []
    (tmp_path / "keep.om").write_bytes(b"old")
    fails("compile", MODEL, "-o", tmp_path / "keep.om", words="keep.om", preexec_fn=small_disk)
    assert (tmp_path / "keep.om").read_bytes() == b"old" and os.listdir(tmp_path) == ["keep.om"]
    with open("/dev/full", "w") as full:
        done = subprocess.run([JUMAR, "info", om], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "standard output" in done.stderr


def test_version():
    assert jumar("--version").stdout.startswith("jumar 0.")
