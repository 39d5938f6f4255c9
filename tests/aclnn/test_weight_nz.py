# SPDX-License-Identifier: Apache-2.0
"""Products with weights in the format FRACTAL_NZ, and addmm-like operators whose beta is 0."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(__file__))
import door  # noqa: E402
from door import POINTER, Tensor  # noqa: E402

ND, NZ = 2, 29
SIZE = {"f32": 4, "f16": 2, "bf16": 2}
EPSILON = {"f32": 1e-6, "f16": 1e-3, "bf16": 8e-3}


def fractal(matrix, block):
    """[batch..., rows, columns] as [batch..., column blocks, row blocks, 16, block]; what is added holds 99."""
    *lead, rows, columns = matrix.shape
    padded = np.full((*lead, -(-rows // 16) * 16, -(-columns // block) * block), 99.0)
    padded[..., :rows, :columns] = matrix
    parts = padded.reshape(*lead, padded.shape[-2] // 16, 16, padded.shape[-1] // block, block)
    return np.ascontiguousarray(np.moveaxis(parts, -2, -4))


class Weights:
    """A matrix in blocks; the view is that matrix, its transposition or the storage itself."""

    def __init__(self, matrix, dtype, view="plain", format=NZ):
        block = {50: 16, 52: 2}.get(format, 32 // SIZE[dtype])
        stored = fractal(matrix, block)
        self.data = door.encode(stored, dtype)
        shape, strides = list(matrix.shape), [int(np.prod(matrix.shape[k + 1:])) for k in range(matrix.ndim)]
        if view == "transposed":
            shape[-2:], strides[-2:] = shape[:-3:-1], strides[:-3:-1]
        elif view == "storage":
            shape, strides = list(stored.shape), [int(np.prod(stored.shape[k + 1:])) for k in range(stored.ndim)]
        storage = list(stored.shape)
        self.arguments = [door.int64_array(shape), ctypes.c_uint64(len(shape)), door.DTYPES[dtype][0], door.int64_array(strides),
                          ctypes.c_int64(0), format, door.int64_array(storage), ctypes.c_uint64(len(storage)),
                          POINTER(self.data.ctypes.data)]

    def handle(self):
        return POINTER(door.function("aclCreateTensor")(*self.arguments))


def uniform(seed, *shape):
    return np.random.default_rng(seed).uniform(-1, 1, shape)


def rounded(array, dtype):
    return door.decode(door.encode(array, dtype), dtype).astype(np.float64)


@pytest.mark.parametrize("dtype", SIZE)
@pytest.mark.parametrize("k,n", [(16, 16), (33, 20), (7, 50), (64, 8)])
@pytest.mark.parametrize("view", ["plain", "transposed"])
def test_products(dtype, k, n, view):
    a, b = rounded(uniform(1, 5, k), dtype), rounded(uniform(2, k, n), dtype)
    x = Tensor(a, dtype, "sliced")
    for name in ("aclnnMatmulWeightNz", "aclnnMm", "aclnnMatmul"):
        weights = Weights(b.T.copy() if view == "transposed" else b, dtype, view)
        out = Tensor(np.zeros((5, n)), dtype, "contiguous")
        assert door.run(name, [POINTER(x.handle), weights.handle(), POINTER(out.handle), door.CTYPES["i8"](1)]) == 0, door.message()
        assert np.allclose(out.values(), a @ b, atol=8 * EPSILON[dtype], rtol=EPSILON[dtype])


def test_batches_and_storage():
    a, b = uniform(1, 3, 5, 32), uniform(2, 3, 32, 24)
    x, out = Tensor(a, "f32", "contiguous"), Tensor(np.zeros((3, 5, 24)), "f32", "contiguous")
    for view in ("plain", "storage"):
        weights = Weights(b, "f32", view)
        assert door.run("aclnnBatchMatMulWeightNz", [POINTER(x.handle), weights.handle(), POINTER(out.handle),
                                                     door.CTYPES["i8"](0)]) == 0, door.message()
        assert np.allclose(out.values(), a @ b, atol=1e-5)
    weights = Weights(np.swapaxes(b, 1, 2).copy(), "f32", "transposed", format=50)
    assert door.run("aclnnBatchMatMulWeightNz", [POINTER(x.handle), weights.handle(), POINTER(out.handle),
                                                 door.CTYPES["i8"](0)]) == 0, door.message()
    assert np.allclose(out.values(), a @ b, atol=1e-5)


def test_addmm():
    a, b, bias = uniform(1, 5, 20), uniform(2, 20, 12), uniform(3, 12)
    tensors = [Tensor(t, "f16", "contiguous") for t in (bias, a)]
    out = Tensor(np.zeros((5, 12)), "f16", "contiguous")
    weights = Weights(b, "f16")
    assert door.run("aclnnAddmmWeightNz", [*[POINTER(t.handle) for t in tensors], weights.handle(), POINTER(door.scalar(2, "i64")),
                                           POINTER(door.scalar(0.5, "f32")), POINTER(out.handle), door.CTYPES["i8"](0)]) == 0
    assert np.allclose(out.values(), 2 * bias + 0.5 * a @ b, atol=4e-3)


def test_refused():
    x, out = Tensor(uniform(1, 5, 20), "f32", "contiguous"), Tensor(np.zeros((5, 12)), "f32", "contiguous")
    for change, words in (((4, ctypes.c_int64(1)), "offset"), ((6, door.int64_array([1, 1, 16, 8])), "storage"),
                          ((1, ctypes.c_uint64(1)), "dimensions")):
        weights = Weights(uniform(2, 20, 12), "f32")
        weights.arguments[change[0]] = change[1]
        code, _, _ = door.phase_one("aclnnMatmulWeightNz", [POINTER(x.handle), weights.handle(), POINTER(out.handle),
                                                            door.CTYPES["i8"](0)])
        assert code == 161002 and words in door.message()
    code, _, _ = door.phase_one("aclnnMatmulWeightNz", [POINTER(x.handle), POINTER(out.handle), Weights(uniform(2, 5, 12), "f32").handle(),
                                                        door.CTYPES["i8"](0)])
    assert code == 161002 and "out has format FRACTAL_NZ" in door.message()


BETA = [("aclnnAddmm", (4, 5), [(4, 3), (3, 5)], True), ("aclnnAddmm", (5,), [(4, 3), (3, 5)], True),
        ("aclnnAddmmWeightNz", (5,), [(4, 3), (3, 5)], True), ("aclnnBaddbmm", (2, 4, 5), [(2, 4, 3), (2, 3, 5)], True),
        ("aclnnAddmv", (4,), [(4, 3), (3,)], True), ("aclnnAddr", (4, 5), [(4,), (5,)], False)]


@pytest.mark.parametrize("name,shape,operands,cube", BETA)
@pytest.mark.parametrize("dtype", ["f32", "f16", "f64"])
def test_beta_of_zero(name, shape, operands, cube, dtype):
    """What self holds does not reach the result then, as in PyTorch; other numbers carry NaN on."""
    a, b = (uniform(i, *s) for i, s in enumerate(operands))
    want = np.outer(a, b) if name == "aclnnAddr" else a @ b
    for beta in (0, 0.0, 1):
        self = Tensor(np.full(shape, np.nan), dtype, "contiguous")
        tensors = [Tensor(t, dtype, "contiguous") for t in (a, b)]
        out = Tensor(np.zeros(want.shape), dtype, "contiguous")
        numbers = [POINTER(door.scalar(beta, "i64" if isinstance(beta, int) else "f64")), POINTER(door.scalar(1, "i64"))]
        if name == "aclnnAddmv":
            numbers.reverse()
        arguments = [POINTER(self.handle), *[POINTER(t.handle) for t in tensors], *numbers, POINTER(out.handle)]
        assert door.run(name, arguments + ([door.CTYPES["i8"](0)] if cube else [])) == 0, door.message()
        if beta:
            assert np.all(np.isnan(out.values()))
        else:
            assert np.allclose(out.values(), want, atol=4e-3 if dtype == "f16" else 1e-6)
