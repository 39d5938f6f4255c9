# SPDX-License-Identifier: Apache-2.0
"""Each command is killed at random moments: its target folder then holds nothing or whole files, and nothing else."""
import json
import os
import random
import shutil
import subprocess
import time

import numpy as np
import pytest

JUMAR = os.environ["JUMAR_BIN"]
DEMO = os.path.join(os.environ["JUMAR_SOURCE"], "demo")
ROUNDS, SECONDS = 80, 20  # of one case, whichever ends first

COMMANDS = {
    "compile": "compile scenes.onnx -o target/scenes.om",
    "run": "run scenes.om --input x.npy --output target",
    "detect": "detect scenes.om --source pictures --save target",
    "bench": "bench scenes.om --repeat 3 --warmup 0 --json target/bench.json",
    "profile": "profile scenes.om --repeat 3 --json target/profile.json",
    "info": "info scenes.om --layers",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    at = tmp_path_factory.mktemp("kill")
    shutil.copy(os.path.join(DEMO, "scenes.onnx"), at)
    shutil.copytree(os.path.join(DEMO, "pictures"), at / "pictures", ignore=shutil.ignore_patterns("*.json"))
    np.save(at / "x.npy", np.random.default_rng(3).random((1, 3, 320, 320), dtype=np.float32))
    subprocess.run([JUMAR, "compile", "scenes.onnx"], cwd=at, check=True, capture_output=True)
    return at


def files(folder):
    return {name: (folder / name).read_bytes() for name in os.listdir(folder)}


def same(name, found, good):
    """Measured times differ from run to run: such a file is whole when it is a document with the same parts."""
    if not name.endswith(".json"):
        return found == good
    return json.loads(found).keys() == json.loads(good).keys()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("old", [False, True], ids=["new", "over"])
def test_killed(folder, name, old):
    seed = int(os.environ.get("JUMAR_TEST_SEED", random.randrange(1 << 30)))
    print("seed: JUMAR_TEST_SEED =", seed)
    rng = random.Random(seed)
    words = [JUMAR, *COMMANDS[name].split()]
    target = folder / "target"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    begin = time.monotonic()
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    duration = time.monotonic() - begin
    good = files(target)
    before = {path for path in os.listdir(folder)}
    killed = partly = 0
    rounds = max(8, min(ROUNDS, int(SECONDS / duration)))
    for _ in range(rounds):
        if not old:
            shutil.rmtree(target)
            target.mkdir()
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.random() * duration)
        process.kill()
        killed += process.wait() < 0
        found = files(target)
        assert found.keys() <= good.keys(), "left: " + ", ".join(found.keys() - good.keys())
        if old:
            assert found.keys() == good.keys()
        for path, data in found.items():
            assert same(path, data, good[path]), f"{path} is a part of a file"
        partly += 0 < len(found) < len(good)
        assert set(os.listdir(folder)) == before
    print(f"{name}: {killed} of {rounds} killed, {partly} with some of the files")
    assert killed > rounds // 4
