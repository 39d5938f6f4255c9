# SPDX-License-Identifier: Apache-2.0
"""Two-phase operators against PyTorch on the CPU, where a formula of the table says too little: indices, modes, NaN,
infinities, ranks of 0 and empty tensors."""
import os
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sys.path[:0] = [os.path.join(os.environ["JUMAR_SOURCE"], "scripts"), os.path.dirname(__file__)]
import aclnn  # noqa: E402
import door  # noqa: E402

ROWS = {row.name: row for _, _, rows in aclnn.parse_table(aclnn.ROOT / "src/ops/aclnn.tab") for row in rows}
TYPES = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16", torch.int8: "i8",
         torch.int16: "i16", torch.int32: "i32", torch.int64: "i64", torch.uint8: "u8", torch.bool: "bool"}
NAN, INF = float("nan"), float("inf")


def numpy_of(tensor):
    return tensor.double().numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def tensor_of(tensor, layout):
    return door.Tensor(numpy_of(tensor), TYPES[tensor.dtype], layout)


def scalar_of(value):
    kind = "bool" if isinstance(value, bool) else "i64" if isinstance(value, int) else "f64"
    return door.POINTER(door.scalar(value, kind))


def same(have, want, exact):
    half = want.dtype == torch.bfloat16  # which numpy lacks
    want = numpy_of(want)
    if want.dtype.kind != "f" or exact:
        return np.array_equal(have, want, equal_nan=want.dtype.kind == "f")
    eps = 8e-3 if half else {"float32": 1e-5, "float16": 2e-3}.get(want.dtype.name, 1e-12)
    return have.shape == want.shape and np.allclose(have, want.astype(np.float64), rtol=eps, atol=eps, equal_nan=True)


def call(name, *values, exact=False, code=0, layout="contiguous"):
    """Calls the operator with torch tensors and numbers. An output is given as what it must hold; a tensor that is
    changed in place as a pair, before and after."""
    row = ROWS[name]
    assert len(values) == len(row.params)
    arguments, outputs, alive = [], [], []  # Python objects own the storages
    for param, value in zip(row.params, values):
        if value is None:
            arguments.append(None)
        elif param.kind == "TENSOR":
            before, after = value if isinstance(value, tuple) else (value, value)
            made = tensor_of(torch.zeros_like(after) if param.output and not param.input else before, layout)
            arguments.append(door.POINTER(made.handle))
            alive.append(made)
            if param.output:
                outputs.append((made, after))
        elif param.kind == "TENSORS":
            items = [tensor_of(item, layout) if item is not None else None for item in value]
            alive += items
            arguments.append(door.list_of("Tensor", [item.handle if item else None for item in items]))
        elif param.kind == "SCALAR":
            arguments.append(scalar_of(value))
        else:
            arguments.append(door.plain(param, TYPES[value] if param.kind == "DTYPE" else value))
    got = door.run(name, arguments)
    assert got == code, f"{name}: {got} {door.message()}"
    for made, want in outputs if code == 0 else []:
        assert same(made.values(), want, exact), f"{name}: {made.values()}\nwant {want}"


def numbers(*shape, dtype=torch.float32, seed=0):
    made = torch.randint(-20, 20, shape, generator=torch.Generator().manual_seed(seed + sum(shape)))
    return (made / 4).to(dtype) if dtype.is_floating_point else made.to(dtype)


# ---- Arithmetic ----

