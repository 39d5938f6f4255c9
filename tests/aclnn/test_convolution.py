# SPDX-License-Identifier: Apache-2.0
"""Convolutions through the two-phase interface: gradients against finite differences, masks, illegal arguments, shapes that
take the packed forms, and the same bits with any number of threads and instruction set."""
import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(__file__))
import cases  # noqa: E402
import door  # noqa: E402
from door import POINTER, Tensor  # noqa: E402


class Call:
    """One geometry: stride, padding, dilation, transposed, outputPadding, groups."""

    def __init__(self, stride, padding, dilation, transposed=False, extra=None, groups=1):
        self.numbers = (stride, padding, dilation, transposed, extra or [0] * len(stride), groups)

    def arguments(self, **other):
        names = ("stride", "padding", "dilation", "transposed", "extra", "groups")
        values = {**dict(zip(names, self.numbers)), **other}
        ints = [None if values[n] is None else POINTER(door.int_array(values[n])) for n in names[:3]]
        return [*ints, door.CTYPES["bool"](values["transposed"]), POINTER(door.int_array(values["extra"]))], values["groups"]

    def forward(self, x, w, bias=None, dtype="f32", code=0, shape=None, **other):
        tensors = [Tensor(t, dtype, "contiguous") for t in (x, w)] + [bias if bias is None else Tensor(bias, dtype, "contiguous")]
        shape = cases.convolve(x, w, None, *self.numbers).shape if shape is None else shape
        out = Tensor(np.zeros(shape), dtype, "contiguous")
        middle, groups = self.arguments(**other)
        got = door.run("aclnnConvolution", [*[POINTER(t.handle) if t else None for t in tensors], *middle,
                                            door.CTYPES["i64"](groups), POINTER(out.handle), door.CTYPES["i8"](0)])
        assert got == code, f"{got} {door.message()}"
        return out.values()

    def backward(self, dy, x, w, dtype="f32", mask=(True, True, True), sizes=None, outputs=None, code=0, **other):
        """The three gradients; `outputs` replaces output tensors (None: NULL)."""
        tensors = [Tensor(t, dtype, "contiguous") for t in (dy, x, w)]
        made = [Tensor(np.full(shape, 7.0), dtype, "contiguous") for shape in (x.shape, w.shape, (dy.shape[1],))]
        for i, tensor in (outputs or {}).items():
            made[i] = tensor
        middle, groups = self.arguments(**other)
        got = door.run("aclnnConvolutionBackward", [
            *[POINTER(t.handle) for t in tensors], None if sizes is None else POINTER(door.int_array(sizes)), *middle,
            door.CTYPES["i32"](groups), POINTER(door.bool_array(mask)), door.CTYPES["i8"](0),
            *[POINTER(t.handle) if t else None for t in made]])
        assert got == code, f"{got} {door.message()}"
        return [t.values() if t else None for t in made]


def uniform(seed, *shape):
    return np.random.default_rng(seed).uniform(-1, 1, shape)


SMALL = [
    (Call([2], [1], [1]), (2, 3, 7), (4, 3, 3)),
    (Call([1, 2], [1, 0, 2, 1], [2, 1]), (2, 2, 6, 5), (3, 2, 2, 3)),
    (Call([2, 1], [1, 0], [1, 1], groups=2), (1, 4, 5, 4), (2, 2, 3, 2)),
    (Call([1, 1], [1, 1], [1, 1], groups=3), (1, 3, 4, 4), (3, 1, 3, 3)),
    (Call([3, 2], [1, 1], [1, 2], True, [2, 1]), (1, 2, 3, 3), (2, 3, 2, 3)),
    (Call([1, 1], [0, 1], [3, 1], True, [2, 0]), (1, 2, 3, 3), (2, 3, 2, 3)),  # outputPadding above the stride
    (Call([2, 2], [1, 1], [1, 1], True, [1, 1], groups=2), (1, 4, 3, 3), (4, 1, 3, 3)),
    (Call([1, 2, 1], [1, 0, 1], [1, 1, 2]), (1, 2, 3, 4, 5), (2, 2, 2, 2, 2)),
]


