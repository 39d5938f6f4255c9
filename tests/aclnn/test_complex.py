# SPDX-License-Identifier: Apache-2.0
"""Arithmetic and movement of complex64 and complex128 against NumPy in complex128, mixed with real types, in place, with numbers."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path[:0] = [os.path.dirname(__file__)]
import door  # noqa: E402
from door import Tensor  # noqa: E402
from test_counted import room  # noqa: E402

EPS = {"c64": 2.0**-23, "c128": 2.0**-51, "f32": 2.0**-23, "f64": 2.0**-51}
LAYOUTS = ("contiguous", "transposed", "sliced")
REAL = ["f32", "f64", "f16", "i32", "i64", "u8", "bool"]


def numbers(random, shape, dtype):
    if dtype in ("c64", "c128"):
        values = random.uniform(-3, 3, shape) + 1j * random.uniform(-3, 3, shape)
        return np.where(random.integers(0, 4, shape) == 0, np.rint(values.real) + 0j, values)
    return random.integers(0, 2, shape).astype(bool) if dtype == "bool" else random.integers(1 if dtype == "u8" else -3, 4, shape)


def common(*types):
    """PyTorch's promotion where one type is complex: float64 makes complex128."""
    return "c128" if {"c128", "f64"} & set(types) else "c64"


def arguments(values):
    made = []
    for value in values:
        if isinstance(value, Tensor):
            made.append(door.POINTER(value.handle))
        elif value is None:
            made.append(None)
        elif value[1] == "ints":
            made.append(door.POINTER(door.int_array(value[0])))
        elif value[1] == "dtype":
            made.append(ctypes.c_int(door.DTYPES[value[0]][0]))
        elif value[1] in ("bool", "i8", "i64") and len(value) == 2:
            made.append(door.CTYPES[value[1]](value[0]))
        else:
            made.append(door.POINTER(door.scalar(value[0], value[1])))
    return made


def call(name, *values):
    """Tensors; (value, C type); (value, type, "number")."""
    code = door.run(name, arguments(values))
    assert code == 0, f"{name}: {code} {door.message()}"


def close(have, want, dtype, scale=1.0):
    want = np.asarray(want)
    with np.errstate(all="ignore"):
        limit = 4 * EPS[dtype] * np.maximum(np.abs(want), scale)
    assert np.all((np.abs(have - want) <= limit) | (have == want)), (have, want)


def number(value):
    return (value, "c128" if isinstance(value, complex) else "f64" if isinstance(value, float) else "i64", "number")