EDGES = torch.tensor([0.0, -0.0, 1, -1, 2.5, -2.5, 0.3, INF, -INF, NAN, 1e30, -7])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_unary_edges(dtype):
    x = EDGES.to(dtype)
    for name, function in (("Expm1", torch.expm1), ("Log1p", torch.log1p), ("Log2", torch.log2), ("Log10", torch.log10),
                           ("Erfc", torch.erfc), ("Erfinv", torch.erfinv), ("Trunc", torch.trunc), ("Frac", torch.frac),
                           ("Signbit", torch.signbit)):
        call("aclnn" + name, x, function(x))
    small = torch.tensor([0.0, 0.5, -1.5, 1, 3, NAN], dtype=dtype)
    call("aclnnSinc", small, torch.sinc(small))
    near = torch.tensor([1e-7, -1e-7, 0.999999, -0.999999, 0.5, 0.500001], dtype=dtype)
    for name, function in (("Erfinv", torch.erfinv), ("Expm1", torch.expm1), ("Log1p", torch.log1p)):
        call("aclnn" + name, near, function(near))
    call("aclnnNanToNum", x, 7.0, 8.0, -9.0, torch.nan_to_num(x, 7, 8, -9))
    unit = torch.tensor([0, 1, 0.5, 0.2, -1, 2, NAN], dtype=dtype)
    call("aclnnLogit", unit, -1.0, torch.logit(unit))
    call("aclnnLogit", unit, 0.125, torch.logit(unit, 0.125))
    tenths = torch.tensor([0.125, -0.375, 12.5, 1250, INF, NAN], dtype=dtype)
    for decimals in (-2, -1, 0, 1, 2):
        call("aclnnRoundDecimals", tenths, decimals, torch.round(tenths, decimals=decimals))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_binary_edges(dtype):
    x, y = (t.contiguous() for t in torch.broadcast_tensors(EDGES.to(dtype)[:, None], EDGES.to(dtype)))
    for name, function in (("Atan2", torch.atan2), ("LogAddExp", torch.logaddexp), ("XLogYTensor", torch.xlogy),
                           ("RemainderTensorTensor", torch.remainder), ("FmodTensor", torch.fmod),
                           ("FloorDivide", torch.floor_divide)):
        call("aclnn" + name, x, y, function(x, y))
    for mode, rounding in enumerate((None, "trunc", "floor")):
        call("aclnnDivMod", x, y, mode, torch.div(x, y, rounding_mode=rounding))
    for equal in (False, True):
        call("aclnnIsClose", x, y, 0.1, 0.2, equal, torch.isclose(x, y, 0.1, 0.2, equal_nan=equal))


def test_division_of_integers():
    a, b = torch.tensor([7, -7, 7, -7, -2**31, 0], dtype=torch.int32), torch.tensor([2, 2, -2, -2, 3, 5], dtype=torch.int32)
    for mode, rounding in enumerate((None, "trunc", "floor")):
        call("aclnnDivMod", a, b, mode, torch.div(a, b, rounding_mode=rounding))
    call("aclnnFloorDivides", a, 3, a // 3)
    call("aclnnRemainderTensorTensor", a, b, torch.remainder(a, b))
    call("aclnnDivMod", a, torch.zeros_like(a), 2, torch.zeros_like(a))  # PyTorch refuses it
    call("aclnnDivMod", a, b, 3, torch.zeros_like(a), code=161002)


def test_sets():
    x = torch.tensor([1.0, 2, NAN, 3])
    call("aclnnIsInScalarTensor", 2, x, False, False, torch.tensor(True))
    call("aclnnIsInScalarTensor", 5, x, False, True, torch.tensor(True))
    call("aclnnIsInScalarTensor", 5, torch.empty(0), False, False, torch.tensor(False))
    call("aclnnIsInTensorScalar", x, 3.0, False, True, torch.isin(x, 3.0, invert=True))


# ---- Indices ----

LAYOUTS = pytest.mark.parametrize("layout", ["contiguous", "transposed", "sliced"])


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int64, torch.uint8], ids=str)
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_index_family(dtype, dim, layout):
    x = numbers(3, 4, 5, dtype=dtype)
    index = torch.tensor([2, 0, 2, 1])
    shape = list(x.shape)
    shape[dim] = 4
    source = numbers(*shape, dtype=dtype, seed=1)
    call("aclnnIndexAdd", x, dim, index, source, 2, x.index_add(dim, index, source, alpha=2), layout=layout)
    filled = x.index_fill(dim, index, 3)
    call("aclnnIndexFill", x, dim, index, 3, filled, layout=layout)
    call("aclnnInplaceIndexFill", (x, filled), dim, index, 3, layout=layout)
    call("aclnnIndexFillTensor", x, dim, [2, 0, 2, 1], 3, filled, layout=layout)
    call("aclnnInplaceIndexFillTensor", (x, filled), dim, [2, 0, 2, 1], 3, layout=layout)
    once = torch.tensor([2, 0, 1])
    part = source.narrow(dim, 0, 3).contiguous()
    copied = x.index_copy(dim, once, part)
    call("aclnnInplaceIndexCopy", (x, copied), dim, once, part, layout=layout)


