# SPDX-License-Identifier: Apache-2.0
"""Scatters that reduce, gradients of embeddings, histograms and long lists, against NumPy; illegal arguments with their codes."""
import os
import sys

import numpy as np
import pytest

sys.path[:0] = [os.path.dirname(__file__)]
import door  # noqa: E402
from door import Tensor  # noqa: E402
from test_counted import arguments, call, refuse, room, run, sample  # noqa: E402

INVALID, NULL = 161002, 161001
REDUCTIONS = ("none", "add", "mul", "max", "min", "mean")
TYPES = ["f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64", "u8"]


def rounded(values, dtype):
    """Values as the type holds them; integers wrap."""
    if dtype[0] in "iu":
        values = np.asarray(values).astype(np.int64)
    return door.decode(door.encode(np.asarray(values), dtype), dtype)


def scatter_reduce(x, dim, index, src, reduce, include_self, dtype):
    want, times = np.array(x), np.zeros(x.shape, np.int64)
    for at in np.ndindex(index.shape):
        place = list(at)
        place[dim] = index[at]
        place = tuple(place)
        value, old = src[at], want[place]
        first = not include_self and times[place] == 0
        times[place] += 1
        want[place] = value if reduce == 0 or first else {1: old + value, 2: old * value, 3: max(old, value), 4: min(old, value),
                                                          5: old + value}[reduce]
    if reduce == 5:
        count = times + include_self
        want = np.where(times > 0, want / np.maximum(count, 1) if dtype[0] in "fb" else want // np.maximum(count, 1), want)
    return rounded(want, dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("reduce", range(6), ids=REDUCTIONS)
def test_scatter_reduce(random, dtype, reduce):
    for number in range(16):
        rank = 1 + number % 4
        shape = tuple(int(d) for d in random.integers(1, 5, rank))
        dim = int(random.integers(-rank, rank))
        index_shape = tuple(int(random.integers(0, 7)) if k == dim % rank else int(random.integers(1, d + 1))
                            for k, d in enumerate(shape))
        src_shape = tuple(d + int(random.integers(0, 2)) for d in index_shape)
        index = random.integers(-shape[dim], shape[dim], index_shape)
        x = Tensor(sample(random, shape, dtype), dtype, door.LAYOUTS[number % 4])
        src = Tensor(sample(random, src_shape, dtype), dtype, door.LAYOUTS[number // 2 % 4])
        indices = Tensor(index, ("i64", "i32")[number % 2], door.LAYOUTS[number // 3 % 4])
        index = indices.values()
        positive = np.where(index < 0, index + shape[dim], index)
        include = bool(number // 4 % 2)
        used = src.values()[tuple(slice(0, d) for d in index_shape)]
        want = scatter_reduce(x.values(), dim % rank, positive, used, reduce, include, dtype)
        out = room(shape, dtype, ("contiguous", "transposed", "sliced")[number % 3])
        rest = (dim, "i64"), indices, src, (reduce, "i64"), (include, "bool")
        call("aclnnScatterReduce", x, *rest, out)
        assert np.array_equal(out.values(), want), (shape, dim, index, include)
        own = Tensor(x.values(), dtype, ("contiguous", "transposed", "sliced")[number % 3])
        call("aclnnInplaceScatterReduce", own, *rest)
        assert np.array_equal(own.values(), want)


def test_scatter_reduce_out_of_range():
    index = Tensor(np.array([0, 5, 1, -6]), "i64")
    out = room((5,), "f32")
    x, src = Tensor(np.zeros(5), "f32"), Tensor(np.arange(1, 5), "f32")
    assert run("aclnnScatterReduce", x, (0, "i64"), index, src, (1, "i64"), (True, "bool"), out) != 0
    assert out.values().tolist() == [1, 3, 0, 0, 0]


def test_scatter_reduce_illegal():
    x, index, src, out = Tensor(np.zeros((2, 3)), "f32"), Tensor(np.zeros((2, 2)), "i64"), Tensor(np.zeros((2, 3)), "f32"), room((2, 3), "f32")
    yes, one, dim = (True, "bool"), (1, "i64"), (1, "i64")
    refuse("aclnnScatterReduce", NULL, "index must not be NULL", x, dim, None, src, one, yes, out)
    refuse("aclnnScatterReduce", INVALID, "reduce is 6 and must be 0 to 5", x, dim, index, src, (6, "i64"), yes, out)
    refuse("aclnnScatterReduce", INVALID, "axis 2", x, (2, "i64"), index, src, one, yes, out)
    refuse("aclnnScatterReduce", INVALID, "must be int32 or int64", x, dim, Tensor(np.zeros((2, 2)), "f32"), src, one, yes, out)
    refuse("aclnnScatterReduce", INVALID, "do not fit", x, dim, Tensor(np.zeros((3, 2)), "i64"), Tensor(np.zeros((3, 3)), "f32"), one, yes, out)
    refuse("aclnnScatterReduce", INVALID, "must lie inside", x, dim, Tensor(np.zeros((2, 4)), "i64"), src, one, yes, out)
    refuse("aclnnScatterReduce", INVALID, "must be float32 [2,3]", x, dim, index, src, one, yes, room((3, 3), "f32"))


# ---- Embedding ----

@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "f64"])
def test_embedding_gradient(random, dtype):
    for number in range(24):
        rank, rows, columns = number % 4, int(random.integers(1, 7)), int(random.integers(1, 40))
        shape = tuple(int(d) for d in random.integers(1, 6, rank))
        index = Tensor(random.integers(0, rows, shape), ("i64", "i32", "i16", "u8")[number % 4], door.LAYOUTS[number % 4])
        grad = Tensor(random.integers(-16, 17, shape + (columns,)) / 8, dtype, door.LAYOUTS[number // 2 % 4])
        padding, scale = int(random.integers(-1, rows)), bool(number % 2)
        want, times = np.zeros((rows, columns)), np.zeros((rows, 1))
        for at in np.ndindex(shape):
            if index.values()[at] != padding:
                want[index.values()[at]] += grad.values()[at]
                times[index.values()[at]] += 1
        want = want / np.maximum(times, 1) if scale else want
        out = room((rows, columns), dtype, ("contiguous", "transposed", "sliced")[number % 3])
        call("aclnnEmbeddingDenseBackward", grad, index, (rows, "u64"), (padding & (2**64 - 1), "u64"), (scale, "bool"), out)
        assert np.allclose(out.values(), want, rtol={"f16": 1e-3, "bf16": 8e-3}.get(dtype, 1e-6), atol=0)


def test_embedding_gradient_out_of_range():
    grad, out = Tensor(np.ones((3, 2)), "f32"), room((4, 2), "f32")
    rest = (4, "u64"), (2**64 - 1, "u64"), (False, "bool"), out
    for bad in (4, -1, 2**40):
        assert run("aclnnEmbeddingDenseBackward", grad, Tensor(np.array([1, bad, 3]), "i64"), *rest) != 0
        assert out.values().tolist() == [[0, 0], [1, 1], [0, 0], [1, 1]]


def test_embedding_gradient_illegal():
    grad, index, out = Tensor(np.ones((3, 2)), "f32"), Tensor(np.zeros(3), "i64"), room((4, 2), "f32")
    rest = (4, "u64"), (0, "u64"), (False, "bool")
    refuse("aclnnEmbeddingDenseBackward", NULL, "grad must not be NULL", None, index, *rest, out)
    refuse("aclnnEmbeddingDenseBackward", INVALID, "no row for each index", grad, Tensor(np.zeros(4), "i64"), *rest, out)
    refuse("aclnnEmbeddingDenseBackward", INVALID, "must be float32 [4,2]", grad, index, *rest, room((3, 2), "f32"))


# ---- Histogram ----

def test_histogram_of_equal_bounds():
    scalars = door.POINTER(door.scalar(0, "f32")), door.POINTER(door.scalar(0, "f32"))
    for values, want in (([1.0, 2.0, 3.0, 4.0, 5.0], [2, 1, 2]), ([7.0, 7.0], [0, 2, 0]), ([], [0, 0, 0])):
        x, out = Tensor(np.array(values), "f32"), room((3,), "f32")
        made = arguments(x, (3, "i64")) + list(scalars) + arguments(out)
        assert door.run("aclnnHistc", made) == 0
        assert out.values().tolist() == want
    x, out = Tensor(np.array([1, np.nan]), "f32"), room((3,), "f32")
    assert door.run("aclnnHistc", arguments(x, (3, "i64")) + list(scalars) + arguments(out)) != 0


def test_histogram_leaves_out_nan_and_what_lies_outside():
    bounds = [door.POINTER(door.scalar(v, "f64")) for v in (0.0, 4.0)]
    x, out = Tensor(np.array([-1, 0, 0.5, 4, 4.5, np.nan, np.inf, 3]), "f32"), room((4,), "i32")
    assert door.run("aclnnHistc", arguments(x, (4, "i64")) + bounds + arguments(out)) == 0
    assert out.values().tolist() == [2, 0, 0, 2]
    code, _, _ = door.phase_one("aclnnHistc", arguments(x, (0, "i64")) + bounds + arguments(out))
    assert code == INVALID and "bins is 0" in door.message()
    code, _, _ = door.phase_one("aclnnHistc", arguments(x, (4, "i64")) + bounds[::-1] + arguments(out))
    assert code == INVALID and "ascending" in door.message()


# ---- Lists that are longer than an operator's inputs ----

@pytest.mark.parametrize("count", [64, 65, 200, 4097])
def test_long_lists(random, count):
    items = [Tensor(random.integers(-9, 9, (2, int(random.integers(0, 4)))), ("f32", "f16")[i % 2], door.LAYOUTS[i % 3])
             for i in range(count)]
    want = np.concatenate([t.values() for t in items], 1)
    out = room(want.shape, "f32")
    call("aclnnCat", items, (-1, "i64"), out)
    assert np.array_equal(out.values(), want)
    items = [Tensor(random.integers(-9, 9, (2, 3)), "i32", door.LAYOUTS[i % 4]) for i in range(count)]
    want = np.stack([t.values() for t in items], 1)
    out = room(want.shape, "i32", "sliced")
    call("aclnnStack", items, (1, "i64"), out)
    assert np.array_equal(out.values(), want)
