# SPDX-License-Identifier: Apache-2.0
"""Random two-phase operators against a model of Philox4x32-10 in Python integers, itself held to published answers."""
import ctypes
import math
import os
import sys

import numpy as np
import pytest

sys.path[:0] = [os.path.join(os.environ["JUMAR_SOURCE"], "scripts"), os.path.dirname(__file__)]
import door  # noqa: E402
from door import Tensor  # noqa: E402

M32 = 0xFFFFFFFF


def philox(counter, key):
    x, k = list(counter), list(key)
    for _ in range(10):
        a, b = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [b >> 32 ^ x[1] ^ k[0], b & M32, a >> 32 ^ x[3] ^ k[1], a & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return x


def words(seed, offset, count):
    made = []
    for group in range((count + 3) // 4):
        made += philox((offset & M32, offset >> 32, group & M32, group >> 32), (seed & M32, seed >> 32))
    return made[:count]


def reals(seed, offset, count, digits=24):
    if digits == 53:
        w = words(seed, offset, 2 * count)
        return [((w[2 * i] << 32 | w[2 * i + 1]) & (1 << 53) - 1) / 2**53 for i in range(count)]
    return [(w & (1 << digits) - 1) / 2**digits for w in words(seed, offset, count)]


def normals(seed, offset, count, digits=24):
    u = reals(seed, offset, count + 1, digits)
    made = []
    for i in range(count):
        radius, angle = math.sqrt(-2 * math.log1p(-u[i | 1])), 2 * math.pi * u[i & ~1]
        made.append(radius * (math.sin(angle) if i & 1 else math.cos(angle)))
    return made


def run(name, *arguments):
    code = door.run(name, list(arguments))
    assert code == 0, f"{name}: {code} {door.message()}"


def i64(value):
    return ctypes.c_int64(value)


def f32(value):
    return ctypes.c_float(value)


def handle(tensor):
    return door.POINTER(tensor.handle)


def blank(dtype, *shape, layout="contiguous"):
    return Tensor(np.zeros(shape), dtype, layout)


def test_published_answers():
    assert philox((0, 0, 0, 0), (0, 0)) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox((M32,) * 4, (M32,) * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)
    assert philox(*pi) == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


SEED, OFFSET = 0x123456789ABCDEF, 10 + (3 << 32)


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "sliced"])
@pytest.mark.parametrize("dtype", ["u32", "i32", "u8", "i64", "bool", "f32", "f16", "bf16", "f64"])
def test_full_range(dtype, layout):
    x = blank(dtype, 7, 9, layout=layout)
    run("aclnnInplaceRandomWithoutFromTo", handle(x), i64(SEED), i64(OFFSET))
    w = words(SEED, OFFSET, 126)
    wide = [w[2 * i] << 32 | w[2 * i + 1] for i in range(63)]
    want = {"u32": w, "i32": [v & 0x7FFFFFFF for v in w], "u8": [v & 0xFF for v in w], "bool": [v & 1 for v in w],
            "i64": [v & (1 << 63) - 1 for v in wide], "f32": [v % (2**24 + 1) for v in w],
            "f16": [v % (2**11 + 1) for v in w], "bf16": [v % (2**8 + 1) for v in w],
            "f64": [v % (2**53 + 1) for v in wide]}[dtype][:63]
    assert np.array_equal(x.values().ravel().astype(np.float64), np.array(want, np.float64))


@pytest.mark.parametrize("low,high", [(0, 10), (-5, 100), (-2**40, 2**40)])
def test_integers(low, high):
    x, y = blank("i64", 50), blank("i64", 50)
    run("aclnnInplaceRandom", handle(x), i64(low), i64(high), i64(SEED), i64(OFFSET))
    w = words(SEED, OFFSET, 100)
    wide = [w[2 * i] << 32 | w[2 * i + 1] for i in range(50)]
    source = wide if high - low >= 2**32 else w[:50]
    assert x.values().tolist() == [low + v % (high - low) for v in source]
    seed, offset = Tensor(np.int64(SEED), "i64"), Tensor(np.int64(OFFSET - 7), "i64")
    run("aclnnInplaceRandomTensor", handle(y), i64(low), i64(high), handle(seed), handle(offset), i64(7))
    assert np.array_equal(x.values(), y.values())
    code, _, _ = door.phase_one("aclnnInplaceRandom", [handle(x), i64(3), i64(3), i64(0), i64(0)])
    assert code == 161002 and "must be less than" in door.message()