def pairs(random, rounds=36):
    types = [(a, b) for a in ("c64", "c128") for b in ["c64", "c128"] + REAL]
    for i in range(rounds):
        a, b = types[i % len(types)]
        a, b = (b, a) if i // len(types) % 2 else (a, b)
        shape = tuple(int(d) for d in random.integers(1, 4, 1 + i % 4))
        other = tuple(1 if random.integers(3) == 0 else d for d in shape[int(random.integers(len(shape))):])
        yield i, Tensor(numbers(random, shape, a), a, door.LAYOUTS[i % 4]), Tensor(numbers(random, other, b), b, door.LAYOUTS[i // 4 % 4])


@pytest.mark.parametrize("alpha", [1, 2, -0.5, 0.5 - 2j])
def test_sums_and_differences(random, alpha):
    for i, a, b in pairs(random):
        dtype = common(a.dtype, b.dtype)
        for name, sign in (("Add", 1), ("Sub", -1)):
            want = a.values() + sign * alpha * b.values()
            out = room(want.shape, dtype, LAYOUTS[i % 3])
            call("aclnn" + name, a, b, number(alpha), out)
            close(out.values(), want, dtype, 8)
            own = Tensor(np.array(np.broadcast_to(a.values(), want.shape)), dtype, LAYOUTS[i % 3])
            call("aclnnInplace" + name, own, b, number(alpha))
            close(own.values(), want, dtype, 8)


@pytest.mark.parametrize("name", ["Mul", "Div"])
def test_products_and_quotients(random, name):
    for i, a, b in pairs(random):
        dtype = common(a.dtype, b.dtype)
        with np.errstate(all="ignore"):
            want = a.values() * b.values() if name == "Mul" else a.values().astype(complex) / b.values()
        good = np.isfinite(want)
        out = room(want.shape, dtype, LAYOUTS[i % 3])
        call("aclnn" + name, a, b, out)
        close(out.values()[good], want[good], dtype)
        assert not np.any(np.isfinite(out.values()[~good]))
        own = Tensor(np.array(np.broadcast_to(a.values(), want.shape)), dtype, LAYOUTS[i % 3])
        call("aclnnInplace" + name, own, b)
        close(own.values()[good], want[good], dtype)


@pytest.mark.parametrize("other", [2, 0.5, 1.5 - 2j])
@pytest.mark.parametrize("dtype", ["c64", "c128", "f32", "f64", "i32"])
def test_numbers(random, dtype, other):
    if not isinstance(other, complex) and dtype not in ("c64", "c128"):
        pytest.skip("nothing is complex")
    to = common(dtype)
    x = Tensor(numbers(random, (3, 4), dtype), dtype, "transposed")
    one = number(1)
    for name, want, more in (("Adds", x.values() + other, (one,)), ("Subs", x.values() - other, (one,)),
                             ("Rsubs", other - x.values(), (one,)), ("Muls", x.values() * other, ()), ("Divs", x.values() / other, ())):
        out = room((3, 4), to)
        call("aclnn" + name, x, number(other), *more, out)
        close(out.values(), want, to)
        if name != "Rsubs" and dtype == to:
            own = Tensor(x.values(), dtype, "sliced")
            call("aclnnInplace" + name, own, number(other), *more)
            close(own.values(), want, to)
    out = room((3, 4), to)
    call("aclnnAddV3", number(other), x, number(2), out)
    close(out.values(), other + 2 * x.values(), to)


@pytest.mark.parametrize("dtype", ["c64", "c128"])
def test_one_operand(random, dtype):
    part = "f32" if dtype == "c64" else "f64"
    for i in range(12):
        shape = tuple(int(d) for d in random.integers(0 if i == 5 else 1, 5, i % 5))
        x = Tensor(numbers(random, shape, dtype) + 0.25, dtype, door.LAYOUTS[i % 4])
        for name, to, want in (("Neg", dtype, -x.values()), ("Abs", part, np.abs(x.values())), ("Real", part, x.values().real),
                               ("Reciprocal", dtype, 1 / x.values())):
            out = room(shape, to, LAYOUTS[i % 3])
            call("aclnn" + name, x, out)
            close(out.values(), want, to)
        own = Tensor(x.values(), dtype, LAYOUTS[i % 3])
        call("aclnnInplaceNeg", own)
        assert np.array_equal(own.values(), -x.values())
        real, imag = Tensor(x.values().real, part), Tensor(x.values().imag, part, LAYOUTS[i % 3])
        out = room(shape, dtype)
        call("aclnnComplex", real, imag, out)
        assert np.array_equal(out.values(), x.values())


def test_magnitudes_without_overflow():
    x = Tensor(np.array([3e300 + 4e300j, 3e-300 + 4e-300j, complex(np.inf, np.nan), complex(np.nan, 1), 0]), "c128")
    out = room((5,), "f64")
    call("aclnnAbs", x, out)
    assert np.allclose(out.values(), [5e300, 5e-300, np.inf, np.nan, 0], rtol=1e-15, atol=0, equal_nan=True)
    call("aclnnReciprocal", Tensor(np.array([1e300 + 1e300j] * 5), "c128"), y := room((5,), "c128"))
    assert np.allclose(y.values() * 1e300, 0.5 - 0.5j)


def test_parts_as_views():
    """Real and imaginary parts are real tensors with gaps on the same storage."""
    x = Tensor(np.arange(6) + 1j * np.arange(6, 12), "c64")
    dims, strides = door.int64_array([6]), door.int64_array([2])
    for offset, want in ((0, np.arange(6)), (1, np.arange(6, 12))):
        view = door.function("aclCreateTensor")(dims, ctypes.c_uint64(1), 0, strides, ctypes.c_int64(offset), 2, dims, ctypes.c_uint64(1),
                                                door.POINTER(x.storage.ctypes.data))
        out = room((6,), "f32")
        made = arguments([(1.0, "f32", "number"), out])
        assert door.run("aclnnMuls", [door.POINTER(view)] + made) == 0
        assert np.array_equal(out.values(), want)


def test_equality(random):
    for i, a, b in pairs(random):
        want = a.values() == b.values()
        for name, expected in (("EqTensor", want), ("NeTensor", ~want)):
            out = room(want.shape, "bool")
            call("aclnn" + name, a, b, out)
            assert np.array_equal(out.values(), expected)
    x = Tensor(np.array([1 + 2j, 1, 2j, 1 + 2j]), "c64")
    for name, expected in (("EqScalar", [1, 0, 0, 1]), ("NeScalar", [0, 1, 1, 0])):
        out = room((4,), "bool")
        call("aclnn" + name, x, number(1 + 2j), out)
        assert out.values().tolist() == [bool(e) for e in expected]


def test_copies_and_conversions(random):
    for i, source in enumerate(["c64", "c128"] + REAL):
        x = Tensor(numbers(random, (3, 4), source), source, door.LAYOUTS[i % 4])
        for k, target in enumerate(["c64", "c128"] + (REAL if source[0] == "c" else [])):
            want = door.decode(door.encode(x.values() if target[0] == "c" else x.values() != 0 if target == "bool" else
                                           np.maximum(np.trunc(x.values().real), 0 if target == "u8" else -9) if target[0] in "iu" else
                                           x.values().real, target), target)
            out = room((3, 4), target, LAYOUTS[k % 3])
            call("aclnnCast", x, (target, "dtype"), out)
            assert np.array_equal(out.values(), want), (source, target)
            own = room((2, 3, 4), target, LAYOUTS[k % 3])
            call("aclnnInplaceCopy", own, x)
            assert np.array_equal(own.values(), np.broadcast_to(want, (2, 3, 4)))
    x = room((2, 2), "c64", "sliced")
    call("aclnnInplaceFillScalar", x, number(1 - 2j))
    assert np.all(x.values() == 1 - 2j)
    call("aclnnInplaceOne", x)
    assert np.all(x.values() == 1)


MOVES = {
    "aclnnPermute": (lambda x: x.transpose(2, 0, 1), [([2, 0, 1], "ints")]),
    "aclnnFlip": (lambda x: x[::-1, :, ::-1], [([0, 2], "ints")]),
    "aclnnRoll": (lambda x: np.roll(x, (1, 3), (0, 2)), [([1, 3], "ints"), ([0, 2], "ints")]),
    "aclnnRepeat": (lambda x: np.tile(x, (2, 1, 3)), [([2, 1, 3], "ints")]),
    "aclnnSlice": (lambda x: x[:, 1:4:2], [(1, "i64"), (1, "i64"), (4, "i64"), (2, "i64")]),
    "aclnnTriu": (lambda x: np.triu(x, 1), [(1, "i64")]),
    "aclnnTril": (np.tril, [(0, "i64")]),
    "aclnnConstantPadNd": (lambda x: np.pad(x, ((0, 0), (0, 0), (2, 1)), constant_values=1.5),
                           [([2, 1], "ints"), (1.5, "f32", "number")]),
}


@pytest.mark.parametrize("dtype", ["c64", "c128"])
def test_movement(random, dtype):
    for i, (name, (formula, settings)) in enumerate(MOVES.items()):
        x = Tensor(numbers(random, (3, 5, 4), dtype), dtype, door.LAYOUTS[i % 4])
        want = formula(x.values())
        out = room(want.shape, dtype, LAYOUTS[i % 3])
        call(name, x, *settings, out)
        assert np.array_equal(out.values(), want), name
    x, y = (Tensor(numbers(random, (3, 5, 4), dtype), dtype, layout) for layout in ("transposed", "sliced"))
    rows, at = Tensor(np.array([2, 0, 2, 1]), "i64"), random.integers(0, 3, (2, 5, 4))
    out = room((4, 5, 4), dtype)
    call("aclnnIndexSelect", x, (0, "i64"), rows, out)
    assert np.array_equal(out.values(), x.values()[[2, 0, 2, 1]])
    out = room((2, 5, 4), dtype)
    call("aclnnGather", x, (0, "i64"), Tensor(at, "i64"), out)
    assert np.array_equal(out.values(), np.take_along_axis(x.values(), at, 0))
    chosen = random.integers(0, 2, (3, 1, 4)).astype(bool)
    out = room((3, 5, 4), dtype, "transposed")
    call("aclnnSWhere", Tensor(chosen, "bool"), x, y, out)
    assert np.array_equal(out.values(), np.where(chosen, x.values(), y.values()))
    call("aclnnInplaceMaskedFillScalar", out, Tensor(chosen, "bool"), number(2 - 1j))
    assert np.array_equal(out.values(), np.where(chosen, 2 - 1j, y.values()))
    out = room((4, 5, 4), dtype)
    index = door.list_of("Tensor", [rows.handle])
    assert door.run("aclnnIndex", [door.POINTER(x.handle), index, door.POINTER(out.handle)]) == 0, door.message()
    assert np.array_equal(out.values(), x.values()[[2, 0, 2, 1]])
    out = room((60,), dtype)
    call("aclnnMaskedSelect", x, Tensor(chosen, "bool"), out)
    want = x.values()[np.broadcast_to(chosen, x.shape)]
    assert np.array_equal(out.values()[:want.size], want)
    both = room((3, 10, 4), dtype)
    tensors = door.list_of("Tensor", [x.handle, y.handle])
    assert door.run("aclnnCat", [tensors, ctypes.c_int64(1), door.POINTER(both.handle)]) == 0, door.message()
    assert np.array_equal(both.values(), np.concatenate([x.values(), y.values()], 1))


@pytest.mark.parametrize("dtype", ["c64", "c128"])
def test_sums_means_and_matrices(random, dtype):
    for i in range(12):
        shape = tuple(int(d) for d in random.integers(1, 5, 1 + i % 4))
        x = Tensor(numbers(random, shape, dtype), dtype, door.LAYOUTS[i % 4])
        dims = [int(d) for d in random.permutation(len(shape))[:int(random.integers(0, len(shape) + 1))]]
        axes, keep = tuple(dims) or None, bool(i & 1)
        for name, function in (("ReduceSum", np.sum), ("Mean", np.mean)):
            want = function(x.values(), axis=axes, keepdims=keep)
            out = room(want.shape, dtype)
            call("aclnn" + name, x, (dims, "ints"), (keep, "bool"), (dtype, "dtype"), out)
            close(out.values(), want, dtype, 64)
    for a, b in (((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((4,), (4, 2)), ((2, 3, 4), (2, 4, 1))):
        x, y = Tensor(numbers(random, a, dtype), dtype, "transposed"), Tensor(numbers(random, b, dtype), dtype, "sliced")
        want = x.values() @ y.values()
        out = room(want.shape, dtype)
        call("aclnnMatmul", x, y, out, (0, "i8"))
        close(out.values(), want, dtype, 64)


def refuse(name, words, *values):
    code, size, executor = door.phase_one(name, arguments(values))
    text = door.message()
    assert code == 161002 and name in text and words in text, f"{code} {text}"
    assert size == 0 and not executor.value


def test_what_is_refused():
    x, real = room((3,), "c64"), room((3,), "f32")
    refuse("aclnnAdd", "cannot hold a result of type complex64", x, real, number(1), real)
    refuse("aclnnMuls", "cannot hold a result of type complex64", real, number(1j), real)
    refuse("aclnnSin", "cannot be complex64", x, x)
    refuse("aclnnMaximum", "cannot be complex64", x, x, x)
    refuse("aclnnComplex", "must be complex64 [3]", real, real, room((2,), "c64"))
    refuse("aclnnComplex", "cannot hold", real, real, room((3,), "f32"))
