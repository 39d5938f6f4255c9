# SPDX-License-Identifier: Apache-2.0
"""Outputs whose shape depends on data, against NumPy: the first phase takes the largest shape, and after a synchronise
aclGetViewShape of the same tensor tells the real one. Indexing by tuples of indices, which has no formula of the table."""
import ctypes
import itertools
import os
import sys

import numpy as np
import pytest

sys.path[:0] = [os.path.dirname(__file__)]
import door  # noqa: E402
from door import Tensor  # noqa: E402

TYPES = ["f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"]
INVALID, NULL = 161002, 161001


def getter(tensor, name):
    numbers, count = ctypes.POINTER(ctypes.c_int64)(), ctypes.c_uint64()
    assert door.function(name)(door.POINTER(tensor.handle), ctypes.byref(numbers), ctypes.byref(count)) == 0
    found = [numbers[i] for i in range(count.value)]
    release = ctypes.CDLL(None).free
    release(ctypes.cast(numbers, ctypes.c_void_p))
    return found


def view_shape(tensor):
    return tuple(getter(tensor, "aclGetViewShape"))


def arguments(*values):
    """Tensors, numbers with their C type as (value, type), lists of tensors."""
    made = []
    for value in values:
        if isinstance(value, Tensor):
            made.append(door.POINTER(value.handle))
        elif isinstance(value, list):
            made.append(door.list_of("Tensor", [item.handle for item in value]))
        elif value is None:
            made.append(None)
        else:
            made.append(door.CTYPES[value[1]](value[0]))
    return made


def run(name, *values):
    """The code of a call; the tensors, which own their storage, live until it is over."""
    return door.run(name, arguments(*values))


def call(name, *values):
    code = run(name, *values)
    assert code == 0, f"{name}: {code} {door.message()}"


def refuse(name, code, words, *values):
    have, size, executor = door.phase_one(name, arguments(*values))
    text = door.message()
    assert have == code and name in text and words in text, f"{have} {text}"
    assert size == 0 and not executor.value


def result(tensor):
    """What the output holds in its real shape and strides."""
    shape, strides = view_shape(tensor), getter(tensor, "aclGetViewStrides")
    item = tensor.storage.itemsize
    view = np.lib.stride_tricks.as_strided(tensor.storage[tensor.offset:], shape, [s * item for s in strides])
    return door.decode(np.array(view, order="C"), tensor.dtype)


def sample(random, shape, dtype):
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    return random.integers(0 if dtype[0] == "u" else -2, 3, shape)


def room(shape, dtype="i64", layout="contiguous"):
    return Tensor(np.zeros(shape, np.int64), dtype, layout)


def shapes(random, count):
    for rank in range(count):
        yield tuple(int(d) for d in random.integers(1, 4, rank % 7))
    yield (0,)
    yield (3, 0, 2)


# ---- nonzero and masked_select ----

