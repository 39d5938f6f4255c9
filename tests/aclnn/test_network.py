# SPDX-License-Identifier: Apache-2.0
"""Small networks are trained by two-phase operators alone, forward, backward, loss scaling and optimiser, beside the same in
PyTorch from the same weights on the same data. The losses of every step agree within 2e-5 of their size, and fall."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import door  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from test_torch import ROWS, scalar_of  # noqa: E402

CLOSE = 2e-5


class Value:
    """A contiguous tensor, float32 unless told otherwise; `.t` is its transposed view."""

    def __init__(self, values, dtype="f32"):
        self.tensor = door.Tensor(np.asarray(values), dtype)
        self.handle = self.tensor.handle
        if len(self.tensor.shape) == 2:
            rows, columns = self.tensor.shape
            self.t = View(self, self.tensor.describe((columns, rows), [1, columns], 0))

    def numpy(self):
        return self.tensor.values()

    def view(self, *shape):
        strides = [int(np.prod(shape[k + 1:])) for k in range(len(shape))]
        return View(self, self.tensor.describe(shape, strides, 0))


class View:
    def __init__(self, owner, handle):
        self.owner, self.handle = owner, handle


def empty(*shape, dtype="f32"):
    return Value(np.zeros(shape), dtype)


def call(name, *arguments):
    """Values and views, lists of them, and numbers as the operator's parameters want them."""
    made = []
    for param, value in zip(ROWS[name].params, arguments, strict=True):
        if value is None:
            made.append(None)
        elif isinstance(value, (Value, View)):
            made.append(door.POINTER(value.handle))
        elif param.kind == "TENSORS":
            made.append(door.list_of("Tensor", [v.tensor.describe(v.tensor.shape, v.tensor.strides, 0) for v in value]))
        elif param.kind == "SCALAR":
            made.append(scalar_of(value))
        else:
            made.append(door.plain(param, value))
    code = door.run(name, made)
    assert code == 0, f"{name}: {code} {door.message()}"
    return arguments[-1]


def linear(x, w, b, rows):
    return call_out("aclnnAddmm", (rows, b.tensor.shape[0]), b, x, w.t, 1, 1, after=(0,))


def call_out(name, shape, *arguments, after=()):
    out = empty(*shape)
    call(name, *arguments, out, *after)
    return out


def linear_backward(dy, x, w):
    """Gradients of the input, the weight and the bias."""
    dx = call_out("aclnnMm", x.tensor.shape, dy, w, after=(0,))
    dw = call_out("aclnnMm", w.tensor.shape, dy.t, x, after=(0,))
    return dx, dw, call_out("aclnnReduceSum", (w.tensor.shape[0],), dy, [0], False, "f32")


def unary(name, x, *rest):
    return call_out(name, x.tensor.shape, x, *rest)


def backward(name, dy, x, *rest):
    return call_out(name, x.tensor.shape, dy, x, *rest)


def check_curve(ours, theirs):
    ours, theirs = np.array(ours), np.array(theirs)
    assert np.all(np.abs(ours - theirs) <= CLOSE * np.abs(theirs)), np.abs(ours / theirs - 1).max()
    assert theirs[-1] < 0.7 * theirs[0]


def weights(*shapes):
    generator = torch.Generator().manual_seed(11)
    return [torch.randn(*s, generator=generator) * (0.5 if len(s) == 1 else (2 / s[1:].numel())**0.5) for s in map(torch.Size, shapes)]


# ---- A classifier: linear, GELU, dropout, linear, SiLU, linear, negative log likelihood; AdamW ----

