# SPDX-License-Identifier: Apache-2.0
"""Operators of training against PyTorch on the CPU: forward, and gradients as autograd has them."""
import os
import sys

import pytest

torch = pytest.importorskip("torch")
sys.path.insert(0, os.path.dirname(__file__))
import training_formulas  # noqa: E402
from test_torch import INF, NAN, call, numbers  # noqa: E402

F = torch.nn.functional
LAYOUTS = pytest.mark.parametrize("layout", ["contiguous", "transposed", "sliced"])
HALVES = pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)


def noise(*shape, dtype=torch.float32, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed + sum(shape))).to(dtype)


def wide(function, *tensors):
    """A function in float64, its results in the type of the first tensor."""
    found = function(*[t.double() if t is not None else None for t in tensors])
    return [t.to(tensors[0].dtype) for t in (found if isinstance(found, (tuple, list)) else [found])]


# ---- Normalisation ----

@LAYOUTS
@HALVES
@pytest.mark.parametrize("shape", [(4, 3), (2, 5, 7), (3, 4, 9, 11), (2, 2, 3, 4, 5)], ids=str)
def test_batch_norm(shape, dtype, layout):
    x, c = noise(*shape, dtype=dtype), shape[1]
    weight, bias, mean = (noise(c, seed=k) for k in range(3))
    var = noise(c, seed=3).abs() + 0.5
    for scale, shift in ((weight, bias), (None, None)):
        wanted_mean, wanted_var = mean.double(), var.double()
        y, saved, inverse = torch.native_batch_norm(
            x.double(), scale.double() if scale is not None else None, shift.double() if scale is not None else None,
            wanted_mean, wanted_var, True, 0.1, 1e-5)
        call("aclnnBatchNorm", x, scale, shift, (mean, wanted_mean.float()), (var, wanted_var.float()), True, 0.1, 1e-5,
             y.to(dtype), saved.float(), inverse.float(), layout=layout)
        call("aclnnBatchNorm", x, scale, shift, None, None, True, 0.1, 1e-5, y.to(dtype), None, None, code=161001)
        y = F.batch_norm(x.double(), mean.double(), var.double(), None if scale is None else scale.double(),
                         None if shift is None else shift.double(), False, 0.1, 1e-5)
        call("aclnnBatchNorm", x, scale, shift, (mean, mean), (var, var), False, 0.1, 1e-5, y.to(dtype), None, None,
             layout=layout)
    call("aclnnBatchNorm", x, weight, bias, None, None, False, 0.1, 1e-5, x, None, None, code=161002)


@LAYOUTS
@HALVES
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_backward(training, dtype, layout):
    x, dy = noise(3, 4, 9, 11, dtype=dtype), noise(3, 4, 9, 11, dtype=dtype, seed=1)
    weight, mean, var = noise(4), noise(4, seed=2), noise(4, seed=3).abs() + 0.5
    saved, inverse = x.double().mean((0, 2, 3)), 1 / torch.sqrt(x.double().var((0, 2, 3), correction=0) + 1e-5)
    dx, dw, db = torch.ops.aten.native_batch_norm_backward(
        dy.double(), x.double(), weight.double(), mean.double(), var.double(), saved, inverse, training, 1e-5, [True] * 3)
    common = (dy, x, weight, mean, var, saved.float(), inverse.float(), training, 1e-5)
    want = (dx.to(dtype), dw.float(), db.float())
    call("aclnnBatchNormBackward", *common, [True] * 3, *want, layout=layout)
    for mask in ([True, False, False], [False, True, False], [False, False, True], [False] * 3):
        call("aclnnBatchNormBackward", *common, mask, *[w if m else None for w, m in zip(want, mask)], layout=layout)
        for missing in (k for k in range(3) if mask[k]):
            call("aclnnBatchNormBackward", *common, mask, *[None if k == missing else w for k, w in enumerate(want)],
                 code=161001)
    call("aclnnBatchNormBackward", *common, [True] * 2, *want, code=161002)