@pytest.mark.parametrize("call,x,w", SMALL, ids=range(len(SMALL)))
def test_gradients_are_differences(call, x, w):
    """In float64: central differences of sum(dy * forward), which is linear in each argument, so they are exact."""
    x, w = uniform(1, *x), uniform(2, *w)
    dy = uniform(3, *cases.convolve(x, w, None, *call.numbers).shape)
    bias = uniform(4, dy.shape[1])
    grads = call.backward(dy, x, w, "f64", sizes=[dy.shape[1]])
    for argument, grad in zip((x, w, bias), grads):
        for place in np.random.default_rng(5).permutation(argument.size)[:6]:
            at = np.unravel_index(place, argument.shape)
            kept, ends = argument[at], []
            for step in (0.5, -0.5):
                argument[at] = kept + step
                ends.append(np.sum(dy * call.forward(x, w, bias, "f64")))
            argument[at] = kept
            assert abs(grad[at] - (ends[0] - ends[1])) < 1e-11


LARGE = [
    (Call([1, 1], [1, 1], [1, 1]), (2, 32, 40, 37), (48, 32, 3, 3)),  # Winograd
    (Call([2, 2], [1, 1], [1, 1]), (1, 24, 41, 38), (40, 24, 3, 3)),
    (Call([1, 1], [0, 0], [1, 1]), (3, 48, 28, 28), (33, 48, 1, 1)),
    (Call([2, 2], [3, 3], [1, 1]), (1, 3, 64, 70), (20, 3, 7, 7)),  # the first layer of a network
    (Call([1, 1], [2, 2], [2, 2]), (1, 20, 33, 300), (17, 20, 3, 3)),
    (Call([1, 1], [1, 1], [1, 1], groups=32), (2, 32, 30, 30), (32, 1, 3, 3)),
    (Call([2, 2], [1, 1], [1, 1], groups=40), (1, 40, 31, 30), (40, 1, 3, 3)),
    (Call([1, 1], [1, 1], [1, 1], groups=4), (1, 32, 20, 20), (64, 8, 3, 3)),
    (Call([2, 2], [0, 0], [1, 1], True), (1, 32, 20, 21), (32, 24, 2, 2)),
    (Call([2, 2], [1, 1], [1, 1], True, [1, 1]), (1, 18, 19, 20), (18, 33, 3, 3)),
    (Call([1, 1], [1, 1], [1, 1], True), (1, 32, 24, 24), (32, 32, 3, 3)),
    (Call([1], [4], [1]), (2, 40, 300), (24, 40, 9)),
    (Call([1, 1, 1], [1, 1, 1], [1, 1, 1]), (1, 16, 6, 10, 11), (20, 16, 3, 3, 3)),
]
EPSILON = {"f32": 1.5e-6, "f16": 1e-3, "bf16": 8e-3}


def close(have, want, dtype, of):
    error = np.max(np.abs(have - want))
    assert error <= EPSILON[dtype] * np.max(np.abs(want)) * (4 if dtype == "f32" else 1), f"{of}: {error} of {np.max(np.abs(want))}"


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("call,x,w", LARGE, ids=range(len(LARGE)))
def test_large(call, x, w, dtype):
    x, w = (door.decode(door.encode(uniform(i, *s), dtype), dtype).astype(np.float64) for i, s in ((1, x), (2, w)))
    want = cases.convolve(x, w, None, *call.numbers)
    bias, dy = (door.decode(door.encode(uniform(i, *s), dtype), dtype).astype(np.float64)
                for i, s in ((3, want.shape[1:2]), (4, want.shape)))
    close(call.forward(x, w, bias, dtype), want + bias.reshape(-1, *[1] * (x.ndim - 2)), dtype, "output")
    dx, dw = cases.gradients(dy, x, w, *call.numbers)
    for have, expected, name in zip(call.backward(dy, x, w, dtype), (dx, dw, cases.FORMULAS["bias_grad"](dy)), "xwb"):
        close(have, expected, dtype, f"gradient {name}")


