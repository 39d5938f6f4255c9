# SPDX-License-Identifier: Apache-2.0
"""An ONNX file as a PyTorch module: torch.fx code over the operators of the models that are compared.

The module is what an export started from: one PyTorch call for each operator, and SiLU as one. It serves three systems:
PyTorch eager, torch.compile, and (as float64) the reference for the error of all of them.
"""
import operator

import numpy as np
import onnx
import onnx.numpy_helper
import torch
import torch.nn.functional as F


class Unsupported(Exception):
    """A node that this importer does not know."""


def attributes(node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def symmetric(pads, what):
    half = len(pads) // 2
    if list(pads[:half]) != list(pads[half:]):
        raise Unsupported(f"{what}: different padding on both sides")
    return list(pads[:half])


class Importer:
    """Walks the nodes once; self.value holds fx nodes, self.constant numpy arrays."""

    def __init__(self, path):
        model = onnx.shape_inference.infer_shapes(onnx.load(path))
        self.opset = next(o.version for o in model.opset_import if not o.domain)
        self.root, self.fx, self.value = torch.nn.Module(), torch.fx.Graph(), {}
        self.constant = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
        self.shape = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim]
                      for v in [*model.graph.input, *model.graph.value_info, *model.graph.output]}
        self.gates = self.find_silu(model.graph)
        for i, value in enumerate(v for v in model.graph.input if v.name not in self.constant):
            self.value[value.name] = self.fx.placeholder(f"input_{i}")
        for node in model.graph.node:
            self.add(node)
        self.fx.output(tuple(self.tensor(o.name) for o in model.graph.output))
        self.module = torch.fx.GraphModule(self.root, self.fx).eval()

    @staticmethod
    def find_silu(graph):
        """Outputs of Sigmoid nodes that only gate their own input: x * sigmoid(x)."""
        uses = {}
        for node in graph.node:
            for name in node.input:
                uses.setdefault(name, []).append(node)
        return {n.output[0] for n in graph.node if n.op_type == "Sigmoid"
                if [(u.op_type, sorted(u.input)) for u in uses.get(n.output[0], [])] ==
                [("Mul", sorted([n.input[0], n.output[0]]))]}

    def tensor(self, name):
        """The value as an fx node; a constant becomes a parameter, so that it follows the module's element type."""
        if name not in self.value:
            array = self.constant[name]
            attribute = f"constant_{len(self.value)}"
            tensor = torch.from_numpy(array.copy())
            self.root.register_parameter(attribute, torch.nn.Parameter(tensor, requires_grad=False))
            self.value[name] = self.fx.get_attr(attribute)
        return self.value[name]

    def operand(self, name):
        """As tensor(), but a constant of one element becomes a number."""
        array = self.constant.get(name)
        return array.item() if array is not None and array.size == 1 else self.tensor(name)

    def ints(self, name):
        if name not in self.constant:
            raise Unsupported(f"'{name}' is not a constant")
        return [int(v) for v in self.constant[name].ravel()]

    def add(self, node):
        at = attributes(node)
        if node.op_type == "Constant":
            self.constant[node.output[0]] = onnx.numpy_helper.to_array(at["value"])
            return
        if node.output[0] in self.gates:
            return
        if node.op_type == "Mul" and self.gates.intersection(node.input):
            x = next(i for i in node.input if i not in self.gates)
            self.value[node.output[0]] = self.call(F.silu, self.tensor(x))
            return
        rule = getattr(self, "on_" + node.op_type.lower(), None)
        if not rule:
            raise Unsupported(f"operator {node.op_type}")
        made = rule(node, at)
        if len(node.output) == 1:
            self.value[node.output[0]] = made
        else:
            for i, name in enumerate(node.output):
                self.value[name] = self.call(operator.getitem, made, i)

    def call(self, function, *args, **kwargs):
        return self.fx.call_function(function, args, kwargs)

    # ---- Convolutions and matrices ----

    def on_conv(self, node, at):
        rank = len(self.constant[node.input[1]].shape) - 2
        if rank != 2 or at.get("auto_pad", b"NOTSET") != b"NOTSET":
            raise Unsupported("Conv other than 2-D with explicit padding")
        bias = self.tensor(node.input[2]) if len(node.input) > 2 else None
        return self.call(F.conv2d, self.tensor(node.input[0]), self.tensor(node.input[1]), bias, at.get("strides", [1, 1]),
                         symmetric(at.get("pads", [0] * 4), "Conv"), at.get("dilations", [1, 1]), at.get("group", 1))

    def on_gemm(self, node, at):
        if at.get("transA") or not at.get("transB") or at.get("alpha", 1) != 1 or at.get("beta", 1) != 1:
            raise Unsupported("Gemm other than a linear layer")
        return self.call(F.linear, *map(self.tensor, node.input))

    def on_matmul(self, node, at):
        return self.call(torch.matmul, *map(self.tensor, node.input))

    # ---- Element by element ----

    def binary(function):
        return lambda self, node, at: self.call(function, *map(self.operand, node.input))

    on_add, on_sub, on_mul = binary(torch.add), binary(torch.sub), binary(torch.mul)
    on_div, on_pow = binary(torch.div), binary(torch.pow)

    def unary(function):
        return lambda self, node, at: self.call(function, self.tensor(node.input[0]))

    on_relu, on_sigmoid, on_exp, on_tanh = unary(F.relu), unary(torch.sigmoid), unary(torch.exp), unary(torch.tanh)

    def on_leakyrelu(self, node, at):
        return self.call(F.leaky_relu, self.tensor(node.input[0]), at.get("alpha", 0.01))

    def on_clip(self, node, at):
        low, high = ([at.get("min"), at.get("max")] if self.opset < 11 else
                     [self.constant[i].item() if i else None for i in [*node.input, "", ""][1:3]])
        return self.call(torch.clamp, self.tensor(node.input[0]), low, high)

    def on_softmax(self, node, at):
        x, axis = node.input[0], at.get("axis", -1 if self.opset >= 13 else 1)
        if self.opset < 13 and np.prod(self.shape[x][axis:][1:], initial=1) != 1:
            raise Unsupported("Softmax over several dimensions")
        return self.call(F.softmax, self.tensor(x), axis)

    # ---- Windows ----

    def on_maxpool(self, node, at):
        return self.call(F.max_pool2d, self.tensor(node.input[0]), at["kernel_shape"], at.get("strides", [1, 1]),
                         symmetric(at.get("pads", [0] * 4), "MaxPool"), 1, bool(at.get("ceil_mode")))

    def on_averagepool(self, node, at):
        return self.call(F.avg_pool2d, self.tensor(node.input[0]), at["kernel_shape"], at.get("strides", [1, 1]),
                         symmetric(at.get("pads", [0] * 4), "AveragePool"), bool(at.get("ceil_mode")),
                         bool(at.get("count_include_pad")))

    def on_globalaveragepool(self, node, at):
        return self.call(F.adaptive_avg_pool2d, self.tensor(node.input[0]), 1)

    def on_resize(self, node, at):
        mode, place = at.get("mode", b"nearest"), at.get("coordinate_transformation_mode", b"half_pixel")
        x, size = node.input[0], self.shape[node.output[0]][2:]
        ratio = [o / i for o, i in zip(size, self.shape[x][2:])]
        if mode == b"nearest" and place == b"asymmetric" and at.get("nearest_mode") == b"floor":
            return self.call(F.interpolate, self.tensor(x), None, ratio, "nearest")
        if mode == b"linear" and place in (b"half_pixel", b"pytorch_half_pixel", b"align_corners"):
            return self.call(F.interpolate, self.tensor(x), None if place != b"align_corners" else size,
                             ratio if place != b"align_corners" else None, "bilinear", place == b"align_corners")
        raise Unsupported(f"Resize {mode.decode()}, {place.decode()}")

    def on_pad(self, node, at):
        pads = self.ints(node.input[1]) if self.opset >= 11 else list(at["pads"])
        if at.get("mode", b"constant") != b"constant":
            raise Unsupported("Pad other than constant")
        half = len(pads) // 2
        pairs = [v for k in reversed(range(half)) for v in (pads[k], pads[half + k])]
        fill = self.constant[node.input[2]].item() if len(node.input) > 2 and node.input[2] else 0.0
        x = self.tensor(node.input[0])
        return self.call(F.pad, x, pairs, "constant", fill) if any(pads) else x

    # ---- Moving ----

    def on_concat(self, node, at):
        return self.call(torch.cat, [self.tensor(i) for i in node.input], at["axis"])

    def on_split(self, node, at):
        sizes = list(at["split"]) if "split" in at else self.ints(node.input[1])
        return self.call(torch.split, self.tensor(node.input[0]), sizes, at.get("axis", 0))

    def on_reshape(self, node, at):
        shape = [self.shape[node.input[0]][k] if d == 0 else d for k, d in enumerate(self.ints(node.input[1]))]
        return self.call(torch.reshape, self.tensor(node.input[0]), shape)

    def on_transpose(self, node, at):
        return self.call(torch.permute, self.tensor(node.input[0]), list(at["perm"]))

    def on_flatten(self, node, at):
        if at.get("axis", 1) != 1:
            raise Unsupported("Flatten with an axis other than 1")
        return self.call(torch.flatten, self.tensor(node.input[0]), 1)

    def on_gather(self, node, at):
        if self.constant[node.input[1]].ndim:
            raise Unsupported("Gather of several rows")
        return self.call(torch.select, self.tensor(node.input[0]), at.get("axis", 0), self.ints(node.input[1])[0])

    def on_slice(self, node, at):
        x = node.input[0]
        if self.opset < 10:
            starts, ends, axes, steps = at["starts"], at["ends"], at.get("axes"), None
        else:
            starts, ends, axes, steps = ([self.ints(i) if i else None for i in node.input[1:]] + [None] * 3)[:4]
        index = [slice(None)] * len(self.shape[x])
        for k, (start, end) in enumerate(zip(starts, ends)):
            index[axes[k] if axes else k] = slice(start, end, steps[k] if steps else 1)
        return self.call(operator.getitem, self.tensor(x), tuple(index))


def load(path):
    """The module; call it under torch.inference_mode(). Unsupported: a node that it cannot express."""
    return Importer(path).module