@HALVES
def test_parts_of_a_batch(dtype):
    """Two devices compute together what one computes on the whole batch."""
    x, dy, weight, bias = noise(6, 3, 8, 9, dtype=dtype), noise(6, 3, 8, 9, dtype=dtype, seed=1), noise(3), noise(3, seed=1)
    mean, inverse = x.double().mean((0, 2, 3)), 1 / torch.sqrt(x.double().var((0, 2, 3), correction=0) + 1e-5)
    parts = [p.contiguous() for p in x.split((4, 2))]
    rows = [(p.double().mean((0, 2, 3)), 1 / torch.sqrt(p.double().var((0, 2, 3), correction=0) + 1e-5)) for p in parts]
    for part, (own_mean, own_inverse) in zip(parts, rows):
        call("aclnnBatchNormStats", part, 1e-5, own_mean.float(), own_inverse.float())
    means, inverses = (torch.stack([row[k] for row in rows]).float() for k in range(2))
    counts = torch.tensor([4 * 72, 2 * 72]).float()
    running_mean, running_var = torch.zeros(3), torch.ones(3)
    after = (0.1 * mean.float(), (0.9 + 0.1 * x.double().var((0, 2, 3), correction=1)).float())
    call("aclnnBatchNormGatherStatsWithCounts", parts[0], means, inverses, (running_mean, after[0]),
         (running_var, after[1]), 0.1, 1e-5, counts, mean.float(), inverse.float())
    call("aclnnBatchNormGatherStatsWithCounts", parts[0], means, inverses, None, None, 0.1, 1e-5, counts, mean.float(),
         inverse.float())
    y = F.batch_norm(x.double(), None, None, weight.double(), bias.double(), True, 0, 1e-5).to(dtype)
    call("aclnnBatchNormElemt", x, weight, bias, mean.float(), inverse.float(), 1e-5, y)
    away = x.double() - mean[:, None, None]
    sums = dy.double().sum((0, 2, 3)), (dy.double() * away).sum((0, 2, 3))
    outputs = (sums[0].float(), sums[1].float(), (sums[1] * inverse).float(), sums[0].float())
    common = (dy, x, mean.float(), inverse.float(), weight)
    call("aclnnBatchNormReduceBackward", *common, True, True, True, *outputs)
    call("aclnnBatchNormReduceBackward", *common, False, True, False, None, None, outputs[2], None)
    call("aclnnBatchNormReduceBackward", *common, True, True, False, *outputs[:2], None, None, code=161001)
    dx = torch.ops.aten.native_batch_norm_backward(dy.double(), x.double(), weight.double(), None, None, mean, inverse, True,
                                                   1e-5, [True] * 3)[0]
    call("aclnnBatchNormElemtBackward", *common, *outputs[:2], torch.tensor([288, 144], dtype=torch.int32), dx.to(dtype))


@LAYOUTS
@HALVES
@pytest.mark.parametrize("inner", [1, 2])
def test_layer_norm(inner, dtype, layout):
    x, dy = noise(5, 6, 40, dtype=dtype), noise(5, 6, 40, dtype=dtype, seed=1)
    shape = list(x.shape[-inner:])
    for weight, bias in ((noise(*shape), noise(*shape, seed=1)), (None, None), (noise(*shape), None)):
        y, mean, inverse = torch.native_layer_norm(
            x.double(), shape, *[None if t is None else t.double() for t in (weight, bias)], 1e-5)
        statistics = mean.float(), inverse.float()
        for name in ("aclnnLayerNorm", "aclnnFastLayerNorm"):
            call(name, x, shape, weight, bias, 1e-5, y.to(dtype), *statistics, layout=layout)
            call(name, x, shape, weight, bias, 1e-5, y.to(dtype), None, None, layout=layout)
        found = torch.ops.aten.native_layer_norm_backward(
            dy.double(), x.double(), shape, mean, inverse, *[None if t is None else t.double() for t in (weight, bias)],
            [True, weight is not None, bias is not None])
        want = [None if t is None or not t.numel() else t.to(dtype if k == 0 else torch.float32) for k, t in enumerate(found)]
        call("aclnnLayerNormBackward", dy, x, shape, *statistics, weight, bias, [t is not None for t in want], *want,
             layout=layout)
    call("aclnnLayerNorm", x, [41], None, None, 1e-5, x, None, None, code=161002)
    call("aclnnLayerNorm", x, [], None, None, 1e-5, x, None, None, code=161002)
    call("aclnnLayerNorm", torch.empty(0, 40), [40], None, None, 1e-5, torch.empty(0, 40), torch.empty(0), torch.empty(0))


