# SPDX-License-Identifier: Apache-2.0
"""The wheel, built once for all tests that install it, and programs run where nothing leads back to the tree."""
import fcntl
import glob
import os
import shutil
import subprocess
import sys

import pytest

SOURCE = os.environ["JUMAR_SOURCE"]


def run(*command, timeout=1500, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}"
    return done.stdout


def clean():
    """No variable that would lead back to the tree or the build."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LD_", "JUMAR_", "VIRTUAL_ENV"))}
    return dict(kept, JUMAR_WHEEL="1", JUMAR_SOURCE=SOURCE, JUMAR_BUILD="/nowhere", PIP_DISABLE_PIP_VERSION_CHECK="1", PYTHONDONTWRITEBYTECODE="1")


def build_wheel(folder):
    """The path of the wheel in a new folder. What was compiled stays in the build folder, for the next time."""
    if not shutil.which("cmake") or subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
        pytest.skip("cmake or pip is missing")
    kept = os.path.join(os.environ["JUMAR_BUILD"], "wheel")
    os.makedirs(kept, exist_ok=True)
    with open(os.path.join(kept, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(os.path.join(SOURCE, "scripts", "wheel.sh"), sys.executable, folder, os.path.join(kept, "cmake"), env=clean())
    found = glob.glob(os.path.join(folder, "*.whl"))
    assert len(found) == 1, found
    return found[0]
