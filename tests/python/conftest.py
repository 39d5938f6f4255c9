# SPDX-License-Identifier: Apache-2.0
"""Where the packages are: JUMAR_WHEEL says that they are installed, else they lie in the build folder."""
import os
import sys

import pytest

import network

BUILD = os.environ["JUMAR_BUILD"]
if not os.environ.get("JUMAR_WHEEL"):
    sys.path.insert(0, os.path.join(BUILD, "python"))



def pytest_collection_modifyitems(items):
    if os.environ.get("JUMAR_WHEEL") or os.path.exists(os.path.join(BUILD, "python", "acl", "_acl.abi3.so")):
        return
    for item in items:
        if not hasattr(item.module, "build_wheel"):  # those have packages of their own
            item.add_marker(pytest.mark.skip(reason="the Python packages were not built: Python.h is missing (python3-dev)"))


def program(name):
    """The path of jumar or atc."""
    return os.path.join(sys.prefix if os.environ.get("JUMAR_WHEEL") else BUILD, "bin", name)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A small network whose picture is 3x32x32, compiled for one size, for batches, for picture sizes and for ranges."""
    path = tmp_path_factory.mktemp("models")
    network.compile(program("atc"), path, network.SIZES)
    return path


@pytest.fixture(scope="session")
def expected(models):
    """What onnxruntime computes."""
    import onnxruntime
    session = onnxruntime.InferenceSession(str(models / "net.onnx"), providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})[0]