def test_index_edges():
    zero = torch.tensor(5.0)
    call("aclnnIndexFill", zero, 0, torch.tensor([0]), 2.0, torch.tensor(2.0))
    empty = torch.empty(0, dtype=torch.int64)
    x = numbers(2, 3)
    call("aclnnIndexFill", x, 1, empty, 2.0, x)
    call("aclnnIndexFill", x, 2, empty, 2.0, x, code=161002)
    call("aclnnIndexFill", x, 0, torch.zeros(2, 2, dtype=torch.int64), 2.0, x, code=161002)
    call("aclnnIndexAdd", x, 0, torch.tensor([0, 1]), numbers(3, 3), 1, x, code=161002)


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32], ids=str)
def test_scatter(dtype, layout):
    x, source = numbers(3, 5, dtype=dtype), numbers(3, 6, dtype=dtype, seed=2)
    index = torch.tensor([[0, 2, 1], [2, 1, 0]])
    for dim in (0, 1, -2):
        for reduce, text in enumerate((None, "add", "multiply")):
            how = {"reduce": text} if text else {}
            want = x.scatter(dim, index, source, **how)
            call("aclnnScatter", x, dim, index, source, reduce, want, layout=layout)
            call("aclnnInplaceScatter", (x, want), dim, index, source, reduce, layout=layout)
            want = x.scatter(dim, index, 3, **how)
            call("aclnnScatterValue", x, dim, index, 3, reduce, want, layout=layout)
            call("aclnnInplaceScatterValue", (x, want), dim, index, 3, reduce, layout=layout)


@LAYOUTS
def test_take_and_put(layout):
    x, index = numbers(3, 4), torch.tensor([[0, 11], [-1, 5]])
    call("aclnnTake", x, index, x.take(index), layout=layout)
    source = numbers(2, 2)
    for accumulate in (False, True):
        index = torch.tensor([[0, 11], [3, 5]])
        call("aclnnInplacePut", (x, x.clone().put_(index, source, accumulate)), index, source, accumulate, layout=layout)


def test_counting():
    x = torch.tensor([0, 3, 1, 3, 3], dtype=torch.int32)
    call("aclnnBincount", x, None, 0, torch.bincount(x))
    call("aclnnBincount", x, torch.tensor([0.5, 1, 2, 4, 8]), 6,
         torch.bincount(x, torch.tensor([0.5, 1, 2, 4, 8]), minlength=6).float())
    on, off = torch.tensor([1]), torch.tensor([0])
    call("aclnnOneHot", x.long(), 4, on, off, -1, torch.nn.functional.one_hot(x.long(), 4))
    call("aclnnOneHot", x.long(), 4, on, off, 0, torch.nn.functional.one_hot(x.long(), 4).T.contiguous())


@pytest.mark.parametrize("shape", [(4, 4), (2, 5), (5, 2), (0, 3)], ids=str)
def test_trace(shape):
    x = numbers(*shape)
    call("aclnnTrace", x, torch.trace(x))


# ---- Statistics ----

FLOATS = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)


@FLOATS
@LAYOUTS
def test_variances(dtype, layout):
    x = numbers(3, 4, 5, dtype=dtype)
    for dims in ([], [0], [-1], [0, 2], [0, 1, -1]):
        for keep in (False, True):
            for correction in (0, 1, 2):
                how = {"dim": dims or (0, 1, 2), "correction": correction, "keepdim": keep}
                call("aclnnVarCorrection", x, dims, correction, keep, torch.var(x, **how), layout=layout)
                call("aclnnStd", x, dims, correction, keep, torch.std(x, **how), layout=layout)
                call("aclnnVarMean", x, dims, correction, keep, *torch.var_mean(x, **how), layout=layout)
                call("aclnnStdMeanCorrection", x, dims, correction, keep, *torch.std_mean(x, **how), layout=layout)
    one = torch.tensor([3.0], dtype=dtype)
    call("aclnnVarCorrection", one, [0], 1, False, torch.tensor(NAN, dtype=dtype))