@pytest.mark.parametrize("dtype,digits,eps", [("f32", 24, 1e-6), ("f16", 11, 1e-3), ("bf16", 8, 1e-2), ("f64", 53, 1e-13)])
def test_reals(dtype, digits, eps):
    x = blank(dtype, 5, 9)
    run("aclnnInplaceUniform", handle(x), ctypes.c_double(-1), ctypes.c_double(3), ctypes.c_uint64(SEED),
        ctypes.c_uint64(OFFSET))
    want = np.array(reals(SEED, OFFSET, 45, digits)) * 4 - 1
    assert np.allclose(x.values().ravel(), want, rtol=eps, atol=eps)
    assert x.values().min() >= -1 and x.values().max() < 3
    wide = 53 if digits == 53 else 24
    run("aclnnInplaceNormal", handle(x), f32(2), f32(0.5), i64(SEED), i64(OFFSET))
    want = 2 + 0.5 * np.array(normals(SEED, OFFSET, 45, wide))
    assert np.allclose(x.values().ravel(), want, rtol=eps, atol=eps)
    run("aclnnSimThreadExponential", handle(x), i64(45), ctypes.c_double(2), i64(SEED), i64(OFFSET))
    want = -np.log1p(-np.array(reals(SEED, OFFSET, 45, wide))) / 2
    assert np.allclose(x.values().ravel(), want, rtol=eps, atol=eps)


def test_normal_out():
    mean, std, out = Tensor(np.arange(6.0), "f32"), Tensor(np.arange(6.0) / 4, "f32"), blank("f32", 6)
    draw = np.array(normals(SEED, 0, 6))
    run("aclnnNormalFloatFloat", f32(1), f32(2), i64(SEED), i64(0), handle(out))
    assert np.allclose(out.values(), 1 + 2 * draw, atol=1e-5)
    run("aclnnNormalFloatTensor", f32(1), handle(std), i64(SEED), i64(0), handle(out))
    assert np.allclose(out.values(), 1 + std.values() * draw, atol=1e-5)
    run("aclnnNormalTensorFloat", handle(mean), f32(2), i64(SEED), i64(0), handle(out))
    assert np.allclose(out.values(), mean.values() + 2 * draw, atol=1e-5)
    run("aclnnNormalTensorTensor", handle(mean), handle(std), i64(SEED), i64(0), handle(out))
    assert np.allclose(out.values(), mean.values() + std.values() * draw, atol=1e-5)


def test_bernoulli():
    for dtype in ("f32", "bool", "i32", "f16"):
        x = blank(dtype, 40)
        run("aclnnInplaceBernoulli", handle(x), door.POINTER(door.scalar(0.25, "f64")), i64(SEED), i64(1))
        assert x.values().tolist() == [u < 0.25 for u in reals(SEED, 1, 40)]
    x, p = blank("f32", 40), Tensor(np.linspace(0, 1, 40), "f32")
    run("aclnnInplaceBernoulliTensor", handle(x), handle(p), i64(SEED), i64(1))
    assert x.values().tolist() == [u < q for u, q in zip(reals(SEED, 1, 40), p.values())]


# ---- Dropout: the counters of CANN's open operators, written again ----

def uniform(word):
    """As a GPU does it: in float32, in (0, 1]."""
    return np.float32(np.float32(word) * np.float32(2.0**-32) + np.float32(2.0**-33))


