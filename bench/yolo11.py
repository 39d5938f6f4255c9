#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an ONNX model with the layers of YOLO11n and random weights, for measurements.

  bench/yolo11.py yolo11n.onnx [--size 640]

Batch normalisation is folded, as exporters do. Structure: C3k2 blocks, SPPF, C2PSA attention, a class branch of depthwise and
1x1 convolutions, and the DFL decoder, output [1, 84, 8400]. Check: 2,616,248 parameters at 80 classes, the 16 fixed ones
of the DFL among them, and 6.5 GFLOP at 640, which is what its authors publish for the fused YOLO11n (2.6 M, 6.5 G). Weights
have the scale of their fan-in, so that activations stay near 1 and times are those of a trained net.
"""
import argparse
import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 13
CLASSES = 80
BINS = 16  # of the distribution that the decoder averages, for each side of a box
PARAMETERS = 2616248


class Graph:
    """Nodes in order, with the shape of every value."""

    def __init__(self, seed=11):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.constants, self.shape = [], {}, {}
        self.parameters = self.multiply_adds = 0

    def node(self, op, inputs, shapes, **attributes):
        """A node with one output for each shape; returns their names, or the name."""
        outputs = [f"{op.lower()}_{len(self.nodes)}" + (f"_{i}" if len(shapes) > 1 else "") for i in range(len(shapes))]
        self.nodes.append(helper.make_node(op, inputs, outputs, outputs[0], **attributes))
        self.shape.update(zip(outputs, shapes))
        return outputs if len(outputs) > 1 else outputs[0]

    def constant(self, values, dtype=np.float32):
        array = np.asarray(values, dtype)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.constants:
            self.constants[key] = numpy_helper.from_array(array, f"constant_{len(self.constants)}")
        return self.constants[key].name

    def conv(self, x, channels, kernel=1, stride=1, groups=1, activate=True, gain=1.0):
        batch, inputs, height, width = self.shape[x]
        fan = inputs // groups * kernel * kernel
        # A SiLU halves the power of what it passes on; the bias keeps the variance at a fixed point.
        weight = self.rng.normal(0, gain / math.sqrt(0.5 * fan), (channels, inputs // groups, kernel, kernel))
        out = [batch, channels, (height - 1) // stride + 1, (width - 1) // stride + 1]
        self.parameters += channels * (fan + 1)
        self.multiply_adds += channels * fan * out[2] * out[3]
        y = self.node("Conv", [x, self.constant(weight), self.constant(self.rng.normal(0, 0.5, channels))], [out],
                      kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4, group=groups)
        return self.binary("Mul", y, self.node("Sigmoid", [y], [out])) if activate else y

    def binary(self, op, a, b, shape=None):
        return self.node(op, [a, b], [shape or self.shape[a]])

    def concat(self, values, axis=1):
        shape = list(self.shape[values[0]])
        shape[axis] = sum(self.shape[v][axis] for v in values)
        return self.node("Concat", values, [shape], axis=axis)

    def split(self, x, sizes, axis=1):
        shapes = [[s if k == axis else d for k, d in enumerate(self.shape[x])] for s in sizes]
        return self.node("Split", [x, self.constant(sizes, np.int64)], shapes, axis=axis)

    def reshape(self, x, shape):
        return self.node("Reshape", [x, self.constant(shape, np.int64)], [shape])

    def transpose(self, x, order):
        return self.node("Transpose", [x], [[self.shape[x][k] for k in order]], perm=order)

    def matmul(self, a, b):
        (*batch, rows, depth), columns = self.shape[a], self.shape[b][-1]
        self.multiply_adds += math.prod(batch) * rows * depth * columns
        return self.node("MatMul", [a, b], [[*batch, rows, columns]])

    def max_pool(self, x, kernel):
        return self.node("MaxPool", [x], [self.shape[x]], kernel_shape=[kernel] * 2, strides=[1, 1], pads=[kernel // 2] * 4)

    def upsample(self, x):
        batch, channels, height, width = self.shape[x]
        return self.node("Resize", [x, "", self.constant([1, 1, 2, 2])], [[batch, channels, 2 * height, 2 * width]],
                         mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")


# ---- Blocks ----

def bottleneck(g, x, channels, hidden):
    y = g.conv(g.conv(x, hidden, 3), channels, 3)
    return g.binary("Add", x, y)


def c3k(g, x, channels):
    hidden = channels // 2
    a, b = g.conv(x, hidden), g.conv(x, hidden)
    for _ in range(2):
        a = bottleneck(g, a, hidden, hidden)
    return g.conv(g.concat([a, b]), channels)


def c3k2(g, x, channels, deep, expansion=0.5):
    hidden = int(channels * expansion)
    parts = g.split(g.conv(x, 2 * hidden), [hidden, hidden])
    parts.append(c3k(g, parts[-1], hidden) if deep else bottleneck(g, parts[-1], hidden, hidden // 2))
    return g.conv(g.concat(parts), channels)


def sppf(g, x, channels):
    parts = [g.conv(x, channels // 2)]
    for _ in range(3):
        parts.append(g.max_pool(parts[-1], 5))
    return g.conv(g.concat(parts), channels)


def attention(g, x):
    batch, channels, height, width = g.shape[x]
    heads, pixels = channels // 64, height * width
    value_size = channels // heads
    key_size = value_size // 2
    qkv = g.reshape(g.conv(x, channels + 2 * key_size * heads, activate=False),
                    [batch, heads, 2 * key_size + value_size, pixels])
    query, key, value = g.split(qkv, [key_size, key_size, value_size], 2)
    scores = g.matmul(g.transpose(query, [0, 1, 3, 2]), key)
    scores = g.binary("Mul", scores, g.constant(key_size ** -0.5))
    weights = g.node("Softmax", [scores], [g.shape[scores]], axis=3)
    mixed = g.reshape(g.matmul(value, g.transpose(weights, [0, 1, 3, 2])), [batch, channels, height, width])
    position = g.conv(g.reshape(value, [batch, channels, height, width]), channels, 3, groups=channels, activate=False)
    return g.conv(g.binary("Add", mixed, position), channels, activate=False)


def c2psa(g, x):
    channels = g.shape[x][1]
    hidden = channels // 2
    a, b = g.split(g.conv(x, 2 * hidden), [hidden, hidden])
    b = g.binary("Add", b, attention(g, b))
    b = g.binary("Add", b, g.conv(g.conv(b, 2 * hidden), hidden, activate=False))
    return g.conv(g.concat([a, b]), channels)


# ---- The head ----

def raw_head(g, maps):
    """Per map: distributions of the four sides, and class scores, joined: [1, 4 * BINS + CLASSES, cells]."""
    first = g.shape[maps[0]][1]
    box_width, class_width = max(16, first // 4, 4 * BINS), max(first, min(CLASSES, 100))
    joined = []
    for x in maps:
        box = g.conv(g.conv(g.conv(x, box_width, 3), box_width, 3), 4 * BINS, activate=False)
        label = x
        for _ in range(2):
            label = g.conv(g.conv(label, g.shape[label][1], 3, groups=g.shape[label][1]), class_width)
        label = g.conv(label, CLASSES, activate=False, gain=0.5)
        y = g.concat([box, label])
        joined.append(g.reshape(y, [1, 4 * BINS + CLASSES, g.shape[y][2] * g.shape[y][3]]))
    return g.concat(joined, 2)


def decode(g, raw, grids):
    """Boxes as centre and size in pixels, and class scores; `grids` is the side of each map with its stride."""
    cells = g.shape[raw][2]
    sides, labels = g.split(raw, [4 * BINS, CLASSES])
    sides = g.transpose(g.reshape(sides, [1, 4, BINS, cells]), [0, 2, 1, 3])
    sides = g.node("Softmax", [sides], [g.shape[sides]], axis=1)
    g.parameters += BINS
    sides = g.node("Conv", [sides, g.constant(np.arange(BINS).reshape(1, BINS, 1, 1))], [[1, 1, 4, cells]], kernel_shape=[1, 1])
    near, far = g.split(g.reshape(sides, [1, 4, cells]), [2, 2])
    centres = np.concatenate([np.stack(np.meshgrid(*[np.arange(n) + 0.5] * 2)).reshape(2, -1) for n, _ in grids], 1)
    strides = np.concatenate([np.full(n * n, stride) for n, stride in grids])
    anchor = g.constant(centres[None])
    begin = g.binary("Sub", anchor, near, [1, 2, cells])
    end = g.binary("Add", anchor, far, [1, 2, cells])
    centre = g.binary("Div", g.binary("Add", begin, end), g.constant(2.0))
    box = g.binary("Mul", g.concat([centre, g.binary("Sub", end, begin)]), g.constant(strides[None, None]))
    return g.concat([box, g.node("Sigmoid", [labels], [g.shape[labels]])])


def yolo11n(size):
    """The graph and the name of its output. Depth 0.5, width 0.25."""
    g = Graph()
    g.shape["images"] = [1, 3, size, size]
    x = g.conv(g.conv("images", 16, 3, 2), 32, 3, 2)
    x = g.conv(c3k2(g, x, 64, False, 0.25), 64, 3, 2)
    p3 = c3k2(g, x, 128, False, 0.25)
    p4 = c3k2(g, g.conv(p3, 128, 3, 2), 128, True)
    x = c3k2(g, g.conv(p4, 256, 3, 2), 256, True)
    p5 = c2psa(g, sppf(g, x, 256))
    n4 = c3k2(g, g.concat([g.upsample(p5), p4]), 128, False)
    n3 = c3k2(g, g.concat([g.upsample(n4), p3]), 64, False)
    m4 = c3k2(g, g.concat([g.conv(n3, 64, 3, 2), n4]), 128, False)
    m5 = c3k2(g, g.concat([g.conv(m4, 128, 3, 2), p5]), 256, True)
    maps = [n3, m4, m5]
    grids = [(g.shape[m][2], size // g.shape[m][2]) for m in maps]
    return g, decode(g, raw_head(g, maps), grids)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--size", type=int, default=640, help="side of the input, a multiple of 32; default 640")
    arguments = parser.parse_args()
    g, output = yolo11n(arguments.size)
    graph = helper.make_graph(g.nodes, "yolo11n", *[[helper.make_tensor_value_info(name, TensorProto.FLOAT, g.shape[name])]
                                                   for name in ("images", output)], list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="yolo11.py")
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, arguments.output)
    assert g.parameters == PARAMETERS, g.parameters
    print(f"{arguments.output}: {len(g.nodes)} nodes, {g.parameters} parameters, {2 * g.multiply_adds / 1e9:.2f} GFLOP")


if __name__ == "__main__":
    main()