@FLOATS
@LAYOUTS
def test_norms(dtype, layout):
    x = numbers(3, 4, 5, dtype=dtype)
    for p in (0, 1, 2, 3, 0.5, INF, -INF, -1.0):
        x = x + 0.125  # no zeros for the negative powers
        for dims in ([], [1], [0, -1]):
            want = torch.linalg.vector_norm(x, p, dim=dims or None)
            call("aclnnNorm", x, p, dims, False, want, layout=layout)
            call("aclnnLinalgVectorNorm", x, p, dims, False, dtype, want, layout=layout)
    for dim in (0, -1):
        want = torch.renorm(x, 2, dim, 3)
        call("aclnnRenorm", x, 2, dim, 3, want, layout=layout)
        call("aclnnInplaceRenorm", (x, want), 2, dim, 3, layout=layout)
    y = numbers(3, 2, 5, dtype=dtype, seed=7)
    for p in (1.0, 2.0, INF):
        call("aclnnCdist", x, y, p, 0, torch.cdist(x, y, p, "donot_use_mm_for_euclid_dist"), layout=layout)
    half = numbers(6, 3, dtype=torch.float16)
    call("aclnnNorm", half, 2, [0], False, torch.linalg.vector_norm(half.float(), dim=0).half())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int32, torch.uint8], ids=str)
@LAYOUTS
def test_order(dtype, layout):
    x = torch.randperm(60, generator=torch.Generator().manual_seed(3)).reshape(3, 4, 5).to(dtype)
    for dim in (0, 1, -1):
        for keep in (False, True):
            for k in (1, 2, 3):
                call("aclnnKthvalue", x, k, dim, keep, *torch.kthvalue(x, k, dim, keep), layout=layout)
            call("aclnnMedianDim", x, dim, keep, *torch.median(x, dim, keep), layout=layout)
            call("aclnnNanMedianDim", x, dim, keep, *torch.nanmedian(x, dim, keep), layout=layout)
        few = x // 16
        call("aclnnCummax", few, dim, *torch.cummax(few, dim), layout=layout)
        call("aclnnCummin", few, dim, *torch.cummin(few, dim), layout=layout)
    call("aclnnMedian", x, torch.median(x), layout=layout)
    call("aclnnNanMedian", x, torch.nanmedian(x), layout=layout)


def test_order_of_nan():
    x = torch.tensor([[3.0, NAN, 1, -INF], [NAN, NAN, NAN, NAN], [INF, 2, 5, 4]])
    call("aclnnMedianDim", x, 1, False, *torch.median(x, 1))
    values, indices = torch.nanmedian(x, 1)
    indices[1] = 0  # of NaN alone any will do
    call("aclnnNanMedianDim", x, 1, False, values, indices)
    call("aclnnKthvalue", x, 4, 1, False, torch.tensor([NAN, NAN, INF]), torch.tensor([1, 3, 0]))
    call("aclnnCummax", x, 1, *torch.cummax(x, 1))
    call("aclnnCummin", x, 1, *torch.cummin(x, 1))
    call("aclnnMedian", x, torch.tensor(NAN))
    call("aclnnMedian", torch.tensor(4.0), torch.tensor(4.0))
    call("aclnnKthvalue", x, 5, 1, False, values, indices, code=161002)
    call("aclnnMedianDim", x, 2, False, values, indices, code=161002)


def test_search():
    lines = torch.sort(numbers(3, 9), dim=1).values
    x = numbers(3, 5, seed=4)
    for right in (False, True):
        call("aclnnSearchSorted", lines, x, False, right, None, torch.searchsorted(lines, x, right=right))
        call("aclnnSearchSorted", lines[0].contiguous(), x, True, right, None,
             torch.searchsorted(lines[0].contiguous(), x, right=right, out_int32=True))
        call("aclnnSearchSorteds", lines[0].contiguous(), 1.5, False, right, None,
             torch.searchsorted(lines[0].contiguous(), 1.5, right=right))
        call("aclnnBucketize", x, lines[0].contiguous(), False, right, torch.bucketize(x, lines[0].contiguous(), right=right))
    mixed = numbers(3, 9)
    sorter = torch.argsort(mixed, dim=1, stable=True)
    call("aclnnSearchSorted", mixed, x, False, False, sorter, torch.searchsorted(mixed, x, sorter=sorter))
    call("aclnnBucketize", torch.tensor([NAN, INF, -INF]), torch.tensor([1.0, 2]), False, False, torch.tensor([2, 2, 0]))
    call("aclnnBucketize", x, torch.empty(0), False, False, torch.zeros(3, 5, dtype=torch.int64))
    call("aclnnSearchSorted", lines, x[:2].contiguous(), False, False, None, torch.zeros(2, 5).long(), code=161002)


