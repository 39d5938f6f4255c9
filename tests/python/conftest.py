# SPDX-License-Identifier: Apache-2.0
"""Where the packages are: JUMAR_WHEEL says that they are installed, else they lie in the build folder."""
import os
import subprocess
import sys

import pytest

BUILD = os.environ["JUMAR_BUILD"]
if not os.environ.get("JUMAR_WHEEL"):
    sys.path.insert(0, os.path.join(BUILD, "python"))



def pytest_collection_modifyitems(items):
    if os.environ.get("JUMAR_WHEEL") or os.path.exists(os.path.join(BUILD, "python", "acl", "_acl.abi3.so")):
        return
    for item in items:
        item.add_marker(pytest.mark.skip(reason="the Python packages were not built: Python.h is missing (python3-dev)"))


def program(name):
    """The path of jumar or atc."""
    return os.path.join(sys.prefix if os.environ.get("JUMAR_WHEEL") else BUILD, "bin", name)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A small network whose picture is 3x32x32, compiled for one size, for batches, for picture sizes and for ranges."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    path = tmp_path_factory.mktemp("models")
    random = np.random.default_rng(5)

    def weights(name, *shape):
        return numpy_helper.from_array((random.standard_normal(shape) / np.prod(shape[1:]) ** 0.5).astype(np.float32), name)

    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1], strides=[2, 2]),
             helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Conv", ["b", "w2"], ["c"], pads=[1, 1, 1, 1]),
             helper.make_node("GlobalAveragePool", ["c"], ["d"]),
             helper.make_node("Flatten", ["d"], ["y"])]
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [weights("w1", 12, 3, 3, 3), weights("w2", 10, 12, 3, 3)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), str(path / "net.onnx"))
    for name, shape, sizes in (("fixed", "1,3,32,32", ()), ("batch", "-1,3,32,32", ("--dynamic_batch_size=1,2,4",)),
                               ("size", "1,3,-1,-1", ("--dynamic_image_size=32,32;32,64;64,64",)),
                               ("dims", "-1,3,-1,32", ("--dynamic_dims=1,32;2,64", "--input_format=ND")),
                               ("range", "1~4,3,32,32", ())):
        done = subprocess.run([program("atc"), "--framework=5", "--model=net.onnx", f"--output={name}",
                               f"--input_shape=x:{shape}", "--soc_version=Ascend310P3", *sizes], cwd=path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return path


@pytest.fixture(scope="session")
def expected(models):
    """What onnxruntime computes."""
    import onnxruntime
    session = onnxruntime.InferenceSession(str(models / "net.onnx"), providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})[0]
