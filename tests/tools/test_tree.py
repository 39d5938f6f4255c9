# SPDX-License-Identifier: Apache-2.0
"""The shape of the source tree: layers, sizes, licence lines, READMEs."""
import os
import re
import shutil
import subprocess

import pytest

SOURCE = os.environ["JUMAR_SOURCE"]
LAYERS = ["base", "tensor", "kernels", "device", "runtime", "ops", "compiler", "model", "vision", "acl", "aclnn"]
# The AscendCL door and vision both stand on model; neither may reach the other. Two-phase operators know no models.
FORBIDDEN = {("acl", "vision"), ("aclnn", "vision"), ("aclnn", "model"), ("aclnn", "compiler"), ("aclnn", "kernels"), ("kernels", "device"), ("ops", "runtime"), ("ops", "device"), ("compiler", "runtime")}


def files(*endings):
    """Tracked or new files of the tree, without what git ignores."""
    done = subprocess.run(["git", "-C", SOURCE, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True,
                          text=True, check=True)
    return [f for f in done.stdout.splitlines() if f.endswith(endings) and os.path.exists(os.path.join(SOURCE, f))]


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def test_includes_point_downwards():
    for path in files(".c", ".h"):
        parts = path.split("/")
        if parts[0] != "src":
            continue
        for target in re.findall(r'#include "([a-z_0-9]+)/', read(path)):
            if target in LAYERS:
                assert LAYERS.index(target) <= LAYERS.index(parts[1]), f"{path} includes {target}/"
                assert (parts[1], target) not in FORBIDDEN, f"{path} includes {target}/"


def test_python_stands_on_public_headers():
    """Modules in C for Python see what every program sees."""
    for path in files(".c", ".h"):
        if path.startswith("python/"):
            for target in re.findall(r'#include "([a-z_0-9]+)/', read(path)):
                assert target in ("acl", "aclnn", "jumar"), f"{path} includes {target}/"


def test_files_fit_in_a_head():
    for path in files(".c", ".h", ".py"):
        assert len(read(path).splitlines()) <= 1100, path


def test_every_source_names_its_licence():
    for path in files(".c", ".h", ".py", ".sh", ".cmake", "CMakeLists.txt"):
        assert "SPDX-License-Identifier: Apache-2.0" in read(path)[:300], path


def test_every_folder_has_a_readme():
    folders = {os.path.dirname(f) for f in files(".c", ".h", ".py", ".sh", ".md")}
    for folder in folders:
        if re.match(r"tests/.|tools/.|demo/train|include/acl/.|src/compiler/onnx$", folder):
            continue  # told in the README above
        assert os.path.exists(os.path.join(SOURCE, folder, "README.md")), f"{folder} has no README.md"


def test_sources_are_formatted():
    """Versions of clang-format disagree; the tree is formatted by version 14."""
    found = [c for c in ("clang-format-14", "clang-format") if shutil.which(c)]
    if not found or " version 14" not in subprocess.run([found[0], "--version"], capture_output=True, text=True).stdout:
        pytest.skip("clang-format 14 is not installed")
    sources = [os.path.join(SOURCE, f) for f in files(".c", ".h")]
    done = subprocess.run([found[0], "--dry-run", "-Werror", *sources], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
