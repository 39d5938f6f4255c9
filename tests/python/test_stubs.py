# SPDX-License-Identifier: Apache-2.0
"""The stubs: mypy's stubtest compares names, parameters and defaults with the packages, and mypy reads the documentation's
examples by them."""
import importlib.util
import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed: pip install -r tests/requirements.txt")


def mypy(module, folder, *arguments):
    packages = os.path.join(os.environ["JUMAR_BUILD"], "python")
    # Installed packages are found by themselves; mypy refuses to be told of their folder.
    told = {} if os.environ.get("JUMAR_WHEEL") else {"PYTHONPATH": packages, "MYPYPATH": packages}
    done = subprocess.run([sys.executable, "-m", module, *arguments], cwd=folder, env=dict(os.environ, **told), capture_output=True, text=True,
                          timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_stubs_agree_with_the_packages(tmp_path):
    assert "no issues found" in mypy("mypy.stubtest", tmp_path, "jumar", "acl", "ais_bench.infer.interface")


def test_examples_follow_the_types(tmp_path):
    with open(os.path.join(os.environ["JUMAR_SOURCE"], "docs", "python.md"), encoding="utf-8") as file:
        programs = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    names = [f"example{i}.py" for i in range(len(programs))]
    for name, text in zip(names, programs):
        (tmp_path / name).write_text(text)
    (tmp_path / "wrong.py").write_text('import jumar\njumar.YOLO("x.om")("x.jpg").box\n')
    for name in names:
        mypy("mypy", tmp_path, "--check-untyped-defs", name)
    with pytest.raises(AssertionError, match="has no attribute"):
        mypy("mypy", tmp_path, "wrong.py")
