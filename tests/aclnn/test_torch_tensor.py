# SPDX-License-Identifier: Apache-2.0
"""Indexing, shapes that depend on data, scatters, linear algebra and complex elements against PyTorch on the CPU."""
import os
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sys.path[:0] = [os.path.dirname(__file__)]
import door  # noqa: E402
import test_complex  # noqa: E402
from door import Tensor  # noqa: E402
from test_counted import call, result, room, run  # noqa: E402

TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8, "i16": torch.int16,
         "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "bool": torch.bool, "c64": torch.complex64, "c128": torch.complex128}
LAYOUTS = ("contiguous", "transposed", "sliced")


def torch_of(tensor):
    return torch.from_numpy(np.array(tensor.values())).to(TYPES[tensor.dtype])


def numpy_of(tensor):
    return tensor.double().numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def same(have, want, eps=0.0):
    want = numpy_of(want)
    assert have.shape == want.shape
    assert np.allclose(have, want, rtol=eps, atol=eps, equal_nan=want.dtype.kind in "fc"), (have, want)


def values(random, shape, dtype):
    return random.integers(0, 2, shape) if dtype == "bool" else random.integers(0 if dtype == "u8" else -3, 4, shape)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "f64", "i8", "i64", "bool"])
def test_index_and_put(random, dtype):
    for number in range(30):
        shape = tuple(int(d) for d in random.integers(1, 5, 1 + number % 4))
        x = Tensor(values(random, shape, dtype), dtype, LAYOUTS[number % 3])
        base = tuple(int(d) for d in random.integers(1, 4, number % 3))
        picked = [None if random.integers(3) == 0 else random.integers(-d, d, base) for d in shape[:1 + int(random.integers(len(shape)))]]
        if all(p is None for p in picked):
            picked[0] = random.integers(-shape[0], shape[0], base)
        tensors = [room((0,), dtype) if p is None else Tensor(p, "i64") for p in picked]
        at = tuple(slice(None) if p is None else torch.from_numpy(np.asarray(p)) for p in picked)
        t = torch_of(x)
        want = t[at]
        out = room(tuple(want.shape), dtype)
        call("aclnnIndex", x, tensors, out)
        same(out.values(), want)
        put = Tensor(values(random, tuple(want.shape), dtype) * (1 if dtype[0] in "bi" and dtype != "bf16" else 0.7), dtype)
        for accumulate in (False, True):
            if dtype in ("f16", "bf16") and accumulate:
                continue  # PyTorch's order of roundings depends on its threads
            own, expected = Tensor(x.values(), dtype), t.clone()
            # Repeated places: PyTorch leaves open which value stays.
            if not accumulate and torch.arange(t.numel()).reshape(t.shape)[at].unique().numel() < want.numel():
                continue
            torch.ops.aten.index_put_(expected, [None if p is None else torch.from_numpy(np.asarray(p)) for p in picked], torch_of(put), accumulate)
            call("aclnnIndexPutImpl", own, tensors, put, (accumulate, "bool"), (False, "bool"))
            same(own.values(), expected, 1e-6 if dtype in ("f32", "f64") else 0)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "f64", "i8", "i64", "u8", "bool"])
