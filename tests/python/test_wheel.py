# SPDX-License-Identifier: Apache-2.0
"""The wheel, in an empty environment: the tests of the packages run from outside the tree, with NumPy 2 and NumPy 1."""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from installed import build_wheel, clean, run

SOURCE = os.environ["JUMAR_SOURCE"]
HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "-q", wheel, "-r", os.path.join(SOURCE, "tests", "requirements.txt"), env=clean())
    return folder


def test_what_is_inside(wheel):
    system = r"manylinux_2_\d+" if importlib.util.find_spec("auditwheel") else "linux"
    assert re.fullmatch(rf"jumar-[\d.]+-cp39-abi3-{system}_\w+\.whl", os.path.basename(wheel)), wheel
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("acl/_acl.abi3.so", "acl/__init__.pyi", "acl/py.typed", "ais_bench/__main__.py", "ais_bench/infer/interface.py",
                 "jumar/_jumar.abi3.so", "jumar/libjumar.so.0", "jumar/bin/atc", "jumar/bin/jumar", "jumar/__init__.pyi"):
        assert name in names, names
    assert not [n for n in names if n.endswith((".c", ".h", ".a")) or n.startswith(("include", "lib"))]
    assert [n for n in names if n.startswith("jumar/libspng.so")] and [n for n in names if n.startswith("jumar/libcjson.so")]


def test_installed_packages(environment, tmp_path):
    for name in ("conftest.py", "network.py", "test_acl.py", "test_ais_bench.py", "test_jumar.py", "test_stubs.py"):
        shutil.copy(os.path.join(HERE, name), tmp_path)
    out = run(environment / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path, cwd=tmp_path, env=clean())
    assert re.search(r"[3-9]\d passed", out) and "failed" not in out, out
    for name in ("jumar", "atc"):
        assert "--" in run(environment / "bin" / name, "--help", cwd=tmp_path, env=clean())
    linked = run("ldd", glob.glob(str(environment / "lib/python*/site-packages/jumar/libjumar.so.0"))[0])
    assert re.search(r"libspng\S+ => \S+site-packages/jumar/", linked), linked


def test_numpy_1(environment, tmp_path):
    python = environment / "bin" / "python"
    got = subprocess.run([environment / "bin" / "pip", "install", "-q", "--only-binary", ":all:", "--target", tmp_path / "old", "numpy<2"],
                         env=clean(), capture_output=True, text=True)
    if got.returncode:
        pytest.skip("no NumPy 1 for this Python")
    shutil.copy(os.path.join(SOURCE, "demo", "scenes.onnx"), tmp_path)
    shutil.copy(os.path.join(SOURCE, "demo", "pictures", "street.jpg"), tmp_path)
    old = dict(clean(), PYTHONPATH=str(tmp_path / "old"))
    assert run(python, "-c", "import numpy; print(numpy.__version__)", env=old, cwd=tmp_path).startswith("1.")
    with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
        for text in re.findall(r"```python\n(.*?)```", file.read(), re.S):
            assert run(python, "-c", text, env=old, cwd=tmp_path)
