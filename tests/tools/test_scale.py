# SPDX-License-Identifier: Apache-2.0
"""Very large models: processor time and memory grow with the number of nodes, and weights are not held twice."""
import os
import shutil
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

JUMAR = os.environ["JUMAR_BIN"]
SMALL, LARGE = 25000, 100000  # nodes
BASE = 40 << 20  # bytes that do not depend on the model


class Maker:
    def __init__(self):
        self.nodes, self.weights, self.last = [], [], "x"

    def constant(self, values, name):
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def add(self, op, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        self.last = name
        return name


def network(m, count):
    """Blocks with everything that networks have: residuals, concatenations, slices, products, reductions."""
    rng = np.random.default_rng(1)
    weights = [m.constant(rng.standard_normal((8, 8, 1, 1)).astype(np.float32) * 0.1, f"w{i}") for i in range(16)]
    scale = m.constant(np.ones((1, 8, 1, 1), np.float32), "scale")
    begin, end, axis = (m.constant(np.array([v], np.int64), n) for v, n in ((0, "begin"), (8, "end"), (1, "axis")))
    rows, picture = m.constant(np.array([1, 8, 64]), "rows"), m.constant(np.array([1, 8, 8, 8]), "picture")
    while len(m.nodes) < count:
        x = m.last
        y = m.add("Add", m.add("Mul", m.add("Relu", m.add("Conv", x, weights[len(m.nodes) % 16])), scale), x)
        y = m.add("Sigmoid", m.add("Slice", m.add("Concat", y, x, axis=1), begin, end, axis))
        flat = m.add("Reshape", y, rows)
        mean = m.add("ReduceMean", m.add("MatMul", flat, m.add("Transpose", flat, perm=[0, 2, 1])), axes=[1, 2], keepdims=1)
        m.add("Add", m.add("Reshape", flat, picture), m.add("Unsqueeze", mean, axis))


def views(m, count):
    shapes = m.constant(np.array([1, 8, 64]), "rows"), m.constant(np.array([1, 8, 8, 8]), "picture")
    m.add("Relu", m.last)
    for i in range(count // 2 * 2):
        m.add("Reshape", m.last, shapes[i % 2])
    m.add("Relu", m.last)


def concatenations(m, count):
    axis = m.constant(np.array([1]), "axis")
    begin, end = m.constant(np.array([8]), "begin"), m.constant(np.array([16]), "end")
    while len(m.nodes) < count:
        x = m.last
        for _ in range(20):
            m.add("Concat", m.last, x, axis=1)
        m.add("Relu", m.add("Slice", m.last, begin, end, axis))


def tree(m, count):
    """One value with half of the nodes as readers, and a tree of sums."""
    level = [m.add("Sigmoid" if i % 2 else "Relu", "x") for i in range(count // 2)]
    while len(level) > 1:
        level = [m.add("Add", *level[i : i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]


def constants(m, count):
    value = one = m.constant(np.ones(8, np.float32), "one")
    for _ in range(count):
        value = m.add("Add", value, one)
    m.add("Add", "x", value)


def outputs(m, count):
    for i in range(count):
        m.add("Sigmoid" if i % 2 else "Relu", "x")


SHAPES = {network: [1, 8, 8, 8], views: [1, 8, 8, 8], concatenations: [1, 8, 2, 2], tree: [1, 8], constants: [1, 8], outputs: [1, 8]}


def write(kind, count, path):
    m = Maker()
    kind(m, count)
    names = [node.output[0] for node in m.nodes] if kind is outputs else [m.last]
    graph = helper.make_graph(m.nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPES[kind])],
                              [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in names], m.weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return len(m.nodes)


def measure(*arguments):
    """Seconds of processor time and bytes of resident memory of one command."""
    process = subprocess.Popen([JUMAR, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, message
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.__name__)
def test_growth(kind, tmp_path):
    seconds, memory = [], []
    for count in SMALL, LARGE:
        nodes = write(kind, count, tmp_path / "g.onnx")
        compile = [measure("compile", tmp_path / "g.onnx", "-o", tmp_path / "g.om") for _ in range(2)]
        load = [measure("info", tmp_path / "g.om") for _ in range(2)]
        seconds.append((min(t for t, _ in compile), min(t for t, _ in load)))
        memory.append((max(b for _, b in compile), max(b for _, b in load)))
        print(f"{kind.__name__}: {nodes} nodes: compile %.2f s, load %.2f s;" % seconds[-1],
              "%.0f MB, %.0f MB" % tuple(b / 1e6 for b in memory[-1]))
    for i in range(2):
        # Four times the nodes: sixteen times the work when something is quadratic. Less than 0.1 s says nothing.
        assert seconds[1][i] < 9 * max(seconds[0][i], 0.1)
        assert memory[1][i] < 5 * memory[0][i] + BASE


def external(path, kind, count, side):
    """Constants of side x side that lie in one sparse file: all zero."""
    size = side * side * 4
    with open(path.with_suffix(".bin"), "wb") as file:
        file.truncate(count * size)
    nodes, weights, last = [], [], "x"
    for i in range(count):
        tensor = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[side, side], data_location=TensorProto.EXTERNAL)
        for key, value in ("location", path.stem + ".bin"), ("offset", i * size), ("length", size):
            tensor.external_data.add(key=key, value=str(value))
        weights.append(tensor)
        inputs = [last, f"w{i}"] if kind == "MatMul" else [f"w{i}", "x"]
        nodes.append(helper.make_node(kind, inputs, [f"y{i}"]))
        last = f"y{i}"
    if kind == "Gather":
        nodes.append(helper.make_node("Sum", [f"y{i}" for i in range(count)], ["sum"]))
        last = "sum"
    x = helper.make_tensor_value_info("x", *((TensorProto.FLOAT, [1, side]) if kind == "MatMul" else (TensorProto.INT64, [3])))
    graph = helper.make_graph(nodes, "g", [x], [helper.make_tensor_value_info(last, TensorProto.FLOAT, None)], weights)
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8).SerializeToString())
    return count * size


@pytest.mark.parametrize("kind, copies", [("MatMul", 1), ("Gather", 0)])
def test_two_gigabytes_of_weights(kind, copies, tmp_path):
    """What is stored in another order is held once; what is stored as it comes is not held at all."""
    if shutil.disk_usage(tmp_path).free < 6 << 30:
        pytest.skip("not 6 GB of disk free")
    total = external(tmp_path / "big.onnx", kind, 32, 4096)
    seconds, memory = measure("compile", tmp_path / "big.onnx", "-o", tmp_path / "big.om")
    print(f"{kind}: {total / 1e9:.2f} GB of weights: {seconds:.1f} s, {memory / 1e6:.0f} MB")
    assert (tmp_path / "big.om").stat().st_size >= total
    assert memory < (copies + 0.25) * total