def test_shapes_that_depend_on_data(random, dtype):
    for number in range(20):
        shape = tuple(int(d) for d in random.integers(0 if number == 9 else 1, 5, number % 5))
        x = Tensor(values(random, shape, dtype), dtype, LAYOUTS[number % 3])
        t, count = torch_of(x), int(np.prod(shape))
        out = room((count, len(shape)))
        call("aclnnNonzero", x, out)
        same(result(out), t.nonzero())
        mask = Tensor(random.integers(0, 2, shape), "bool")
        out = room((count,), dtype)
        call("aclnnMaskedSelect", x, mask, out)
        same(result(out), t.masked_select(torch_of(mask)))
        yes = (True, "bool")
        if dtype in ("f16", "bf16", "bool") and number == 9:
            continue
        want = torch._unique2(t, True, True, True)
        out = room((count,), dtype), room(shape), room((count,))
        call("aclnnUnique2", x, yes, yes, yes, *out)
        for have, expected in zip(out, want):
            same(result(have), expected)
        want = torch.unique_consecutive(t, return_inverse=True, return_counts=True)
        out = room((count,), dtype), room(shape), room((count,))
        call("aclnnUniqueConsecutive", x, yes, yes, (1000, "i64"), *out)
        for have, expected in zip(out, want):
            same(result(have), expected)
        for dim in range(len(shape) if count else 0):
            want = torch.unique(t, return_inverse=True, return_counts=True, dim=dim)
            out = room(shape, dtype), room((shape[dim],)), room((shape[dim],))
            call("aclnnUniqueDim", x, yes, yes, (dim, "i64"), *out)
            for have, expected in zip(out, want):
                same(result(have), expected)


def test_nan_is_unique():
    x = Tensor(np.array([np.nan, 1, np.nan, -0.0, 0.0, np.inf]), "f32")
    out = room((6,), "f32"), room((6,)), room((6,))
    call("aclnnUnique2", x, (True, "bool"), (True, "bool"), (True, "bool"), *out)
    for have, expected in zip(out, torch._unique2(torch_of(x), True, True, True)):
        same(result(have), expected)


@pytest.mark.parametrize("dtype", ["f32", "f64", "i32", "i64"])
@pytest.mark.parametrize("number, name", [(1, "sum"), (2, "prod"), (3, "amax"), (4, "amin"), (5, "mean")])
def test_scatter_reduce(random, dtype, number, name):
    for round_ in range(12):
        shape = tuple(int(d) for d in random.integers(1, 5, 1 + round_ % 3))
        dim, include = int(random.integers(len(shape))), bool(round_ & 1)
        index = random.integers(0, shape[dim], tuple(6 if k == dim else d for k, d in enumerate(shape)))
        x, src = Tensor(values(random, shape, dtype), dtype), Tensor(values(random, index.shape, dtype), dtype)
        want = torch_of(x).scatter_reduce(dim, torch.from_numpy(index), torch_of(src), name, include_self=include)
        out = room(shape, dtype)
        call("aclnnScatterReduce", x, (dim, "i64"), Tensor(index, "i64"), src, (number, "i64"), (include, "bool"), out)
        same(out.values(), want, 1e-6)


def test_embedding_gradient(random):
    for round_ in range(12):
        index = random.integers(0, 5, (3, 4))
        grad = Tensor(random.standard_normal((3, 4, 7)), "f32", LAYOUTS[round_ % 3])
        padding, scale = int(random.integers(-1, 5)), bool(round_ & 1)
        want = torch.ops.aten.embedding_dense_backward(torch_of(grad), torch.from_numpy(index), 5, padding, scale)
        out = room((5, 7), "f32")
        call("aclnnEmbeddingDenseBackward", grad, Tensor(index, "i64"), (5, "u64"), (padding & (2**64 - 1), "u64"), (scale, "bool"), out)
        same(out.values(), want, 1e-6)