def mask_of(kept, count):
    bits = np.zeros((count + 127) // 128 * 128, bool)
    bits[:count] = kept
    return np.packbits(bits, bitorder="little")


def stateless_mask(seed, offset, count, prob):
    key, keep, kept = (seed & M32, seed >> 32), np.float32(1 - prob), []
    for block in range((count + 3) // 4):
        kept += [uniform(w) < keep for w in philox((block & M32, block >> 32, offset & M32, offset >> 32), key)]
    return mask_of(kept[:count], count)


def dropout_v3_mask(seed, offset, count, prob, vector):
    key, keep, kept = (seed & M32, seed >> 32), np.float32(1 - prob), []
    threads = min(78 * 8, (count + 255) // 256) * 256
    for i in range(count):
        turn, thread, lane = i // vector // threads, i // vector % threads, i % vector
        step, word = (turn // 4, turn % 4) if vector == 1 else (turn * max(vector // 4, 1) + lane // 4, lane % 4)
        number = offset // 4 + step
        kept.append(uniform(philox((number & M32, number >> 32, thread & M32, thread >> 32), key)[word]) < keep)
    return mask_of(kept, count)


@pytest.mark.parametrize("layout", ["contiguous", "sliced"])
@pytest.mark.parametrize("shape,prob", [((100,), 0.25), ((), 0.5), ((128,), 0.5), ((3, 50, 7), 0.9), ((0, 4), 0.5), ((70,), 0), ((70,), 1)])
def test_masks(shape, prob, layout):
    count = int(np.prod(shape))
    bits, same = blank("u8", (count + 127) // 128 * 16, layout=layout), blank("u8", (count + 127) // 128 * 16)
    prob_, pointer = ctypes.c_double(prob), door.POINTER(door.int_array(shape))
    run("aclnnDropoutGenMaskV2", pointer, prob_, i64(SEED), i64(OFFSET), ctypes.c_int(0), handle(bits))
    want = stateless_mask(SEED, OFFSET, count, prob) if 0 < prob < 1 else np.full(bits.shape, 255 if prob == 0 else 0)
    assert np.array_equal(bits.values(), want)
    seed, offset = Tensor(np.int64(SEED), "i64"), Tensor(np.int64(OFFSET - 9), "i64")
    run("aclnnDropoutGenMaskV2Tensor", pointer, prob_, handle(seed), handle(offset), i64(9), ctypes.c_int(0), handle(same))
    assert np.array_equal(same.values(), want)
    run("aclnnDropoutGenMask", pointer, prob_, i64(SEED), i64(OFFSET), handle(same))
    assert np.array_equal(same.values(), want)


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "sliced"])
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("shape", [(5, 7), (260, 130), (), (0,), (3, 1030)])
def test_dropout_do_mask(shape, dtype, layout):
    random = np.random.default_rng(3)
    x, count = Tensor(random.normal(size=shape), dtype, layout), int(np.prod(shape))
    made = Tensor(np.zeros(shape), dtype, layout)
    mask = Tensor(random.integers(0, 256, (count + 127) // 128 * 16 + 32), "u8", "sliced" if layout == "sliced" else "contiguous")
    kept = np.unpackbits(mask.values().astype(np.uint8), bitorder="little")[:count].reshape(shape)
    for prob in (0.25, 0.5, 0.0, 1.0):
        run("aclnnDropoutDoMask", handle(x), handle(mask), ctypes.c_double(prob), handle(made))
        want = x.values() if prob == 0 else np.where(kept, x.values() / (1 - prob), 0) if prob < 1 else np.zeros(shape)
        assert np.allclose(made.values(), want, rtol={"f32": 1e-6, "f16": 1e-3, "bf16": 8e-3}[dtype], atol=0)
        assert np.array_equal(made.values() == 0, (want == 0))


@pytest.mark.parametrize("dtype,shape,vector", [("f32", (9, 4), 4), ("f32", (3, 6), 2), ("f32", (5, 7), 1), ("f16", (8, 5), 8), ("bf16", (12, 3), 4),
                                                ("f16", (7, 3), 1), ("f32", (3, 100), 4)])
def test_dropout_v3(dtype, shape, vector):
    random = np.random.default_rng(4)
    x, count = Tensor(random.normal(size=shape) + 3, dtype, "transposed"), int(np.prod(shape))
    y, mask = Tensor(np.zeros(shape), dtype, "sliced"), blank("u8", (count + 127) // 128 * 16)
    for prob in (0.25, 0.75):
        run("aclnnDropoutV3", handle(x), None, ctypes.c_double(prob), i64(SEED), i64(OFFSET * 4), handle(y), handle(mask))
        want = dropout_v3_mask(SEED, OFFSET * 4, count, prob, vector)
        assert np.array_equal(mask.values(), want)
        kept = np.unpackbits(want, bitorder="little")[:count].reshape(shape)
        assert np.allclose(y.values(), kept * x.values() / (1 - prob), rtol=8e-3)
        again = Tensor(np.zeros(shape), dtype)
        run("aclnnDropoutDoMask", handle(x), handle(mask), ctypes.c_double(prob), handle(again))
        assert np.array_equal(again.values(), y.values())  # the two agree on the order of the bits
    for prob, byte in ((0.0, 255), (1.0, 0)):
        run("aclnnDropoutV3", handle(x), None, ctypes.c_double(prob), i64(SEED), i64(0), handle(y), handle(mask))
        assert np.array_equal(y.values(), x.values() if prob == 0 else np.zeros(shape)) and (mask.values() == byte).all()


def test_dropout_v3_with_more_elements_than_threads():
    """78 * 2048 threads take more than one turn; a few elements of each turn are looked at."""
    threads = 78 * 2048
    for count, vector in ((4 * threads + 4, 4), (5 * threads + 1, 1), (2 * threads + 2, 2)):
        x, y, mask = Tensor(np.ones(count), "f32"), blank("f32", count), blank("u8", (count + 127) // 128 * 16)
        run("aclnnDropoutV3", handle(x), None, ctypes.c_double(0.5), i64(SEED), i64(8), handle(y), handle(mask))
        kept, key = np.unpackbits(mask.values().astype(np.uint8), bitorder="little"), (SEED & M32, SEED >> 32)
        assert abs(kept[:count].mean() - 0.5) < 0.01 and np.array_equal(y.values() == 2, kept[:count] == 1)
        for i in (0, 1, 7, vector * threads - 1, count - 1, count - 2, count // 2, 3 * threads // 2 * vector // 2):
            turn, thread, lane = i // vector // threads, i // vector % threads, i % vector
            step, word = (turn // 4, turn % 4) if vector == 1 else (turn, lane)
            assert kept[i] == (uniform(philox((2 + step, 0, thread, 0), key)[word]) < 0.5), i


def test_illegal_dropout():
    x, y, mask, short = blank("f32", 200), blank("f32", 200), blank("u8", 32), blank("u8", 16)
    wide, other = blank("f64", 200), blank("i8", 32)
    half = ctypes.c_double(0.5)

    def refused(name, code, words, *arguments):
        got, _, _ = door.phase_one(name, list(arguments))
        assert got == code and words in door.message(), f"{name}: {got} {door.message()}"

    for place, name in enumerate(("self", "mask", None, "out")):
        if name:
            arguments = [handle(x), handle(mask), half, handle(y)]
            arguments[place] = None
            refused("aclnnDropoutDoMask", 161001, f"{name} must not be NULL", *arguments)
    refused("aclnnDropoutDoMask", 161002, "32", handle(x), handle(short), half, handle(y))
    refused("aclnnDropoutDoMask", 161002, "uint8", handle(x), handle(other), half, handle(y))
    refused("aclnnDropoutDoMask", 161002, "float64", handle(wide), handle(mask), half, handle(wide))
    refused("aclnnDropoutDoMask", 161002, "out", handle(x), handle(mask), half, handle(blank("f32", 199)))
    for bad in (-0.5, 1.5, math.nan):
        refused("aclnnDropoutDoMask", 161002, "must be in [0, 1]", handle(x), handle(mask), ctypes.c_double(bad), handle(y))
        refused("aclnnDropoutV3", 161002, "must be in [0, 1]", handle(x), None, ctypes.c_double(bad), i64(1), i64(0), handle(y), handle(mask))
        refused("aclnnDropoutGenMaskV2", 161002, "must be in [0, 1]", door.POINTER(door.int_array([200])), ctypes.c_double(bad), i64(1),
                i64(0), ctypes.c_int(0), handle(mask))
    refused("aclnnDropoutV3", 161002, "multiple of 4", handle(x), None, half, i64(1), i64(3), handle(y), handle(mask))
    refused("aclnnDropoutV3", 161002, "maskOut", handle(x), None, half, i64(1), i64(0), handle(y), handle(short))
    for place, name in enumerate(("input", None, None, None, None, "out", "maskOut")):
        if name:
            arguments = [handle(x), None, half, i64(1), i64(0), handle(y), handle(mask)]
            arguments[place] = None
            refused("aclnnDropoutV3", 161001, f"{name} must not be NULL", *arguments)
    refused("aclnnDropoutGenMaskV2", 161002, "out", door.POINTER(door.int_array([200])), half, i64(1), i64(0), ctypes.c_int(0), handle(short))
    refused("aclnnDropoutGenMaskV2", 161002, "negative", door.POINTER(door.int_array([-2])), half, i64(1), i64(0), ctypes.c_int(0), handle(mask))


def test_permutation():
    for dtype in ("i64", "i32", "f32"):
        x = blank(dtype, 60, layout="sliced")
        run("aclnnRandperm", i64(60), i64(SEED), i64(OFFSET), handle(x))
        want = list(range(60))
        for i, w in enumerate(words(SEED, OFFSET, 59)):
            j = i + w % (60 - i)
            want[i], want[j] = want[j], want[i]
        assert x.values().tolist() == want
    empty = blank("i64", 0)
    run("aclnnRandperm", i64(0), i64(1), i64(1), handle(empty))


def test_choice():
    weights, out = Tensor(np.array([[0, 1, 3, 0], [5, 0, 0, 5]]), "f32"), blank("i64", 2, 4000)
    run("aclnnMultinomial", handle(weights), i64(4000), ctypes.c_bool(True), i64(SEED), i64(OFFSET), handle(out))
    share = np.bincount(out.values()[0], minlength=4) / 4000
    assert share[0] == 0 and share[3] == 0 and abs(share[1] - 0.25) < 0.03
    share = np.bincount(out.values()[1], minlength=4) / 4000
    assert share[1] == 0 and share[2] == 0 and abs(share[0] - 0.5) < 0.03
    numbers = np.array(reals(SEED, OFFSET, 4000, 53))
    assert np.array_equal(out.values()[0], np.where(numbers * 4 < 1, 1, 2))
    two = blank("i64", 2, 2)
    run("aclnnMultinomial", handle(weights), i64(2), ctypes.c_bool(False), i64(SEED), i64(OFFSET), handle(two))
    assert sorted(two.values()[0]) == [1, 2] and sorted(two.values()[1]) == [0, 3]
    first = np.zeros(3)
    weights, one = Tensor(np.array([1.0, 2, 5]), "f64"), blank("i64", 1)
    for seed in range(2000):
        run("aclnnMultinomial", handle(weights), i64(1), ctypes.c_bool(False), i64(seed), i64(0), handle(one))
        first[one.values()[0]] += 1
    assert np.all(np.abs(first / 2000 - np.array([1, 2, 5]) / 8) < 0.04)
    code, _, _ = door.phase_one("aclnnMultinomial", [handle(weights), i64(4), ctypes.c_bool(False), i64(0), i64(0),
                                                     handle(blank("i64", 4))])
    assert code == 161002 and "cannot be drawn" in door.message()
