#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Eager convolutions and matrix products, forward and backward, and gradients of normalisation and pooling, beside PyTorch's CPU
operators in one run, interleaved.

  bench/eager.py build/src/libjumar.so [--rounds 9] [--seconds 0.05] [--threads 2] [--only TEXT] [--dtype float32]

Shapes are those of networks at 224 to 640 pixels. A call of ours is both phases and a synchronise, with outputs and workspace
that are kept; PyTorch's makes its output. In every round each of the two has its turn: a call that is not timed, then calls
for some time; the value of a turn is their median, the ratio of a shape the median of ours / PyTorch's over the rounds.
Below 1 is faster than PyTorch. Before anything is timed, the results are compared.
"""
import argparse
import ctypes
import math
import os
import statistics
import time

import torch

from door import Door

# name: batch, channels, height, width, filters, kernel, stride, padding, groups
CONVOLUTIONS = {
    "resnet 224 3>64 7x7/2": (1, 3, 224, 224, 64, 7, 2, 3, 1),
    "resnet 56 64>64 3x3": (1, 64, 56, 56, 64, 3, 1, 1, 1),
    "resnet 56 64>256 1x1": (1, 64, 56, 56, 256, 1, 1, 0, 1),
    "resnet 56 256>128 1x1": (1, 256, 56, 56, 128, 1, 1, 0, 1),
    "resnet 56 128>128 3x3/2": (1, 128, 56, 56, 128, 3, 2, 1, 1),
    "resnet 28 128>128 3x3": (1, 128, 28, 28, 128, 3, 1, 1, 1),
    "resnet 28 512>256 1x1": (1, 512, 28, 28, 256, 1, 1, 0, 1),
    "resnet 14 256>256 3x3": (1, 256, 14, 14, 256, 3, 1, 1, 1),
    "resnet 14 1024>512 1x1": (1, 1024, 14, 14, 512, 1, 1, 0, 1),
    "resnet 7 512>512 3x3": (1, 512, 7, 7, 512, 3, 1, 1, 1),
    "resnet 8x 28 128>128 3x3": (8, 128, 28, 28, 128, 3, 1, 1, 1),
    "resnet 8x 7 512>512 3x3": (8, 512, 7, 7, 512, 3, 1, 1, 1),
    "yolo 640 3>16 3x3/2": (1, 3, 640, 640, 16, 3, 2, 1, 1),
    "yolo 320 16>32 3x3/2": (1, 16, 320, 320, 32, 3, 2, 1, 1),
    "yolo 160 32>32 1x1": (1, 32, 160, 160, 32, 1, 1, 0, 1),
    "yolo 160 16>16 3x3": (1, 16, 160, 160, 16, 3, 1, 1, 1),
    "yolo 80 64>64 3x3": (1, 64, 80, 80, 64, 3, 1, 1, 1),
    "yolo 80 64>128 3x3/2": (1, 64, 80, 80, 128, 3, 2, 1, 1),
    "yolo 40 128>128 3x3": (1, 128, 40, 40, 128, 3, 1, 1, 1),
    "yolo 20 256>256 3x3": (1, 256, 20, 20, 256, 3, 1, 1, 1),
    "yolo 20 512>256 1x1": (1, 512, 20, 20, 256, 1, 1, 0, 1),
    "mobile 112 32 3x3 depthwise": (1, 32, 112, 112, 32, 3, 1, 1, 32),
    "mobile 56 144 3x3/2 depthwise": (1, 144, 56, 56, 144, 3, 2, 1, 144),
    "mobile 14 384 3x3 depthwise": (1, 384, 14, 14, 384, 3, 1, 1, 384),
    "resnext 28 256 3x3 groups 32": (1, 256, 28, 28, 256, 3, 1, 1, 32),
}
# name: batch (0: no such dimension), rows, depth, columns
PRODUCTS = {
    "vit 224 197x768x768": (0, 197, 768, 768),
    "vit 224 197x768x3072": (0, 197, 768, 3072),
    "vit 224 197x3072x768": (0, 197, 3072, 768),
    "vit 224 attention 12x197x64x197": (12, 197, 64, 197),
    "vit 224 attention 12x197x197x64": (12, 197, 197, 64),
    "yolo 640 attention 2x400x32x400": (2, 400, 32, 400),
    "resnet 224 fc 1x2048x1000": (0, 1, 2048, 1000),
    "resnet 224 fc 32x2048x1000": (0, 32, 2048, 1000),
    "square 512": (0, 512, 512, 512),
    "square 1024": (0, 1024, 1024, 1024),
}

# name: what, shape
GRADIENTS = {
    "vit 224 197x768 layer norm": ("layer", (197, 768)),
    "unet 56 256 group norm of 32": ("group", (1, 256, 56, 56)),
    "resnet 56 256 batch norm": ("batch", (1, 256, 56, 56)),
    "resnet 8x 28 256 batch norm": ("batch", (8, 256, 28, 28)),
    "resnet 112 64 max pool 3x3/2": ("max", (1, 64, 112, 112)),
    "resnet 7 2048 mean": ("mean", (1, 2048, 7, 7)),
}


def convolution(door, shape, dtype, backward):
    """Ours and PyTorch's call; each returns its results."""
    n, c, h, w, m, kernel, stride, padding, groups = shape
    x = torch.randn(n, c, h, w).to(dtype)
    weight = (torch.randn(m, c // groups, kernel, kernel) / math.sqrt(c // groups * kernel * kernel)).to(dtype)
    bias = torch.randn(m).to(dtype)
    dy = torch.nn.functional.conv2d(x, weight, bias, stride, padding, 1, groups)
    numbers = [door.ints((v, v)) for v in (stride, padding, 1)]
    zero = door.ints((0, 0))
    if not backward:
        out = torch.zeros_like(dy)
        arguments = [door.tensor(x), door.tensor(weight), door.tensor(bias), *numbers, ctypes.c_bool(False), zero,
                     ctypes.c_int64(groups), door.tensor(out), ctypes.c_int8(0)]

        def ours():
            door.call("aclnnConvolution", arguments)
            return [out]
        return ours, lambda: [torch.nn.functional.conv2d(x, weight, bias, stride, padding, 1, groups)]
    mask = (c != 3, True, True)  # nobody asks for the gradient of a picture
    grads = [torch.zeros_like(t) for t in (x, weight, bias)]
    arguments = [door.tensor(dy), door.tensor(x), door.tensor(weight), door.ints((m,)), *numbers, ctypes.c_bool(False), zero,
                 ctypes.c_int32(groups), door.bools(mask), ctypes.c_int8(0), *[door.tensor(t) for t in grads]]

    def ours():
        door.call("aclnnConvolutionBackward", arguments)
        return [g for g, wanted in zip(grads, mask) if wanted]
    return ours, lambda: [g for g in torch.ops.aten.convolution_backward(
        dy, x, weight, [m], [stride] * 2, [padding] * 2, [1, 1], False, [0, 0], groups, list(mask)) if g is not None]


def product(door, shape, dtype, backward):
    batch, rows, depth, columns = shape
    lead = (batch,) if batch else ()
    a, b = torch.randn(*lead, rows, depth).to(dtype), torch.randn(*lead, depth, columns).to(dtype)
    dy = torch.randn(*lead, rows, columns).to(dtype)
    name = "aclnnBatchMatMul" if batch else "aclnnMm"
    pairs = [(dy, b.mT), (a.mT, dy)] if backward else [(a, b)]
    outs = [torch.zeros(*lead, p.shape[-2], q.shape[-1], dtype=dtype) for p, q in pairs]
    calls = [[door.tensor(p), door.tensor(q), door.tensor(out), ctypes.c_int8(0)] for (p, q), out in zip(pairs, outs)]

    def ours():
        for arguments in calls:
            door.call(name, arguments)
        return outs
    return ours, lambda: [torch.matmul(p, q) for p, q in pairs]


def gradient(door, shape, dtype, backward):
    """The gradients of normalisation and pooling."""
    what, shape = shape
    aten, all_three, channels = torch.ops.aten, [True] * 3, shape[1]
    x, weight, bias = torch.randn(shape).to(dtype), torch.randn(channels), torch.randn(channels)
    if what in ("max", "mean"):
        dx, window = torch.zeros_like(x), ([3, 3], [2, 2], [1, 1], [1, 1])
        if what == "mean":
            dy, name = torch.randn(*shape[:2], 1, 1).to(dtype), "aclnnAdaptiveAvgPool2dBackward"
            arguments = [door.tensor(t) for t in (dy, x, dx)]
            theirs = (lambda: [aten._adaptive_avg_pool2d_backward(dy, x)])
        else:
            dy, places = aten.max_pool2d_with_indices(x, *window)
            name, index = "aclnnMaxPool2dWithIndicesBackward", places.int()
            arguments = [*[door.tensor(t) for t in (dy, x, index)], *[door.ints(v) for v in window], ctypes.c_bool(False),
                         door.tensor(dx)]
            theirs = (lambda: [aten.max_pool2d_with_indices_backward(dy, x, *window, False, places)])
        grads, alive = [dx], [] if what == "mean" else [index]
    else:
        dy, grads, mask = torch.randn_like(x), [torch.zeros_like(t) for t in (x, weight, bias)], door.bools(all_three)
        if what == "layer":
            _, mean, inverse = aten.native_layer_norm(x, [channels], weight, bias, 1e-5)
            given, after = [dy, x, mean, inverse, weight, bias], []
            theirs = (lambda: aten.native_layer_norm_backward(dy, x, [channels], mean, inverse, weight, bias, all_three))
        elif what == "group":
            sizes = (shape[0], channels, math.prod(shape[2:]), 32)
            _, mean, inverse = aten.native_group_norm(x, weight, bias, *sizes, 1e-5)
            given, after = [dy, x, mean, inverse, weight], [ctypes.c_int64(v) for v in sizes]
            theirs = (lambda: aten.native_group_norm_backward(dy, x, mean, inverse, weight, *sizes, all_three))
        else:
            _, mean, inverse = aten.native_batch_norm(x, weight, bias, None, None, True, 0.1, 1e-5)
            given, after = [dy, x, weight, None, None, mean, inverse], [ctypes.c_bool(True), ctypes.c_double(1e-5)]
            theirs = (lambda: aten.native_batch_norm_backward(dy, x, weight, None, None, mean, inverse, True, 1e-5, all_three))
        name, alive = f"aclnn{what.title()}NormBackward", given
        arguments = [*[door.tensor(t) for t in given], *after, mask, *[door.tensor(t) for t in grads]]
        if what == "layer":
            arguments.insert(2, door.ints((channels,)))

    def ours():
        assert alive is not None  # tensors of which the arguments are views
        door.call(name, arguments)
        return grads
    return ours, theirs


def compare(name, ours, theirs, dtype):
    limit = {torch.float32: 2e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}[dtype]
    for have, want in zip(ours(), theirs()):
        error = ((have.double() - want.double()).abs().max() / want.double().abs().max()).item()
        assert error < limit, f"{name}: results differ by {error}"


def turn(run, seconds):
    run()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or times[-1] + begin < end:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def measure(name, runs, options):
    times = [], []
    for _ in range(options.rounds):
        for mine, run in zip(times, runs):
            time.sleep(0.002)  # the threads of the other go to sleep
            mine.append(turn(run, options.seconds))
    ratio = statistics.median(a / b for a, b in zip(*times))
    print(f"{name:44} {statistics.median(times[0]) * 1e3:9.3f} {statistics.median(times[1]) * 1e3:9.3f} {ratio:7.2f} "
          f"{min(times[0]) / min(times[1]):7.2f}", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="names that contain this text")
    parser.add_argument("--dtype", default="float32")
    options = parser.parse_args()
    os.environ["JUMAR_NUM_THREADS"] = str(options.threads)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    torch.set_grad_enabled(False)
    dtype, door = getattr(torch, options.dtype), Door(options.library)
    print(f"{options.threads} threads, {options.dtype}, torch {torch.__version__}\n{'':44} {'ours ms':>9} {'torch ms':>9} "
          f"{'ratio':>7} {'of min':>7}")
    for title, shapes, make in (("convolution", CONVOLUTIONS, convolution), ("product", PRODUCTS, product),
                                ("gradient", GRADIENTS, gradient)):
        for backward in (True,) if make is gradient else (False, True):
            ratios = []
            for name, shape in shapes.items():
                label = f"{name}{' backward' if backward else ''}"
                if options.only in label:
                    runs = make(door, shape, dtype, backward)
                    compare(label, *runs, dtype)
                    ratios.append(measure(label, runs, options))
            if ratios:
                print(f"{title} {'backward' if backward else 'forward'}: geometric mean "
                      f"{statistics.geometric_mean(ratios):.2f}, worst {max(ratios):.2f}\n")


if __name__ == "__main__":
    main()