@LAYOUTS
@HALVES
@pytest.mark.parametrize("groups", [1, 2, 6])
def test_group_norm(groups, dtype, layout):
    for shape in ((3, 6, 5, 7), (3, 6, 9), (4, 6)):
        x, dy, weight, bias = noise(*shape, dtype=dtype), noise(*shape, dtype=dtype, seed=1), noise(6), noise(6, seed=1)
        sizes = (shape[0], 6, x[0, 0].numel(), groups)
        y, mean, inverse = torch.native_group_norm(x.double(), weight.double(), bias.double(), *sizes, 1e-5)
        statistics = mean.float(), inverse.float()
        call("aclnnGroupNorm", x, weight, bias, *sizes, 1e-5, y.to(dtype), *statistics, layout=layout)
        found = torch.ops.aten.native_group_norm_backward(dy.double(), x.double(), mean, inverse, weight.double(), *sizes,
                                                          [True] * 3)
        want = [found[0].to(dtype), found[1].float(), found[2].float()]
        call("aclnnGroupNormBackward", dy, x, *statistics, weight, *sizes, [True] * 3, *want, layout=layout)
        call("aclnnGroupNormBackward", dy, x, *statistics, weight, *sizes, [False, True, False], None, want[1], None)
        call("aclnnGroupNormBackward", dy, x, *statistics, weight, *sizes, [True] * 3, want[0], None, want[2], code=161001)
    call("aclnnGroupNorm", x, weight, bias, *sizes[:2], 99, groups, 1e-5, x, *statistics, code=161002)
    call("aclnnGroupNorm", x, weight, bias, *sizes[:3], 4, 1e-5, x, *statistics, code=161002)


def test_finite_differences():
    """Gradients of a random weighting of the result, by central differences in float64."""
    x, w = noise(3, 4, 5).double(), noise(3, 4, 5, seed=9).double()

    def norm(t):
        rows = t.reshape(3, -1)
        y = (rows - rows.mean(1, keepdim=True)) / torch.sqrt(rows.var(1, correction=0, keepdim=True) + 0.1)
        return (y.reshape(t.shape) * w).sum()

    dx = torch.zeros_like(x)
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=torch.float64)
        step[i] = 1e-6
        dx.view(-1)[i] = (norm(x + step.view_as(x)) - norm(x - step.view_as(x))) / 2e-6
    mean = x.reshape(3, -1).mean(1).reshape(3, 1, 1)
    inverse = 1 / torch.sqrt(x.reshape(3, -1).var(1, correction=0) + 0.1).reshape(3, 1, 1)
    call("aclnnLayerNormBackward", w.float(), x.float(), [4, 5], mean.float(), inverse.float(), None, None,
         [True, False, False], dx.float(), None, None)
    one = torch.arange(3).reshape(1, 3, 1, 1)
    assert one.shape[1] == 3
    batch = x.reshape(1, 3, 4, 5)  # a batch of one image with three channels is normalised like three rows
    call("aclnnBatchNormBackward", w.reshape(1, 3, 4, 5).float(), batch.float(), None, None, None, mean.reshape(3).float(),
         inverse.reshape(3).float(), True, 0.1, [True, False, False], dx.reshape(1, 3, 4, 5).float(), None, None)
    call("aclnnGroupNormBackward", w.reshape(1, 3, 4, 5).float(), batch.float(), mean.reshape(1, 3).float(),
         inverse.reshape(1, 3).float(), None, 1, 3, 20, 3, [True, False, False], dx.reshape(1, 3, 4, 5).float(), None, None)


