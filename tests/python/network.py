# SPDX-License-Identifier: Apache-2.0
"""A small network whose batch and picture size are open, for the tests of programs around models."""
import subprocess

# Names of compiled files: their input shape, and what else atc is told.
SIZES = {
    "fixed": ("1,3,32,32", ()),
    "batch": ("-1,3,32,32", ("--dynamic_batch_size=1,2,4",)),
    "size": ("1,3,-1,-1", ("--dynamic_image_size=32,32;32,64;64,64",)),
    "dims": ("-1,3,-1,32", ("--dynamic_dims=1,32;2,64", "--input_format=ND")),
    "range": ("1~4,3,32,32", ()),
}


def write(folder):
    """net.onnx: pictures x [n,3,h,w] to 10 classes y."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

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
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), str(folder / "net.onnx"))


def compile(atc, folder, names):
    """NAME.om for each name of SIZES."""
    write(folder)
    for name in names:
        shape, sizes = SIZES[name]
        done = subprocess.run([atc, "--framework=5", "--model=net.onnx", f"--output={name}", f"--input_shape=x:{shape}",
                               "--soc_version=Ascend310P3", *sizes], cwd=folder, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr
