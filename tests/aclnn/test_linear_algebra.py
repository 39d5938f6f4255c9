# SPDX-License-Identifier: Apache-2.0
"""Decompositions and solvers against what they must satisfy, with the bounds that their headers state, and NumPy's values."""
import os
import sys

import numpy as np
import pytest

sys.path[:0] = [os.path.dirname(__file__)]
import door  # noqa: E402
from door import Tensor  # noqa: E402
from test_counted import call, refuse, room, run  # noqa: E402

INVALID, NULL = 161002, 161001
EPS = 2.0**-52
ROUNDING = {"f64": 0.0, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
LAYOUTS = ("contiguous", "transposed", "sliced")


def norm(x):
    return np.sqrt((np.abs(x)**2).sum(axis=(-2, -1)))


def size(dims):
    return [int(d) for d in dims]


def matrices(random, kind, batch, m, n):
    """Full rank, of low rank, badly scaled, zero, or a triangle with equal singular values."""
    x = random.standard_normal(batch + (m, n))
    if kind == "low rank":
        r = max(1, min(m, n) // 2)
        x = random.standard_normal(batch + (m, r)) @ random.standard_normal(batch + (r, n))
    elif kind == "scaled":
        x = x * 10.0**random.integers(-8, 9, n)
    elif kind == "huge":
        x = x * 1e300
    elif kind == "tiny":
        x = x * 1e-300
    elif kind == "zero":
        x = x * 0
    elif kind == "identity":
        x = np.broadcast_to(np.eye(m, n), batch + (m, n))
    return x


KINDS = ("full", "low rank", "scaled", "huge", "tiny", "zero", "identity")


def cases(random, rounds):
    for number in range(rounds):
        m, n = size(random.integers(1, 9 if number % 3 else 40, 2))
        batch = tuple(size(random.integers(1, 4, number % 3)))
        yield number, batch, m, n, KINDS[number % len(KINDS)]


def check_orthonormal(q, limit):
    error = norm(np.swapaxes(q, -1, -2) @ q - np.eye(q.shape[-1]))
    assert np.all(error <= limit), error.max()


@pytest.mark.parametrize("dtype", ["f64", "f32"])
@pytest.mark.parametrize("mode", range(3))
def test_qr(random, dtype, mode):
    for number, batch, m, n, kind in cases(random, 42):
        if dtype == "f32" and kind in ("huge", "tiny"):
            continue
        k = min(m, n)
        x = Tensor(matrices(random, kind, batch, m, n), dtype, LAYOUTS[number % 3])
        q_shape = batch + ((m, k), (m, m))[mode] if mode < 2 else (0,)
        q, r = room(q_shape, dtype, LAYOUTS[number // 2 % 3]), room(batch + ((m, n) if mode == 1 else (k, n)), dtype)
        call("aclnnLinalgQr", x, (mode, "i64"), q, r)
        a, upper = x.values(), r.values()
        assert np.array_equal(upper, np.triu(upper))
        if kind not in ("huge", "tiny"):
            want = np.linalg.qr(a, "complete" if mode == 1 else "reduced")[1]
            if kind in ("full", "identity"):
                assert np.allclose(upper, want, rtol=1e-5 if dtype == "f32" else 1e-10, atol=1e-5 if dtype == "f32" else 1e-10)
        if mode == 2:
            continue
        unit, limit = EPS + ROUNDING[dtype], 8 * m * np.sqrt(k)
        check_orthonormal(q.values(), (m if mode == 1 else 1) * limit * unit)
        scale = np.abs(a).max() or 1.0
        error = norm(q.values() @ (upper / scale) - a / scale)
        assert np.all(error <= limit * unit * norm(a / scale)), (kind, m, n, error)


@pytest.mark.parametrize("dtype", ["f64", "f32"])
@pytest.mark.parametrize("full", [False, True])
def test_svd(random, dtype, full):
    for number, batch, m, n, kind in cases(random, 42):
        if dtype == "f32" and kind in ("huge", "tiny"):
            continue
        k = min(m, n)
        x = Tensor(matrices(random, kind, batch, m, n), dtype, LAYOUTS[number % 3])
        sigma = room(batch + (k,), dtype, LAYOUTS[number // 2 % 3])
        u = room(batch + (m, m if full else k), dtype, LAYOUTS[number // 3 % 3])
        v = room(batch + (n, n if full else k), dtype, LAYOUTS[number // 4 % 3])
        call("aclnnSvd", x, (full, "bool"), (True, "bool"), sigma, u, v)
        a, s = x.values(), sigma.values()
        unit, large = EPS + ROUNDING[dtype], max(m, n)
        assert np.all(s >= 0) and np.all(s[..., 1:] <= s[..., :-1])
        check_orthonormal(u.values(), 8 * large * np.sqrt(large) * unit)
        check_orthonormal(v.values(), 8 * large * np.sqrt(large) * unit)
        scale = np.abs(a).max() or 1.0
        product = (u.values()[..., :k] * (s / scale)[..., None, :]) @ np.swapaxes(v.values()[..., :k], -1, -2)
        error = norm(product - a / scale)
        assert np.all(error <= 16 * large * unit * norm(a / scale)), (kind, m, n, error)
        want = np.linalg.svd(a / scale, compute_uv=False)
        assert np.allclose(s / scale, want, rtol=0, atol=16 * large * unit * max(want.max(), 0))
        alone, off = room(batch + (k,), dtype), room((0,), dtype)
        call("aclnnSvd", x, (full, "bool"), (False, "bool"), alone, off, off)
        assert np.array_equal(alone.values(), s)


def test_svd_of_small_values():
    """Jacobi keeps the relative precision of columns of very different size."""
    x = Tensor(np.diag([1e-200, 1.0, 1e-30, 1e20]), "f64")
    sigma, off = room((4,), "f64"), room((0,), "f64")
    call("aclnnSvd", x, (False, "bool"), (False, "bool"), sigma, off, off)
    assert np.allclose(sigma.values(), [1e20, 1.0, 1e-30, 1e-200], rtol=1e-14, atol=0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_svd_without_values(bad):
    x = Tensor(np.array([[[1.0, 2], [3, bad]], [[1, 0], [0, 2]]]), "f64")
    sigma, off = Tensor(np.full((2, 2), -1), "f64"), room((0,), "f64")
    assert run("aclnnSvd", x, (False, "bool"), (False, "bool"), sigma, off, off) != 0
    assert sigma.values().tolist() == [[-1, -1], [2, 1]]
    assert door.function("aclrtSynchronizeStream")(None) == 0


@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "bf16"])
def test_triangular_solve(random, dtype):
    for number in range(48):
        n, columns = size(random.integers(1, 12, 2))
        batch = tuple(size(random.integers(1, 4, number % 3)))
        upper, transpose, unit = bool(number & 1), bool(number & 2), bool(number & 4)
        a_batch = tuple(1 if random.integers(3) == 0 else d for d in batch[int(random.integers(len(batch) + 1)):])
        b_batch = batch if len(a_batch) < len(batch) or 1 in a_batch else a_batch
        values = random.uniform(-1, 1, a_batch + (n, n)) / n + np.eye(n) * 2
        a, b = Tensor(values, dtype, LAYOUTS[number % 3]), Tensor(random.uniform(-2, 2, b_batch + (n, columns)), dtype, LAYOUTS[number // 3 % 3])
        t = np.triu(a.values()) if upper else np.tril(a.values())
        if unit:
            t = t - t * np.eye(n) + np.eye(n)
        t = np.swapaxes(t, -1, -2) if transpose else t
        want = np.linalg.solve(t, b.values())
        x, m = room(want.shape, dtype, LAYOUTS[number // 2 % 3]), room(want.shape[:-2] + (n, n), dtype)
        call("aclnnTriangularSolve", b, a, (upper, "bool"), (transpose, "bool"), (unit, "bool"), x, m)
        assert np.allclose(x.values(), want, rtol=2 * ROUNDING[dtype] + 1e-12, atol=1e-12 + ROUNDING[dtype] / 64)
        assert np.array_equal(m.values(), np.broadcast_to(a.values(), m.shape))


@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "bf16"])
def test_inverse(random, dtype):
    for number in range(30):
        n, batch = int(random.integers(1, 20)), tuple(size(random.integers(1, 4, number % 3)))
        values = random.standard_normal(batch + (n, n)) + 4 * np.eye(n)[random.permutation(n)] * np.sqrt(n)
        x, out = Tensor(values, dtype, LAYOUTS[number % 3]), room(values.shape, dtype, LAYOUTS[number // 3 % 3])
        call("aclnnInverse", x, out)
        want = np.linalg.inv(x.values())
        assert np.allclose(out.values(), want, rtol=2 * ROUNDING[dtype] + 1e-11, atol=1e-12 + ROUNDING[dtype] / 64)


def test_no_inverse():
    x = Tensor(np.array([[[1.0, 2], [2, 4]], [[2, 0], [0, 4]]]), "f32")
    out = Tensor(np.full((2, 2, 2), -1), "f32")
    assert run("aclnnInverse", x, out) != 0
    assert out.values().tolist() == [[[-1, -1], [-1, -1]], [[0.5, 0], [0, 0.25]]]


def test_illegal_arguments():
    x, square, line = room((2, 3), "f32"), room((2, 2), "f32"), room((3,), "f32")
    no = (False, "bool")
    refuse("aclnnInverse", NULL, "self must not be NULL", None, square)
    refuse("aclnnInverse", INVALID, "no square matrices", x, x)
    refuse("aclnnInverse", INVALID, "must be float32 [2,2]", square, x)
    refuse("aclnnInverse", INVALID, "", room((2, 2), "i32"), room((2, 2), "i32"))
    refuse("aclnnLinalgQr", NULL, "R must not be NULL", x, (0, "i64"), square, None)
    refuse("aclnnLinalgQr", INVALID, "mode is 3 and must be 0 to 2", x, (3, "i64"), square, x)
    refuse("aclnnLinalgQr", INVALID, "are no matrices", line, (0, "i64"), square, x)
    refuse("aclnnLinalgQr", INVALID, "must be float32 [2,2]", x, (0, "i64"), x, x)
    refuse("aclnnSvd", INVALID, "must be float32 [2]", x, no, (True, "bool"), line, square, room((3, 2), "f32"))
    refuse("aclnnSvd", INVALID, "must be float32 [3,2]", x, no, (True, "bool"), room((2,), "f32"), square, x)
    refuse("aclnnTriangularSolve", INVALID, "no square matrices", square, x, no, no, no, square, square)
    refuse("aclnnTriangularSolve", INVALID, "does not fit matrices", room((3, 2), "f32"), square, no, no, no, square, square)
    refuse("aclnnTriangularSolve", INVALID, "must be float32 [2,3]", x, square, no, no, no, square, square)


def test_bits_do_not_depend_on_batches(random):
    """Each matrix is the work of one core: alone or among others, it has the same bits."""
    values = random.standard_normal((5, 13, 7))
    u, sigma, v = room((5, 13, 7), "f64"), room((5, 7), "f64"), room((5, 7, 7), "f64")
    call("aclnnSvd", Tensor(values, "f64"), (False, "bool"), (True, "bool"), sigma, u, v)
    for i in range(5):
        one = room((13, 7), "f64"), room((7,), "f64"), room((7, 7), "f64")
        call("aclnnSvd", Tensor(values[i], "f64"), (False, "bool"), (True, "bool"), one[1], one[0], one[2])
        assert np.array_equal(one[1].values(), sigma.values()[i]) and np.array_equal(one[0].values(), u.values()[i])