# ---- Pooling ----

WINDOWS = [  # kernel, stride, padding, dilation, ceil
    ([3, 3], [2, 2], [1, 1], [1, 1], False), ([2], [], [0], [1], False), ([5], [1], [2], [1], False),
    ([3, 2], [2, 3], [1, 0], [2, 1], True), ([2, 3], [3], [1], [1, 2], True), ([1], [1], [0], [1], False),
    ([13, 4], [1, 2], [6, 2], [1], False)]


def mask_of(x, kernel, stride, padding, dilation, ceil):
    return torch.from_numpy(training_formulas.max_pool_mask(x.double().numpy(), kernel, stride, padding, dilation, ceil))


@LAYOUTS
@HALVES
@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("shape", [(2, 3, 14, 17), (3, 15, 40)], ids=str)
def test_max_pool(shape, window, dtype, layout):
    x = (noise(*shape) * 2).round().to(dtype)  # so that elements are equal
    y, indices = torch.ops.aten.max_pool2d_with_indices(x, *window)
    call("aclnnMaxPool2dWithIndices", x, *window, y, indices.int(), exact=True, layout=layout)
    call("aclnnMaxPool2dWithIndices", x, *window, y, indices, exact=True)
    mask = mask_of(x, *window)
    call("aclnnMaxPool2dWithMask", x, *window, y, mask, exact=True, layout=layout)
    dy = noise(*y.shape, dtype=dtype)
    dx = torch.ops.aten.max_pool2d_with_indices_backward(dy.float(), x.float(), *window, indices).to(dtype)
    for places in (indices.int(), indices):
        call("aclnnMaxPool2dWithIndicesBackward", dy, x, places, *window, dx, layout=layout)
    call("aclnnMaxPool2dWithMaskBackward", dy, x, mask, *window, dx, layout=layout)


def test_max_pool_edges():
    x = torch.tensor([[[NAN, 1, -INF, -INF], [2, NAN, -INF, -INF], [NAN, NAN, 3, INF], [0.0, -0.0, 3, 3]]])
    for window in (([2], [], [0], [1], False), ([3], [1], [1], [1], False), ([2], [1], [1], [2], False)):
        y, indices = torch.ops.aten.max_pool2d_with_indices(x, *window)
        call("aclnnMaxPool2dWithIndices", x, *window, y, indices.int(), exact=True)
    empty = torch.empty(0, 3, 4, 4)
    window = ([2], [], [0], [1], False)
    call("aclnnMaxPool2dWithIndices", empty, *window, torch.empty(0, 3, 2, 2), torch.empty(0, 3, 2, 2, dtype=torch.int32))
    call("aclnnMaxPool2dWithIndicesBackward", torch.empty(0, 3, 2, 2), empty, torch.empty(0, 3, 2, 2, dtype=torch.int32),
         *window, empty)
    good, y, indices = numbers(1, 2, 5, 5), torch.zeros(1, 2, 2, 2), torch.zeros(1, 2, 2, 2, dtype=torch.int32)
    for wrong in (([2], [0], [0], [1], False), ([2], [], [2], [1], False), ([0], [], [0], [1], False),
                  ([9], [], [0], [1], False), ([], [], [0], [1], False), ([2] * 3, [], [0], [1], False),
                  ([2], [], [-1], [1], False), ([2], [], [0], [0], False), ([2], [], [], [1], False)):
        call("aclnnMaxPool2dWithIndices", good, *wrong, y, indices, code=161002)
        call("aclnnMaxPool2dWithMask", good, *wrong, y, mask_of(good, [2], [], [0], [1], False), code=161002)
    call("aclnnMaxPool2dWithIndices", good[0, 0].contiguous(), *window, y, indices, code=161002)
    call("aclnnMaxPool2dWithIndices", good, *window, y[:, :, :1].contiguous(), indices, code=161002)
    # An index outside the map is told when the stream is synchronised.
    call("aclnnMaxPool2dWithIndicesBackward", y, good, indices + 25, *window, good, code=507015)
    call("aclnnMaxPool2dWithIndicesBackward", y, good, indices, *window, torch.zeros_like(good))
    call("aclnnMaxPool2dWithMaskBackward", y, good, torch.zeros(1, 2, 4, 64, dtype=torch.int8), *window, good, code=507015)