@pytest.mark.parametrize("dtype", TYPES)
def test_nonzero(random, dtype):
    for number, shape in enumerate(shapes(random, 14)):
        layout = door.LAYOUTS[number % 4]
        x = Tensor(sample(random, shape, dtype), dtype, layout)
        want = np.argwhere(x.values()) if shape else np.zeros((int(x.values() != 0), 0), np.int64)
        out_layout = ("contiguous", "sliced")[number // 4 % 2]
        out = room((int(np.prod(shape)), len(shape)), "i64", out_layout)
        call("aclnnNonzero", x, out)
        assert view_shape(out) == want.shape
        assert np.array_equal(result(out), want)
        out = room((len(shape), int(np.prod(shape))), "i64", out_layout)
        call("aclnnNonzeroV2", x, out)
        assert view_shape(out) == want.T.shape
        assert np.array_equal(result(out), want.T)


def test_nonzero_of_odd_floats():
    x = Tensor(np.array([0.0, -0.0, np.nan, np.inf, 1e-300]), "f64")
    out = room((5, 1))
    call("aclnnNonzero", x, out)
    assert result(out).tolist() == [[2], [3], [4]]


def test_real_shape_is_dense_where_the_output_is():
    """Callers resize the tensor to the real shape and read it without gaps."""
    x = Tensor(np.array([[0, 1, 0], [1, 0, 1]]), "i32")
    out = room((2, 6))
    call("aclnnNonzeroV2", x, out)
    assert view_shape(out) == (2, 3) and getter(out, "aclGetViewStrides") == [3, 1]
    assert out.storage[:6].tolist() == [0, 1, 1, 1, 0, 2]


@pytest.mark.parametrize("dtype", TYPES)
def test_masked_select(random, dtype):
    for number, shape in enumerate(shapes(random, 14)):
        mask_shape = tuple(1 if random.integers(3) == 0 else d for d in shape[int(random.integers(len(shape) + 1)):])
        x = Tensor(sample(random, shape, dtype), dtype, door.LAYOUTS[number % 4])
        mask = Tensor(random.integers(0, 2, mask_shape), ("bool", "u8")[number % 2], door.LAYOUTS[number // 2 % 4])
        both = np.broadcast_shapes(shape, mask_shape)
        want = np.broadcast_to(x.values(), both)[np.broadcast_to(mask.values() != 0, both)]
        out = room((int(np.prod(both)),), dtype, ("contiguous", "sliced")[number // 3 % 2])
        before = out.gaps()
        call("aclnnMaskedSelect", x, mask, out)
        assert view_shape(out) == want.shape
        assert np.array_equal(result(out), want)
        assert out.gaps() == before


# ---- unique ----

def unique(x, axis=None):
    """values, inverse, counts; NaN differs from NaN."""
    items = x.reshape(-1, 1) if axis is None else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    order = sorted(range(len(items)), key=lambda i: tuple((np.isnan(v), v if v == v else 0) for v in items[i].astype(float)))
    inverse, counts, first = np.zeros(len(items), np.int64), [], []
    for i in order:
        if not first or not np.array_equal(items[first[-1]], items[i]):
            first.append(i)
            counts.append(0)
        counts[-1] += 1
        inverse[i] = len(first) - 1
    values = np.take(x.reshape(-1) if axis is None else x, first, axis or 0)
    return values, inverse.reshape(x.shape) if axis is None else inverse, np.array(counts, np.int64)


def consecutive(x, axis=None):
    items = x.reshape(-1, 1) if axis is None else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    new = np.array([i == 0 or not np.array_equal(items[i - 1], items[i]) for i in range(len(items))], bool)
    inverse = np.cumsum(new) - 1
    values = np.take(x.reshape(-1) if axis is None else x, np.flatnonzero(new), axis or 0)
    counts = np.bincount(inverse, minlength=int(new.sum())) if len(items) else np.zeros(0)
    return values, inverse.reshape(x.shape) if axis is None else inverse, counts.astype(np.int64)


def check_unique(outputs, want, wanted):
    for tensor, expected, is_wanted in zip(outputs, want, wanted):
        if is_wanted:
            assert view_shape(tensor) == expected.shape
            assert np.array_equal(result(tensor), expected, equal_nan=True)
        else:
            assert view_shape(tensor) == (0,)


@pytest.mark.parametrize("dtype", TYPES)
def test_unique(random, dtype):
    for number, shape in enumerate(shapes(random, 12)):
        x = Tensor(sample(random, shape, dtype), dtype, door.LAYOUTS[number % 4])
        count = int(np.prod(shape))
        want = unique(x.values())
        inverse, counts = bool(number & 1), bool(number & 2)
        layout = ("contiguous", "sliced")[number // 4 % 2]
        out = [room((count,), dtype, layout), room(shape if inverse else (0,), "i64", layout),
               room((count,) if counts else (0,), "i64", layout)]
        call("aclnnUnique2", x, (True, "bool"), (inverse, "bool"), (counts, "bool"), *out)
        check_unique(out, want, (True, inverse, counts))
        out = [room((count,), dtype, layout), room(shape if inverse else (0,), "i64", layout)]
        call("aclnnUnique", x, (False, "bool"), (inverse, "bool"), *out)
        check_unique(out, want, (True, inverse))


def test_nan_differs_from_nan():
    x = Tensor(np.array([np.nan, 1, np.nan, -0.0, 0.0, -np.inf]), "f32")
    out = [room((6,), "f32"), room((6,)), room((6,))]
    call("aclnnUnique2", x, (True, "bool"), (True, "bool"), (True, "bool"), *out)
    check_unique(out, unique(x.values()), (True, True, True))
    assert view_shape(out[0]) == (5,)


@pytest.mark.parametrize("dtype", TYPES)
def test_unique_slices_and_runs(random, dtype):
    for number, shape in enumerate(s for s in shapes(random, 14) if s and 0 not in s):
        x = Tensor(sample(random, shape, dtype) if number % 3 else np.zeros(shape), dtype, door.LAYOUTS[number % 4])
        layout = ("contiguous", "sliced", "transposed")[number // 4 % 3]
        for axis in range(-len(shape), len(shape)):
            def outputs():
                return [room(shape, dtype, layout), room((shape[axis],), "i64"), room((shape[axis],), "i64", layout)]
            out = outputs()
            call("aclnnUniqueDim", x, (True, "bool"), (True, "bool"), (axis, "i64"), *out)
            check_unique(out, unique(x.values(), axis), (True, True, True))
            out = outputs()
            call("aclnnUniqueConsecutive", x, (True, "bool"), (True, "bool"), (axis, "i64"), *out)
            check_unique(out, consecutive(x.values(), axis), (True, True, True))
        count = int(np.prod(shape))
        out = [room((count,), dtype, layout), room(shape), room((0,))]
        call("aclnnUniqueConsecutive", x, (True, "bool"), (False, "bool"), (1000, "i64"), *out)
        check_unique(out, consecutive(x.values()), (True, True, False))


# ---- The rule of the framework ----

def test_tensors_may_go_before_the_run_ends():
    x, out = Tensor(np.arange(5), "i32"), room((5, 1))
    code, size, executor = door.phase_one("aclnnNonzero", arguments(x, out))
    assert code == 0
    assert view_shape(out) == (5, 1)  # nothing has run
    workspace = np.zeros(size + 64, np.uint8)
    assert door.function("aclnnNonzero")(door.POINTER(workspace.ctypes.data), ctypes.c_uint64(size), executor, None) == 0
    out.destroy()
    x.destroy()
    assert door.function("aclrtSynchronizeStream")(None) == 0
    assert out.storage[:4].tolist() == [1, 2, 3, 4]


def test_executors_run_once():
    x, out = Tensor(np.arange(5), "i32"), room((5, 1))
    code, _, executor = door.phase_one("aclnnNonzero", arguments(x, out))
    assert code == 0
    assert door.function("aclSetAclOpExecutorRepeatable")(executor) == 561000
    assert "the shape of out of aclnnNonzero depends on data" in door.message()
    assert door.function("aclDestroyAclOpExecutor")(executor) == 0


def test_illegal_arguments():
    x, out, mask = Tensor(np.arange(6).reshape(2, 3), "i32"), room((6, 2)), Tensor(np.ones((2, 3)), "bool")
    line, none, yes = room((6,), "i32"), room((0,)), (True, "bool")
    for name in ("aclnnNonzero", "aclnnNonzeroV2"):
        refuse(name, NULL, "self must not be NULL", None, out)
        refuse(name, NULL, "out must not be NULL", x, None)
        refuse(name, INVALID, "must be int64 [", x, room((6, 2), "i32"))
        refuse(name, INVALID, "must be int64 [", x, room((5, 2)))
    refuse("aclnnMaskedSelect", NULL, "mask must not be NULL", x, None, line)
    refuse("aclnnMaskedSelect", INVALID, "must be int32 [6]", x, mask, room((6,), "f32"))
    refuse("aclnnMaskedSelect", INVALID, "must be int32 [6]", x, mask, room((5,), "i32"))
    refuse("aclnnMaskedSelect", INVALID, "broadcast", x, Tensor(np.ones(2), "bool"), line)
    own = Tensor(np.arange(6), "i32")
    refuse("aclnnMaskedSelect", INVALID, "lies over an input", own, Tensor(np.ones(6), "bool"), own)
    unique2 = ("aclnnUnique2", INVALID)
    refuse("aclnnUnique2", NULL, "inverseOut must not be NULL", x, yes, yes, yes, line, None, room((6,)))
    refuse(*unique2, "must be int64 [2,3]", x, yes, yes, yes, line, room((6,)), room((6,)))
    refuse(*unique2, "must be int64 [6]", x, yes, yes, yes, line, room((2, 3)), room((6,), "i32"))
    refuse(*unique2, "must be int32 [6]", x, yes, yes, yes, room((6,), "f32"), room((2, 3)), room((6,)))
    refuse("aclnnUniqueDim", INVALID, "axis 2", x, yes, yes, (2, "i64"), room((2, 3), "i32"), room((3,)), room((3,)))
    refuse("aclnnUniqueConsecutive", INVALID, "axis 999", x, yes, yes, (999, "i64"), line, none, none)


# ---- Indexing ----

def picks(random, shape, dims, dtype):
    """Legal indices, some negative; absent ones as None."""
    count = int(random.integers(0, 3))
    base = tuple(int(d) for d in random.integers(1, 4, count))
    made = []
    for dim in dims:
        if dim is None:
            made.append(None)
            continue
        own = tuple(1 if random.integers(4) == 0 else d for d in base[int(random.integers(len(base) + 1)):])
        made.append(random.integers(-shape[dim], shape[dim], own))
    return made


def index_cases(random, rounds):
    for number in range(rounds):
        rank = 1 + number % 5
        shape = tuple(int(d) for d in random.integers(1, 5, rank))
        given = int(random.integers(1, rank + 1))
        dims = [dim if random.integers(3) else None for dim in range(given)]
        if all(dim is None for dim in dims):
            dims[-1] = given - 1
        yield number, shape, picks(random, shape, dims, None)


def index_tensors(indices, number, absent):
    """An index that is absent is a tensor of shape [0] of the data's type, as callers write it."""
    dtype = ("i64", "i32")[number % 2]
    return [room((0,), absent) if i is None else Tensor(i, dtype, door.LAYOUTS[(number + k) % 4])
            for k, i in enumerate(indices)]


def numpy_indices(tensors):
    return tuple(slice(None) if t.shape == (0,) else t.values() for t in tensors)


@pytest.mark.parametrize("dtype", TYPES)
def test_index(random, dtype):
    for number, shape, indices in index_cases(random, 40):
        x = Tensor(sample(random, shape, dtype), dtype, door.LAYOUTS[number % 4])
        tensors = index_tensors(indices, number, dtype)
        want = x.values()[numpy_indices(tensors)]
        out = room(want.shape, dtype, ("contiguous", "transposed", "sliced")[number % 3])
        call("aclnnIndex", x, tensors, out)
        assert np.array_equal(out.values(), want), (shape, indices)


def put(x, indices, values, accumulate, dtype):
    """The oracle: one value after the other, each sum in the type."""
    want = np.array(x)
    places = np.arange(want.size).reshape(want.shape)[indices]
    flat = want.reshape(-1)
    for place, value in zip(places.reshape(-1), np.broadcast_to(values, places.shape).reshape(-1)):
        total = flat[place] + value if accumulate and dtype != "bool" else flat[place] | value if accumulate else value
        flat[place] = door.decode(door.encode(np.asarray([total]), dtype), dtype)[0]
    return want


@pytest.mark.parametrize("dtype", TYPES)
def test_index_put(random, dtype):
    for number, shape, indices in index_cases(random, 40):
        x = Tensor(sample(random, shape, dtype), dtype, ("contiguous", "transposed", "sliced")[number % 3])
        tensors = index_tensors(indices, number, dtype)
        at = numpy_indices(tensors)
        result_shape = x.values()[at].shape
        own = tuple(1 if random.integers(4) == 0 else d for d in result_shape[int(random.integers(len(result_shape) + 1)):])
        values = sample(random, own, dtype)
        if dtype in ("f32", "f16", "bf16", "f64"):
            values = values + random.integers(1, 9, own) / 8
        values = Tensor(values, dtype, door.LAYOUTS[number % 4])
        accumulate = bool(number & 1)
        want, before = put(x.values(), at, values.values(), accumulate, dtype), x.gaps()
        call("aclnnIndexPutImpl", x, tensors, values, (accumulate, "bool"), (False, "bool"))
        assert np.array_equal(x.values(), want), (shape, indices)
        assert x.gaps() == before


def test_masks_as_indices(random):
    for number, rank in enumerate(itertools.chain(range(1, 6), range(1, 6))):
        shape = tuple(int(d) for d in random.integers(1, 5, rank))
        taken = 1 + int(random.integers(rank))
        mask = random.integers(0, 2, shape[:taken]).astype(bool)
        x = Tensor(sample(random, shape, "f32"), "f32", door.LAYOUTS[number % 4])
        want = x.values()[mask]
        out = room(want.shape, "f32")
        call("aclnnIndex", x, [Tensor(mask, "bool", "sliced")], out)
        assert np.array_equal(out.values(), want)
        y = Tensor(x.values(), "f32")
        call("aclnnIndexPutImpl", y, [Tensor(mask, "bool")], Tensor(np.full(want.shape[-1:] if rank > taken else (1,), 7), "f32"),
             (False, "bool"), (False, "bool"))
        expected = np.array(x.values())
        expected[mask] = 7
        assert np.array_equal(y.values(), expected)


def test_a_mask_beside_integers():
    x = np.arange(24.0).reshape(2, 3, 4)
    mask, other = np.array([True, False, True]), np.array([3, 1])
    out = room((2, 2), "f32")
    call("aclnnIndex", Tensor(x, "f32"), [room((0,), "f32"), Tensor(mask, "bool"), Tensor(other, "i64")], out)
    assert np.array_equal(out.values(), x[:, mask, other])


def test_empty_indices():
    """An empty list of integers picks nothing; it only stands for a whole dimension in the type of the data."""
    x = Tensor(np.arange(6).reshape(2, 3), "f32")
    call("aclnnIndexPutImpl", x, [room((0,), "i64")], Tensor(np.array([9]), "f32"), (False, "bool"), (False, "bool"))
    assert np.array_equal(x.values(), np.arange(6).reshape(2, 3))
    call("aclnnIndex", x, [room((0,), "i64")], room((0, 3), "f32"))
    y = Tensor(np.arange(6).reshape(2, 3), "i64")
    call("aclnnIndex", y, [room((0,), "i64")], room((0, 3), "i64"))


@pytest.mark.parametrize("bad", [2, -3, 2**40, -2**40])
def test_index_out_of_range(bad):
    """Nothing is written for it, the stream reports it once, and goes on."""
    index = Tensor(np.array([1, bad, 0]), "i64")
    x, out = Tensor(np.arange(6).reshape(2, 3), "f32"), Tensor(np.full((3, 3), -1), "f32")
    assert run("aclnnIndex", x, [index], out) != 0
    assert "out of range" in door.message()
    assert out.values().tolist() == [[3, 4, 5], [-1, -1, -1], [0, 1, 2]]
    values = Tensor(np.array([[10], [20], [30]]), "f32")
    for accumulate in (False, True):
        assert run("aclnnIndexPutImpl", x, [index], values, (accumulate, "bool"), (True, "bool")) != 0
    assert x.values().tolist() == [[60, 60, 60], [20, 20, 20]]
    assert door.function("aclrtSynchronizeStream")(None) == 0


def test_masks_that_do_not_fit_at_run_time():
    x, mask = Tensor(np.arange(4), "f32"), Tensor(np.array([1, 0, 1, 1]), "bool")
    out = Tensor(np.full((2,), -1), "f32")
    assert run("aclnnIndex", x, [mask], out) != 0
    assert out.values().tolist() == [-1, -1]
    assert run("aclnnIndexPutImpl", x, [mask], Tensor(np.arange(2), "f32"), (False, "bool"), (False, "bool")) != 0
    assert x.values().tolist() == [0, 1, 2, 3]


def test_illegal_indices():
    x, one, out = Tensor(np.zeros((2, 3)), "f32"), Tensor(np.array([1]), "i64"), room((1, 3), "f32")
    flags = ((False, "bool"), (False, "bool"))
    refuse("aclnnIndex", NULL, "indices must not be NULL", x, None, out)
    refuse("aclnnIndex", INVALID, "too many", x, [one, one, one], out)
    refuse("aclnnIndex", INVALID, "must be int32, int64 or bool", x, [Tensor(np.array([1]), "f64")], out)
    refuse("aclnnIndex", INVALID, "the result has shape [1,3] and not [2,3]", x, [one], room((2, 3), "f32"))
    refuse("aclnnIndex", INVALID, "does not broadcast", x, [room((2,)), room((3,))], out)
    refuse("aclnnIndex", INVALID, "does not fit data", x, [Tensor(np.ones(3), "bool")], out)
    refuse("aclnnIndex", INVALID, "there is no index", x, [room((0,), "f32")], out)
    refuse("aclnnIndexPutImpl", NULL, "values must not be NULL", x, [one], None, *flags)
    refuse("aclnnIndexPutImpl", INVALID, "do not broadcast to [1,3]", x, [one], room((2, 3), "f32"), *flags)
    refuse("aclnnIndexPutImpl", INVALID, "too many", x, [one, one, one], one, *flags)