# ---- Movement ----

@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.int8, torch.float64, torch.bool], ids=str)
def test_flip_and_roll(dtype, layout):
    x = numbers(3, 4, 5, dtype=torch.int32).to(dtype)
    for dims in ([], [0], [-1, 0], [0, 1, 2]):
        call("aclnnFlip", x, dims, torch.flip(x, dims), layout=layout)
    for shifts, dims in (([1], [0]), ([-2, 7], [1, -1]), ([13], []), ([-1], []), ([0], [2])):
        call("aclnnRoll", x, shifts, dims, torch.roll(x, shifts, dims or None), layout=layout)
    empty = torch.empty(0, 3, dtype=dtype)
    call("aclnnFlip", empty, [0, 1], empty)
    call("aclnnRoll", empty, [2], [0], empty)
    call("aclnnRoll", torch.ones((), dtype=dtype), [2], [], torch.ones((), dtype=dtype))
    call("aclnnFlip", x, [0, 0], x, code=161002)
    call("aclnnRoll", x, [1, 2], [0], x, code=161002)


@LAYOUTS
def test_repeats(layout):
    x, repeats = numbers(3, 4), torch.tensor([2, 0, 3, 1])
    call("aclnnRepeatInterleaveInt", x, 3, 36, x.repeat_interleave(3), layout=layout)
    call("aclnnRepeatInterleaveIntWithDim", x, 2, 0, 6, x.repeat_interleave(2, 0), layout=layout)
    call("aclnnRepeatInterleaveIntWithDim", x, 2, -1, 8, x.repeat_interleave(2, -1), layout=layout)
    call("aclnnRepeatInterleaveWithDim", x, repeats, 1, 6, x.repeat_interleave(repeats, 1), layout=layout)
    call("aclnnRepeatInterleaveWithDim", x, torch.tensor([2]), 0, 6, x.repeat_interleave(2, 0), layout=layout)
    call("aclnnRepeatInterleave", x[0].contiguous(), repeats, 6, x[0].repeat_interleave(repeats), layout=layout)
    call("aclnnRepeatInterleave", x, torch.tensor([2]), 24, x.repeat_interleave(2), layout=layout)
    call("aclnnRepeatInterleaveTensor", repeats, 6, torch.repeat_interleave(repeats), layout=layout)


@LAYOUTS
def test_masked_scatter(layout):
    x, source = numbers(3, 4), numbers(12, seed=5)
    for mask in (x > 0, torch.zeros(3, 4, dtype=torch.bool), torch.tensor([True, False, False, True])):
        call("aclnnInplaceMaskedScatter", (x, x.masked_scatter(mask, source)), mask, source, layout=layout)


def test_small_ones():
    a, b = numbers(4, 3, 2), numbers(1, 3, 2, seed=1)
    call("aclnnLinalgCross", a, b, 1, torch.linalg.cross(a, b, dim=1))
    call("aclnnLinalgCross", a, b, 0, a, code=161002)
    call("aclnnEqual", a, a, torch.tensor([True]))
    call("aclnnEqual", a, b, torch.tensor([False]))
    call("aclnnEqual", a, a[:1].contiguous(), torch.tensor([False]))
    call("aclnnEqual", torch.empty(0), torch.empty(0), torch.tensor([True]))
    call("aclnnRange", 1, 7, 2, torch.range(1, 7, 2))
    call("aclnnRange", 1, 6, 2, torch.range(1, 6, 2))
    call("aclnnRange", 0.5, -1.5, -0.5, torch.range(0.5, -1.5, -0.5))
    call("aclnnRange", 3, 3, 1, torch.tensor([3]))