def with_numbers(name, before, numbers, after):
    scalars = [door.POINTER(door.scalar(value, "f64")) for value in numbers]
    from test_counted import arguments
    assert door.run(name, arguments(*before) + scalars + arguments(*after)) == 0, door.message()


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_histograms_and_spaces(random, dtype):
    for round_ in range(20):
        x = Tensor(random.uniform(-4, 4, (5, 6)), dtype, LAYOUTS[round_ % 3])
        bins, low = int(random.integers(1, 20)), int(random.integers(-4, 1))
        high = low if round_ % 5 == 0 else low + int(random.integers(1, 6))
        out = room((bins,), dtype)
        with_numbers("aclnnHistc", (x, (bins, "i64")), (low, high), (out,))
        same(out.values(), torch.histc(torch_of(x), bins, low, high))
        steps, start, end = int(random.integers(0, 30)), float(random.uniform(-3, 3)), float(random.uniform(-3, 3))
        out = room((steps,), dtype)
        with_numbers("aclnnLinspace", (), (start, end), ((steps, "i64"), out))
        same(out.values(), torch.linspace(start, end, steps, dtype=TYPES[dtype]), 1e-6 if dtype == "f32" else 1e-14)
        with_numbers("aclnnLogSpace", (), (start, end), ((steps, "i64"), (2.5, "f64"), out))
        same(out.values(), torch.logspace(start, end, steps, 2.5, dtype=TYPES[dtype]), 1e-5 if dtype == "f32" else 1e-12)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_linear_algebra(random, dtype):
    eps = 1e-5 if dtype == "f32" else 1e-12
    for round_ in range(12):
        m, n = (int(d) for d in random.integers(1, 9, 2))
        a = Tensor(random.standard_normal((2, m, n)), dtype, LAYOUTS[round_ % 3])
        k = min(m, n)
        q, r = room((2, m, k), dtype), room((2, k, n), dtype)
        call("aclnnLinalgQr", a, (0, "i64"), q, r)
        for have, want in zip((q, r), torch.linalg.qr(torch_of(a))):
            same(have.values(), want, eps)
        sigma, off = room((2, k), dtype), room((0,), dtype)
        call("aclnnSvd", a, (False, "bool"), (False, "bool"), sigma, off, off)
        same(sigma.values(), torch.linalg.svdvals(torch_of(a)), eps)
        square = Tensor(random.standard_normal((2, m, m)) + 4 * np.eye(m), dtype)
        inverse = room((2, m, m), dtype)
        call("aclnnInverse", square, inverse)
        same(inverse.values(), torch.inverse(torch_of(square)), eps)
        x, clone = room((2, m, n), dtype), room((2, m, m), dtype)
        upper, transposed = bool(round_ & 1), bool(round_ & 2)
        call("aclnnTriangularSolve", a, square, (upper, "bool"), (transposed, "bool"), (False, "bool"), x, clone)
        want = torch.triangular_solve(torch_of(a), torch_of(square), upper, transposed)
        same(x.values(), want[0], eps)
        same(clone.values(), want[1], eps)


def test_types_of_complex_results(random):
    """PyTorch's promotion with complex tensors, tensors of rank 0 and numbers."""
    kinds = ["c64", "c128", "f32", "f64", "f16", "i64", "bool"]
    for a in kinds:
        for b in kinds:
            for other_shape in ((3,), ()):
                x, y = Tensor(values(random, (3,), a), a), Tensor(values(random, other_shape, b), b)
                want = torch_of(x) * torch_of(y)
                if want.dtype not in (torch.complex64, torch.complex128):
                    continue
                dtype = "c64" if want.dtype == torch.complex64 else "c128"
                out = room((3,), dtype)
                call("aclnnMul", x, y, out)
                same(out.values(), want, 1e-6)
                if dtype == "c128":  # one type lower does not do: the result is computed in float64 all the same
                    continue
                wide = room((3,), "c128")
                call("aclnnMul", x, y, wide)
                same(wide.values(), want.to(torch.complex128), 1e-6)


def test_complex_functions(random):
    for dtype in ("c64", "c128"):
        x = Tensor(test_complex.numbers(random, (4, 5), dtype) + 0.25, dtype, "transposed")
        y = Tensor(test_complex.numbers(random, (4, 5), dtype) + 0.25, dtype, "sliced")
        a, b = torch_of(x), torch_of(y)
        eps = 1e-6 if dtype == "c64" else 1e-14
        out = room((4, 5), dtype)
        for name, want in (("aclnnMul", a * b), ("aclnnDiv", a / b)):
            call(name, x, y, out)
            same(out.values(), want, eps)
        call("aclnnReciprocal", x, out)
        same(out.values(), a.reciprocal(), eps)
        part = room((4, 5), "f32" if dtype == "c64" else "f64")
        call("aclnnAbs", x, part)
        same(part.values(), a.abs(), eps)
