# SPDX-License-Identifier: Apache-2.0
"""Every command under valgrind's memcheck: no wrong access, no uninitialised value that matters, no leak."""
import os
import shutil
import subprocess

import numpy as np
import pytest

JUMAR = os.environ["JUMAR_BIN"]
DEMO = os.path.join(os.environ["JUMAR_SOURCE"], "demo")
CORPUS = os.path.join(os.environ["JUMAR_SOURCE"], "tests", "corpus")
CODE = 99
VALGRIND = ["valgrind", "-q", f"--error-exitcode={CODE}", "--leak-check=full", "--fair-sched=try",
            "--show-leak-kinds=definite,indirect,possible", "--errors-for-leak-kinds=definite,indirect,possible"]

# Commands and how they end. valgrind does not know AVX-512.
COMMANDS = [
    ("--help", 0),
    ("compile scenes.onnx -o new.om --labels names.txt --family yolo --input-shape images:1,3,320,320", 0),
    ("compile network.onnx -o new.om", 0),
    ("compile forms.onnx -o new.om --no-winograd", 0),
    ("compile movement.onnx -o new.om", 0),
    ("compile pictures/street.jpg -o new.om", 1),
    ("compile scenes.onnx --input-shape images:1,3,64,64 -o new.om", 1),
    ("info scenes.om --layers", 0),
    ("info small.om --verify", 0),
    ("info scenes.onnx", 1),
    ("run small.om --input small.npy --output out", 0),
    ("run small.om --input x.npy --output out", 1),
    ("detect scenes.om --source pictures --save out --json", 0),
    ("detect scenes.om --source pictures/rgb.ppm --csv --threads 1", 0),
    ("detect scenes.om --source names.txt", 1),
    ("bench small.om --repeat 2 --warmup 1 --threads 1,2 --json out.json", 0),
    ("profile small.om --repeat 2 --json out.json", 0),
    ("profile scenes.om --bogus", 2),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    at = tmp_path_factory.mktemp("valgrind")
    shutil.copy(os.path.join(DEMO, "scenes.onnx"), at)
    for name in "network", "forms", "movement":
        shutil.copy(os.path.join(CORPUS, "onnx", name + ".onnx"), at)
    (at / "pictures").mkdir()
    shutil.copy(os.path.join(DEMO, "pictures", "street.jpg"), at / "pictures")
    for name in "palette.png", "rgb.ppm":
        shutil.copy(os.path.join(CORPUS, "image", name), at / "pictures")
    (at / "names.txt").write_text("".join(f"class {i}\n" for i in range(8)))
    np.save(at / "x.npy", np.random.default_rng(2).random((1, 3, 320, 320), dtype=np.float32))
    for model, om in ("scenes", "scenes"), ("network", "small"):
        subprocess.run([JUMAR, "compile", f"{model}.onnx", "-o", f"{om}.om"], cwd=at, check=True, capture_output=True)
    shape = subprocess.run([JUMAR, "info", "small.om"], cwd=at, check=True, capture_output=True, text=True).stdout
    dims = shape[shape.index("float32 [") + 9 :].split("]")[0]
    np.save(at / "small.npy", np.random.default_rng(2).random([int(d) for d in dims.split(",")], dtype=np.float32))
    return at


@pytest.mark.parametrize("command, code", COMMANDS, ids=[c for c, _ in COMMANDS])
def test_clean(folder, command, code):
    for level in "avx2", "reference":
        if level == "reference" and ("scenes.om" in command or "detect" in command):
            continue  # slow, and the same code around the kernels
        done = subprocess.run([*VALGRIND, JUMAR, *command.split()], cwd=folder, capture_output=True, text=True, timeout=500,
                              env={**os.environ, "JUMAR_CPU": level})
        if done.returncode and "CPU" in done.stderr and code == 0:
            print(f"not run: {level}: {done.stderr.strip()}")
            continue
        assert done.returncode == code, done.stderr[-4000:]
        assert "==" not in done.stderr, done.stderr[-4000:]
