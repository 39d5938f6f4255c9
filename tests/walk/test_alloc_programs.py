# SPDX-License-Identifier: Apache-2.0
"""The jumar program while memory runs out: each n-th allocation of its process fails, those of other libraries too."""
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

JUMAR = os.environ["JUMAR_BIN"]
DEMO = os.path.join(os.environ["JUMAR_SOURCE"], "demo")
HOOK = os.path.join(os.environ["JUMAR_BUILD"], "tests", "walk", "liballoc_hook.so")

# What is said on the way.
PROGRESS = re.compile(r"wrote |note: |\d+ objects? in \d+ pictures?, ")

COMMANDS = {
    "compile": "compile network.onnx -o new.om",
    "compile_labels": "compile scenes.onnx -o new.om --labels names.txt --input-shape images:1,3,320,320",
    "info": "info scenes.om --layers",
    "run": "run scenes.om --input images=x.npy --output new",
    "detect": "detect scenes.om --source pictures --save new --json",
    "detect_pattern": "detect scenes.om --source pictures/*.jpg --csv",
    "bench": "bench small.om --repeat 1 --warmup 0 --threads 1,2 --json new.json",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    at = tmp_path_factory.mktemp("walk")
    shutil.copy(os.path.join(DEMO, "scenes.onnx"), at)
    shutil.copy(os.path.join(os.environ["JUMAR_SOURCE"], "tests", "corpus", "onnx", "network.onnx"), at)
    (at / "pictures").mkdir()
    shutil.copy(os.path.join(DEMO, "pictures", "street.jpg"), at / "pictures")
    (at / "names.txt").write_text("".join(f"class {i}\n" for i in range(8)))
    np.save(at / "x.npy", np.zeros((1, 3, 320, 320), np.float32))
    subprocess.run([JUMAR, "compile", "scenes.onnx"], cwd=at, check=True, capture_output=True)
    subprocess.run([JUMAR, "compile", "network.onnx", "-o", "small.om"], cwd=at, check=True, capture_output=True)
    return at


def files(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


def run(folder, words, **environment):
    done = subprocess.run([JUMAR, *words], cwd=folder, capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
    made = files(folder)
    for name in made:
        if name.startswith("new"):
            os.remove(folder / name)
    return done, made


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("kind", ["JUMAR_FAIL_ALLOCATION", "JUMAR_FAIL_FROM"])
def test_memory_runs_out(folder, name, kind):
    words = COMMANDS[name].split()
    good, made = run(folder, words)
    assert good.returncode == 0, good.stderr
    before = files(folder)
    n, failures, rounds = 1, 0, 0
    while True:
        done, left = run(folder, words, LD_PRELOAD=HOOK, **{kind: str(n)})
        rounds += 1
        where = f"{kind}={n}: exit {done.returncode}\n{done.stderr}"
        assert done.returncode in (0, 1), where
        if done.returncode:
            failures += 1
            lines = [line for line in done.stderr.splitlines() if not PROGRESS.match(line)]
            assert len(lines) == 1 and lines[0].startswith(f"jumar {words[0]}: ") and len(lines[0]) > len(words[0]) + 8, where
            # Whole files of pictures that were done before may be there; parts of files may not.
            assert left <= made | before, where
        else:
            assert left == made, where
        quiet = done.returncode == 0
        # The first allocations one by one, then fewer and fewer; the end is where several in a row do not matter.
        n += 1 if n < 40 else n // 12
        if quiet and n > 200000:
            break
    print(f"{name}: {rounds} rounds, {failures} failures")
    assert failures > 20