@LAYOUTS
@HALVES
@pytest.mark.parametrize("window", [w for w in WINDOWS if w[3] == [1] or w[3] == [1, 1]], ids=str)
@pytest.mark.parametrize("shape", [(2, 3, 14, 17), (3, 15, 40)], ids=str)
def test_avg_pool(shape, window, dtype, layout):
    x, (kernel, stride, padding, _, ceil) = noise(*shape, dtype=dtype), window
    for include in (False, True):
        for divisor in (0, 7, -2):
            how = (kernel, stride, padding, ceil, include, divisor or None)
            y = torch.ops.aten.avg_pool2d(x.double(), *how)
            call("aclnnAvgPool2d", x, *how[:5], divisor, 0, y.to(dtype), layout=layout)
            dy = noise(*y.shape, dtype=dtype)
            dx = torch.ops.aten.avg_pool2d_backward(dy.double(), x.double(), *how)
            call("aclnnAvgPool2dBackward", dy, x, *how[:5], divisor, 0, dx.to(dtype), layout=layout)
    call("aclnnAvgPool2d", x, kernel, stride, [9], ceil, True, 0, 0, x, code=161002)
    call("aclnnAvgPool2dBackward", x, x, [9], stride, padding, ceil, True, 0, 0, x, code=161002)


@LAYOUTS
@HALVES
@pytest.mark.parametrize("size", [(1, 1), (3, 4), (7, 7), (14, 17), (20, 31)], ids=str)
@pytest.mark.parametrize("shape", [(2, 3, 14, 17), (3, 15, 40)], ids=str)
def test_adaptive_pool(shape, size, dtype, layout):
    x = noise(*shape, dtype=dtype)
    y = F.adaptive_avg_pool2d(x.double(), size)
    call("aclnnAdaptiveAvgPool2d", x, list(size), y.to(dtype), layout=layout)
    dy = noise(*y.shape, dtype=dtype)
    dx = torch.ops.aten._adaptive_avg_pool2d_backward(dy.double(), x.double())
    call("aclnnAdaptiveAvgPool2dBackward", dy, x, dx.to(dtype), layout=layout)
    call("aclnnAdaptiveAvgPool2d", x, [3], y.to(dtype), code=161002)
    call("aclnnAdaptiveAvgPool2d", x, [-1, 2], y.to(dtype), code=161002)
    call("aclnnAdaptiveAvgPool2dBackward", dy, x[0].contiguous(), dx.to(dtype), code=161002)


# ---- Upsampling and padding ----

SIZES = [((5, 7), (10, 14)), ((5, 7), (15, 21)), ((5, 7), (8, 9)), ((9, 8), (4, 3)), ((5, 7), (5, 7)), ((41, 3), (205, 7)),
         ((1, 6), (4, 1))]


