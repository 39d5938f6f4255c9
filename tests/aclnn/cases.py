# SPDX-License-Identifier: Apache-2.0
"""Arguments that depend on each other, for the generic matrix, and numpy models in float64 for its formulas."""
import itertools

import numpy as np

from door import Tensor


class Geometry:
    """The spatial arguments of a convolution; `before` and `after` are its padding."""

    def __init__(self, spatial, stride, padding, dilation, transposed, output_padding, groups):
        self.spatial, self.stride, self.dilation, self.groups = spatial, stride, dilation, groups
        sides = len(padding) != spatial
        self.before = padding[::2] if sides else padding
        self.after = padding[1::2] if sides else padding
        self.transposed = transposed
        self.extra = output_padding if transposed else [0] * spatial

    def output_size(self, size, kernel):
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, self.dilation)]
        if self.transposed:
            return [(n - 1) * s + r + e - b - a
                    for n, s, r, e, b, a in zip(size, self.stride, reach, self.extra, self.before, self.after)]
        return [(n + b + a - r) // s + 1 for n, s, r, b, a in zip(size, self.stride, reach, self.before, self.after)]

    def taps(self, large, small, kernel):
        """For each kernel point, slices of the larger map (input of a convolution, output of a transposed one) and of the
        smaller one that it joins."""
        for tap in itertools.product(*map(range, kernel)):
            of_large, of_small = [], []
            for k, t in enumerate(tap):
                first = t * self.dilation[k] - self.before[k]
                low = max(0, -(first // self.stride[k]))
                high = max(low, min(small[k], (large[k] - 1 - first) // self.stride[k] + 1))
                begin = low * self.stride[k] + first
                of_small.append(slice(low, high))
                of_large.append(slice(begin, begin + max((high - low - 1) * self.stride[k] + 1, 0), self.stride[k])
                                if high > low else slice(0, 0))
            yield (slice(None), slice(None), *of_large), (slice(None), slice(None), *of_small), (slice(None), slice(None), *tap)


def joined(g, large, small, weight, what):
    """The three sums over (large, small, weight) that convolutions and their gradients are. `weight` is [channels of small,
    channels of large / groups, kernel...]; the argument that `what` names is computed, the other two are read."""
    result = np.zeros_like({"large": large, "small": small, "weight": weight}[what])
    rows, columns = weight.shape[0] // g.groups, weight.shape[1]
    for group in range(g.groups):
        of_small, of_large = slice(group * rows, (group + 1) * rows), slice(group * columns, (group + 1) * columns)
        x, y, w = large[:, of_large], small[:, of_small], weight[of_small]
        for in_large, in_small, tap in g.taps(large.shape[2:], small.shape[2:], weight.shape[2:]):
            if what == "small":
                result[:, of_small][in_small] += np.einsum("nc...,mc->nm...", x[in_large], w[tap])
            elif what == "large":
                result[:, of_large][in_large] += np.einsum("nm...,mc->nc...", y[in_small], w[tap])
            else:
                axes = [0, *range(2, large.ndim)]
                result[of_small][tap] += np.tensordot(y[in_small], x[in_large], (axes, axes))
    return result


def convolve(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    x, weight = x.astype(np.float64), weight.astype(np.float64)
    g = Geometry(x.ndim - 2, stride, padding, dilation, transposed, output_padding, groups)
    filters = weight.shape[1] * groups if transposed else weight.shape[0]
    out = np.zeros((x.shape[0], filters, *g.output_size(x.shape[2:], weight.shape[2:])))
    out = joined(g, out, x, weight, "large") if transposed else joined(g, x, out, weight, "small")
    return out if bias is None else out + bias.reshape(-1, *[1] * (x.ndim - 2))


def gradients(dy, x, weight, stride, padding, dilation, transposed, output_padding, groups):
    dy, x, weight = (t.astype(np.float64) for t in (dy, x, weight))
    g = Geometry(x.ndim - 2, stride, padding, dilation, transposed, output_padding, groups)
    if transposed:
        return joined(g, dy, x, weight, "small"), joined(g, dy, x, weight, "weight")
    return joined(g, x, dy, weight, "large"), joined(g, x, dy, weight, "weight")


def blocks(size, kernel, dilation, padding, stride):
    """For each kernel point its number, and slices of the padded image."""
    places = [(n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, d, p, s in zip(size, kernel, dilation, padding, stride)]
    for number, tap in enumerate(itertools.product(*map(range, kernel))):
        yield number, (..., *(slice(t * d, t * d + (n - 1) * s + 1, s) for t, d, n, s in zip(tap, dilation, places, stride)))


def im2col(x, kernel, dilation, padding, stride):
    padded = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(p, p) for p in padding])
    found = [padded[where] for _, where in blocks(x.shape[-2:], kernel, dilation, padding, stride)]
    stacked = np.stack(found, axis=-3)
    return stacked.reshape(*x.shape[:-3], x.shape[-3] * len(found), stacked.shape[-2] * stacked.shape[-1])


def col2im(columns, size, kernel, dilation, padding, stride):
    area = kernel[0] * kernel[1]
    image = np.zeros((*columns.shape[:-2], columns.shape[-2] // area, *(n + 2 * p for n, p in zip(size, padding))))
    points = columns.astype(np.float64).reshape(*image.shape[:-2], area, columns.shape[-1])
    for number, where in blocks(size, kernel, dilation, padding, stride):
        image[where] += points[..., number, :].reshape(image[where].shape)
    return image[..., padding[0]:padding[0] + size[0], padding[1]:padding[1] + size[1]]


FORMULAS = {
    "im2col": im2col,
    "col2im": col2im,
    "convolution": convolve,
    "input_grad": lambda *arguments: gradients(*arguments)[0],
    "weight_grad": lambda *arguments: gradients(*arguments)[1],
    "bias_grad": lambda dy: dy.astype(np.float64).sum(axis=(0, *range(2, dy.ndim))),
}


def convolution_numbers(random, spatial, transposed):
    """stride, padding, dilation, outputPadding, groups, kernel and input sizes that fit."""
    def pick(low, high, count=spatial):
        return [int(v) for v in random.integers(low, high, count)]

    kernel, stride, dilation = pick(1, 4), pick(1, 4), pick(1, 3)
    sides = not transposed and spatial < 3 and random.integers(2)
    padding = pick(0, 2, 2 * spatial if sides else spatial)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    size = [int(random.integers(max(r, 2), r + 5)) for r in reach]
    extra = [int(random.integers(0, max(s, d))) for s, d in zip(stride, dilation)] if transposed else [0] * spatial
    groups = int(random.integers(1, 4))
    if min(Geometry(spatial, stride, padding, dilation, transposed, extra, groups).output_size(size, kernel)) < 1:
        return convolution_numbers(random, spatial, transposed)
    return stride, padding, dilation, extra, groups, kernel, size


def convolution_tensors(case):
    """The values of a forward call, without its output."""
    random = case.random
    spatial, transposed = 1 + case.rank % 3, bool(random.integers(2))
    stride, padding, dilation, extra, groups, kernel, size = convolution_numbers(random, spatial, transposed)
    rows, columns = (int(v) for v in random.integers(1, 20, 2))
    if random.integers(4) == 0:
        rows = columns = 1  # depthwise
    batch = 0 if case.empty else int(random.integers(1, 3))
    channels, filters = (rows * groups, columns * groups) if transposed else (columns * groups, rows * groups)

    def tensor(*shape):
        layout = case.layouts.pop(0) if case.layouts else "contiguous"
        return Tensor(random.uniform(-1, 1, shape), case.next_type(), layout)

    values = {"input": tensor(batch, channels, *size), "weight": tensor(rows * groups, columns, *kernel),
              "stride": stride, "padding": padding, "dilation": dilation, "transposed": transposed, "outputPadding": extra,
              "groups": groups}
    values["bias"] = tensor(filters) if random.integers(2) else None
    return values


def convolution(case):
    return convolution_tensors(case)


def convolution_backward(case):
    values = convolution_tensors(case)
    del values["bias"]
    like = convolve(values["input"].values(), values["weight"].values(), None,
                    *(values[n] for n in ("stride", "padding", "dilation", "transposed", "outputPadding", "groups")))
    values["gradOutput"] = Tensor(case.random.uniform(-1, 1, like.shape), case.next_type(), "contiguous")
    values["biasSizes"] = [like.shape[1]] if case.random.integers(2) else None
    values["outputMask"] = [True] * 3
    return values


def column_arguments(case):
    stride, padding, dilation, _, _, kernel, size = convolution_numbers(case.random, 2, False)
    return {"kernelSize": kernel, "dilation": dilation, "padding": padding[:2], "stride": stride}, size


def columns(case):
    values, size = column_arguments(case)
    lead = [0 if case.empty else 2] if case.rank % 2 or case.empty else []
    dtype = case.next_type()
    shape = (*lead, int(case.random.integers(1, 5)), *size)
    values["self"] = Tensor(case.elements("self", shape, dtype), dtype, case.layouts.pop(0))
    return values


def columns_backward(case):
    values, size = column_arguments(case)
    lead = [0 if case.empty else 2] if case.rank % 2 or case.empty else []
    image = np.zeros((*lead, int(case.random.integers(1, 5)), *size))
    shape = im2col(image, values["kernelSize"], values["dilation"], values["padding"], values["stride"]).shape
    values["gradOutput"] = Tensor(case.random.uniform(-1, 1, shape), case.next_type(), case.layouts.pop(0))
    return {**values, "inputSize": size}