def mask_bits(step, rows, columns):
    mask = empty(rows * columns // 8, dtype="u8")
    call("aclnnDropoutGenMaskV2", [rows, columns], 0.25, 7, step, "f32", mask)
    return mask, torch.from_numpy(np.unpackbits(mask.numpy().astype(np.uint8), bitorder="little").reshape(rows, columns)).float()


def test_classifier():
    rows, steps = 64, 40
    generator = torch.Generator().manual_seed(5)
    x, target = torch.randn(rows, 20, generator=generator), torch.randint(0, 5, (rows,), generator=generator)
    start = weights((32, 20), (32,), (24, 32), (24,), (5, 24), (5,))
    kinds = torch.rand(5, generator=generator) + 0.5
    theirs = [w.clone().requires_grad_() for w in start]
    adam = torch.optim.AdamW(theirs, lr=0.01, weight_decay=0.05, amsgrad=True)
    ours = [Value(w) for w in start]
    moments = [[Value(np.zeros(w.shape)) for w in start] for _ in range(3)]
    data, classes, weight, one = Value(x), Value(target, "i64"), Value(kinds), Value(np.float32(1))
    curves = [], []
    for step in range(steps):
        bits, kept = mask_bits(step, rows, 32)
        # PyTorch
        h = F.silu(F.linear(F.gelu(F.linear(x, *theirs[0:2])) * kept / 0.75, *theirs[2:4]))
        loss = F.cross_entropy(F.linear(h, *theirs[4:6]), target, kinds)
        adam.zero_grad()
        loss.backward()
        adam.step()
        curves[1].append(loss.item())
        # Two-phase operators
        w1, b1, w2, b2, w3, b3 = ours
        z1 = linear(data, w1, b1, rows)
        a1 = unary("aclnnGelu", z1)
        d1 = unary("aclnnDropoutDoMask", a1, bits, 0.25)
        z2 = linear(d1, w2, b2, rows)
        a2 = unary("aclnnSilu", z2)
        z3 = linear(a2, w3, b3, rows)
        logarithms = unary("aclnnLogSoftmax", z3, 1)
        total, result = empty(), empty()
        call("aclnnNLLLoss", logarithms, classes, weight, 1, -100, result, total)
        curves[0].append(result.numpy().item())
        g = call_out("aclnnNLLLossBackward", (rows, 5), one, logarithms, classes, weight, 1, -100, total)
        g = backward("aclnnLogSoftmaxBackward", g, logarithms, 1)
        g, dw3, db3 = linear_backward(g, a2, w3)
        g, dw2, db2 = linear_backward(backward("aclnnSiluBackward", g, z2), d1, w2)
        g = unary("aclnnDropoutDoMask", g, bits, 0.25)
        _, dw1, db1 = linear_backward(backward("aclnnGeluBackward", g, z1), data, w1)
        count = Value(np.int64(step), "i64")
        for w, m, v, maximum, d in zip(ours, *moments, (dw1, db1, dw2, db2, dw3, db3)):
            call("aclnnApplyAdamWV2", w, m, v, maximum, d, count, 0.01, 0.9, 0.999, 0.05, 1e-8, True, False)
    check_curve(*curves)
    for w, want in zip(ours, theirs):
        assert np.allclose(w.numpy(), want.detach().numpy(), rtol=2e-4, atol=2e-4)


# ---- Images: convolution, Hardswish, convolution, ReLU, mean, linear, cross entropy of bits; loss scaling, SGD ----

def test_images():
    rows, steps, size = 8, 30, 12
    generator = torch.Generator().manual_seed(6)
    x = torch.randn(rows, 3, size, size, generator=generator)
    target = (torch.rand(rows, 4, generator=generator) > 0.6).float()
    positive = torch.tensor([1.0, 2, 0.5, 3])
    start = weights((8, 3, 3, 3), (8,), (16, 8, 3, 3), (16,), (4, 16), (4,))
    theirs = [w.clone().requires_grad_() for w in start]
    sgd = torch.optim.SGD(theirs, lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-3)
    ours, speed = [Value(w) for w in start], [Value(np.zeros(w.shape)) for w in start]
    data, labels, extra = Value(x), Value(target), Value(positive)
    scale, growth, found = Value(np.float32([1024])), Value(np.int32([0]), "i32"), Value(np.float32([0]))
    half = size // 2
    curves, skipped = ([], []), 0
    for step in range(steps):
        overflow = step == 7  # a gradient that is infinite: both leave the step out
        # PyTorch
        h = F.relu(F.conv2d(F.hardswish(F.conv2d(x, *theirs[0:2], padding=1)), *theirs[2:4], stride=2, padding=1))
        loss = F.binary_cross_entropy_with_logits(F.linear(h.mean((2, 3)), *theirs[4:6]), target, pos_weight=positive)
        sgd.zero_grad()
        loss.backward()
        if not overflow:
            sgd.step()
        curves[1].append(loss.item())
        # Two-phase operators
        w1, b1, w2, b2, w3, b3 = ours
        first = ([1, 1], [1, 1], [1, 1], False, [0, 0], 1)
        second = ([2, 2], [1, 1], [1, 1], False, [0, 0], 1)
        z1 = call_out("aclnnConvolution", (rows, 8, size, size), data, w1, b1, *first, after=(0,))
        a1 = unary("aclnnHardswish", z1)
        z2 = call_out("aclnnConvolution", (rows, 16, half, half), a1, w2, b2, *second, after=(0,))
        a2 = unary("aclnnRelu", z2)
        mean = call_out("aclnnMean", (rows, 16), a2, [2, 3], False, "f32")
        z3 = linear(mean, w3, b3, rows)
        curves[0].append(call_out("aclnnBinaryCrossEntropyWithLogits", (), z3, labels, None, extra, 1).numpy().item())
        g = call_out("aclnnBinaryCrossEntropyWithLogitsBackward", (rows, 4), scale, z3, labels, None, extra, 1)
        g, dw3, db3 = linear_backward(g, mean, w3)
        g = call_out("aclnnMuls", (rows, 16), g, 1.0 / half**2)
        wide = empty(rows, 16, half, half)
        call("aclnnInplaceCopy", wide, g.view(rows, 16, 1, 1))
        g = backward("aclnnThresholdBackward", wide, z2, 0)
        dx, dw2, db2 = empty(rows, 8, size, size), empty(16, 8, 3, 3), empty(16)
        call("aclnnConvolutionBackward", g, a1, w2, [16], *second, [True, True, True], 0, dx, dw2, db2)
        g = backward("aclnnHardswishBackward", dx, z1)
        dw1, db1 = empty(8, 3, 3, 3), empty(8)
        call("aclnnConvolutionBackward", g, data, w1, [8], *first, [False, True, True], 0, empty(1), dw1, db1)
        gradients = [dw1, db1, dw2, db2, dw3, db3]
        if overflow:
            call("aclnnInplaceFillScalar", db2, float("inf"))
        call("aclnnInplaceZero", found)
        call("aclnnForeachNonFiniteCheckAndUnscale", gradients, found, call_out("aclnnReciprocal", (1,), scale))
        if found.numpy()[0] == 0:
            call("aclnnFusedSgd", ours, gradients, speed, None, 1e-3, 0.9, 0.1, 0.0, True, False, step == 0)
        else:
            skipped += 1
        call("aclnnAmpUpdateScale", scale, growth, found, 2.0, 0.5, 10, scale, growth)
    check_curve(*curves)
    # 7 good steps, one overflow, then 22 good ones: halved once, doubled twice.
    assert skipped == 1 and scale.numpy()[0] == 2048 and growth.numpy()[0] == 2
    for w, want in zip(ours, theirs):
        assert np.allclose(w.numpy(), want.detach().numpy(), rtol=2e-4, atol=2e-4)


# ---- Images: convolution, batch normalisation, ReLU, largest of windows, the same with SiLU and a mean, linear; SGD ----

class Normalised:
    """A convolution without a bias and its batch normalisation."""

    def __init__(self, weight, size):
        self.size, self.channels = size, weight.shape[0]
        self.weight, self.gain, self.shift = Value(weight), Value(np.ones(self.channels)), Value(np.zeros(self.channels))
        self.running = Value(np.zeros(self.channels)), Value(np.ones(self.channels))
        self.how = ([1, 1], [1, 1], [1, 1], False, [0, 0], 1)

    def parameters(self):
        return [self.weight, self.gain, self.shift]

    def forward(self, x, rows):
        shape = (rows, self.channels, self.size, self.size)
        self.x, self.z = x, call_out("aclnnConvolution", shape, x, self.weight, None, *self.how, after=(0,))
        y, self.saved = empty(*shape), (empty(self.channels), empty(self.channels))
        call("aclnnBatchNorm", self.z, self.gain, self.shift, *self.running, True, 0.1, 1e-5, y, *self.saved)
        return y

    def backward(self, dy):
        dz, dgain, dshift = empty(*self.z.tensor.shape), empty(self.channels), empty(self.channels)
        call("aclnnBatchNormBackward", dy, self.z, self.gain, *self.running, *self.saved, True, 1e-5, [True, True, True], dz, dgain, dshift)
        dx, dw = empty(*self.x.tensor.shape), empty(*self.weight.tensor.shape)
        call("aclnnConvolutionBackward", dz, self.x, self.weight, None, *self.how, [True, True, False], 0, dx, dw, None)
        return dx, [dw, dgain, dshift]


@pytest.mark.skipif("aclnnBatchNorm" not in ROWS, reason="there is no aclnnBatchNorm")
def test_normalised_images():
    rows, steps = 16, 30
    generator = torch.Generator().manual_seed(8)
    x, target = torch.randn(rows, 3, 16, 16, generator=generator), torch.randint(0, 5, (rows,), generator=generator)
    w1, w2, w3, b3 = weights((8, 3, 3, 3), (16, 8, 3, 3), (5, 16), (5,))
    blocks = [Normalised(w1, 16), Normalised(w2, 8)]
    head = [Value(w3), Value(b3)]
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 16, 3, padding=1, bias=False), torch.nn.BatchNorm2d(16), torch.nn.SiLU(),
        torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(16, 5))
    with torch.no_grad():
        for parameter, value in zip((net[0].weight, net[4].weight, net[9].weight, net[9].bias), (w1, w2, w3, b3)):
            parameter.copy_(value)
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    ours = [p for block in blocks for p in block.parameters()] + head
    speed = [Value(np.zeros(p.tensor.shape)) for p in ours]
    data, classes, even, one = Value(x), Value(target, "i64"), Value(np.ones(5)), Value(np.float32(1))
    window = ([2, 2], [2, 2], [0, 0], [1, 1], False)
    curves = [], []
    for step in range(steps):
        loss = F.cross_entropy(net(x), target)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        curves[1].append(loss.item())

        y1 = blocks[0].forward(data, rows)
        a1 = unary("aclnnRelu", y1)
        pooled, places = empty(rows, 8, 8, 8), empty(rows, 8, 8, 8, dtype="i32")
        call("aclnnMaxPool2dWithIndices", a1, *window, pooled, places)
        y2 = blocks[1].forward(pooled, rows)
        a2 = unary("aclnnSilu", y2)
        mean = call_out("aclnnAdaptiveAvgPool2d", (rows, 16, 1, 1), a2, [1, 1])
        flat = Value(mean.numpy().reshape(rows, 16))
        z = linear(flat, *head, rows)
        logarithms, total, result = unary("aclnnLogSoftmax", z, 1), empty(), empty()
        call("aclnnNLLLoss", logarithms, classes, even, 1, -100, result, total)
        curves[0].append(result.numpy().item())
        g = call_out("aclnnNLLLossBackward", (rows, 5), one, logarithms, classes, even, 1, -100, total)
        g, dw3, db3 = linear_backward(backward("aclnnLogSoftmaxBackward", g, logarithms, 1), flat, head[0])
        g = call_out("aclnnAdaptiveAvgPool2dBackward", (rows, 16, 8, 8), g.view(rows, 16, 1, 1), a2)
        g, second = blocks[1].backward(backward("aclnnSiluBackward", g, y2))
        wide = empty(rows, 8, 16, 16)
        call("aclnnMaxPool2dWithIndicesBackward", g, a1, places, *window, wide)
        _, first = blocks[0].backward(backward("aclnnThresholdBackward", wide, y1, 0))
        call("aclnnFusedSgd", ours, [*first, *second, dw3, db3], speed, None, 1e-4, 0.9, 0.05, 0.0, False, False, step == 0)
    check_curve(*curves)
    for block, theirs in zip(blocks, (net[1], net[5])):
        assert np.allclose(block.running[0].numpy(), theirs.running_mean.numpy(), rtol=1e-3, atol=1e-4)
        assert np.allclose(block.running[1].numpy(), theirs.running_var.numpy(), rtol=1e-3, atol=1e-4)
    for w, want in zip(ours, net.parameters()):
        assert np.allclose(w.numpy(), want.detach().numpy(), rtol=2e-3, atol=2e-3)