@LAYOUTS
@HALVES
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_upsample_nearest(sizes, dtype, layout):
    (h, w), out = sizes[0], list(sizes[1])
    x, shape = noise(2, 3, h, w, dtype=dtype), [2, 3, h, w]
    y = torch.ops.aten.upsample_nearest2d(x, out)
    call("aclnnUpsampleNearest2d", x, out, y, exact=True, layout=layout)
    dy = noise(*y.shape, dtype=dtype)
    for scales in ((None, None), (1.7, 2.5), (out[0] / h, out[1] / w)):
        own = [-1.0 if s is None else s for s in scales]
        narrow = [None if s is None else float(torch.tensor(s)) for s in scales]  # the interface takes float32 here
        y = torch.ops.aten.upsample_nearest2d(x, out, *narrow)
        call("aclnnUpsampleNearest2dV2", x, out, *own, y, exact=True, layout=layout)
        dx = torch.ops.aten.upsample_nearest2d_backward(dy.double(), out, shape, *scales)
        call("aclnnUpsampleNearest2dBackward", dy, out, shape, *own, dx.to(dtype), layout=layout)


@LAYOUTS
@HALVES
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_upsample_bilinear(sizes, corners, dtype, layout):
    (h, w), out = sizes[0], list(sizes[1])
    x, shape = noise(2, 3, h, w, dtype=dtype), [2, 3, h, w]
    for scales in ((None, None), (1.7, 2.5)):
        own = [0.0 if s is None else s for s in scales]
        y = torch.ops.aten.upsample_bilinear2d(x.double(), out, corners, *scales)
        dy = noise(*y.shape, dtype=dtype)
        dx = torch.ops.aten.upsample_bilinear2d_backward(dy.double(), out, shape, corners, *scales)
        if h == 41 and not corners:  # float32 places are its own
            y, dx = (torch.ops.aten.upsample_bilinear2d(x.float(), out, corners, *scales),
                     torch.ops.aten.upsample_bilinear2d_backward(dy.float(), out, shape, corners, *scales))
        call("aclnnUpsampleBilinear2d", x, out, corners, *own, y.to(dtype), layout=layout)
        for name in ("aclnnUpsampleBilinear2dBackward", "aclnnUpsampleBilinear2dBackwardV2"):
            call(name, dy, out, shape, corners, *own, dx.to(dtype), layout=layout)


def test_upsample_errors():
    x, y = numbers(1, 2, 3, 3), torch.zeros(1, 2, 6, 6)
    for size in ([6], [6, 0], [6, -6], [6, 6, 6]):
        call("aclnnUpsampleNearest2d", x, size, y, code=161002)
        call("aclnnUpsampleBilinear2d", x, size, False, 0.0, 0.0, y, code=161002)
    call("aclnnUpsampleNearest2d", x[0].contiguous(), [6, 6], y, code=161002)
    for out, shape in (([6], [1, 2, 3, 3]), ([6, 6], [1, 2, 3]), ([6, 5], [1, 2, 3, 3]), ([6, 6], [1, 1, 3, 3]),
                       ([6, 6], [1, 2, 0, 3])):
        call("aclnnUpsampleNearest2dBackward", y, out, shape, 0.0, 0.0, x, code=161002)
        call("aclnnUpsampleBilinear2dBackward", y, out, shape, False, 0.0, 0.0, x, code=161002)
        call("aclnnUpsampleBilinear2dBackwardV2", y, out, shape, False, 0.0, 0.0, x, code=161002)
    call("aclnnUpsampleNearest2d", torch.empty(0, 2, 3, 3), [6, 6], torch.empty(0, 2, 6, 6))


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64, torch.int64, torch.int8, torch.bool], ids=str)
def test_constant_pad(dtype, layout):
    x = numbers(3, 4, 5, dtype=torch.int32).to(dtype)
    for pad in ([1, 2], [0, 1, 2, 0], [-1, 2, 1, -2, 0, 3], [], [-5, 2]):
        value = 1 if dtype == torch.bool else 3
        call("aclnnConstantPadNd", x, pad, value, F.pad(x, pad, value=value), exact=True, layout=layout)
    for pad in ([1], [1] * 8, [-3, -3], [0, 0, -5, 0]):
        call("aclnnConstantPadNd", x, pad, 0, x, code=161002)