def test_masks():
    call, x, w = SMALL[1]
    x, w = uniform(1, *x), uniform(2, *w)
    dy = uniform(3, *cases.convolve(x, w, None, *call.numbers).shape)
    all_three = call.backward(dy, x, w)
    for bits in range(8):
        mask = [bool(bits >> i & 1) for i in range(3)]
        for wanted, have, want in zip(mask, call.backward(dy, x, w, mask=mask), all_three):
            assert np.array_equal(have, want) if wanted else np.all(have == 7.0)
    scrap = Tensor(np.full((2, 1), 7.0), "f16", "contiguous")  # of any shape and type where it is not wanted
    call.backward(dy, x, w, mask=(True, True, False), outputs={2: scrap})
    assert np.all(scrap.values() == 7.0)
    call.backward(dy, x, w, mask=(True, True, False), outputs={2: None})
    call.backward(dy, x, w, outputs={2: None}, code=161001)
    assert "gradBias must not be NULL" in door.message()
    call.backward(dy, x, w, outputs={0: None}, code=161001)


def test_illegal_arguments():
    call, x, w = Call([1, 1], [1, 1], [1, 1]), uniform(1, 1, 4, 5, 5), uniform(2, 6, 4, 3, 3)
    dy = uniform(3, 1, 6, 5, 5)
    for words, other in (
            ("stride has 1 numbers", {"stride": [1]}), ("stride[1] is 0", {"stride": [1, 0]}),
            ("stride[0] is -1", {"stride": [-1, 1]}), ("dilation has 3 numbers", {"dilation": [1, 1, 1]}),
            ("dilation[0] is 0", {"dilation": [0, 1]}), ("padding has 3 numbers", {"padding": [1, 1, 1]}),
            ("padding[0] is -1", {"padding": [-1, 1]}), ("group is 0", {"groups": 0}), ("groups", {"groups": 3}),
            ("groups", {"groups": 2}), ("the kernel spans", {"dilation": [4, 1]}),
            ("output_padding has 1 numbers", {"transposed": True, "extra": [1]}),
            ("output_padding[0] is -1", {"transposed": True, "extra": [-1, 0]}),
            ("padding has 4 numbers", {"transposed": True, "padding": [1, 1, 1, 1]})):
        for run in (lambda **o: call.forward(x, w, code=161002, **o), lambda **o: call.backward(dy, x, w, code=161002, **o)):
            run(**other)
            assert words in door.message(), (words, other)
    for words, run in (
            ("output is FLOAT32 [1,6,5,4] and must be FLOAT32 [1,6,5,5]", lambda: call.forward(x, w, code=161002, shape=(1, 6, 5, 4))),
            ("bias", lambda: call.forward(x, w, uniform(1, 5), code=161002)),
            ("stride has 2 numbers and must have 1", lambda: call.forward(x[0], w, code=161002, shape=(1,))),
            ("grad_output has shape", lambda: call.backward(dy[..., 1:], x, w, code=161002)),
            ("output_mask has 2 entries", lambda: call.backward(dy, x, w, mask=(True, True), code=161002)),
            ("bias_sizes", lambda: call.backward(dy, x, w, sizes=[5], code=161002)),
            ("must be FLOAT32 [6,4,3,3]",
             lambda: call.backward(dy, x, w, code=161002, outputs={1: Tensor(np.zeros((6, 4, 3)), "f32", "contiguous")}))):
        run()
        assert words.lower() in door.message().lower(), door.message()


def results_digest():
    digest = hashlib.sha256()
    for call, x, w in LARGE[:12]:
        x, w = uniform(1, *x), uniform(2, *w)
        out = call.forward(x, w)
        for array in (out, *call.backward(uniform(3, *out.shape), x, w)):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def test_same_bits():
    """With one, two and three threads, and at every instruction set of this machine."""
    found = {}
    for threads, level in (("1", ""), ("2", ""), ("3", ""), ("2", "reference"), ("2", "avx2")):
        environment = {**os.environ, "JUMAR_NUM_THREADS": threads, **({"JUMAR_CPU": level} if level else {})}
        done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
        if "lacks" in done.stderr or "JUMAR_CPU" in done.stderr:
            continue
        assert done.returncode == 0, done.stderr
        found[threads, level] = done.stdout
    assert len(found) >= 3 and len(set(found.values())) == 1, found


if __name__ == "__main__":
    assert door.function("aclrtSetDevice")(0) == 0, door.message()
    print(results_digest())
