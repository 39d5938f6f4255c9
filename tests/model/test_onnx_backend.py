# SPDX-License-Identifier: Apache-2.0
"""The backend node tests of the package onnx pass, but for those that onnx_backend_exceptions.txt lists with a reason; and
every level of instructions gives the same bytes.

Needs onnx (tests/requirements.txt). How a test is run is said in onnx_backend.py. Only a crash or a hang has no exception.
"""
import collections
import os
import pathlib
import re

import pytest

pytest.importorskip("onnx")
import onnx_backend  # noqa: E402

EXCEPTIONS = pathlib.Path(__file__).with_name("onnx_backend_exceptions.txt")
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/onnx-support.md"
LEAST = 0.85  # of the tests that are in scope

# Families of operators, each a list of ONNX's names. A test belongs to the family of the operator it is for; the expanded
# form of a function is a test for that function.
FAMILIES = {
    "convolution": "CausalConvWithState Col2Im Conv ConvTranspose DeformConv",
    "pooling": "AveragePool GlobalAveragePool GlobalMaxPool LpPool MaxPool MaxUnpool RoiAlign",
    "normalisation": "BatchNormalization GroupNormalization InstanceNormalization LayerNormalization LpNormalization LRN "
                     "MeanVarianceNormalization RMSNormalization",
    "activation": "Celu Clip Elu Gelu HardSigmoid HardSwish LeakyRelu Mish PRelu Relu Selu Shrink Sigmoid Softplus Softsign "
                  "SwiGLU Swish Tanh ThresholdedRelu",
    "softmax": "Hardmax LogSoftmax Softmax",
    "element-wise": "Abs Acos Acosh Add Asin Asinh Atan Atanh Ceil Cos Cosh Div Dropout Erf Exp Floor Identity Log Max Mean "
                    "Min Mod Mul Neg Pow Reciprocal Round Sign Sin Sinh Sqrt Sub Sum Tan",
    "logic and bits": "And BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Equal Greater GreaterOrEqual IsInf IsNaN Less "
                      "LessOrEqual Not Or Where Xor",
    "reduction": "ArgMax ArgMin CumProd CumSum ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean "
                 "ReduceMin ReduceProd ReduceSum ReduceSumSquare",
    "shape and indexing": "CenterCropPad Compress Concat Constant ConstantOfShape DepthToSpace Expand EyeLike Flatten Gather "
                          "GatherElements GatherND NonZero OneHot Pad Range Reshape ReverseSequence Scatter ScatterElements "
                          "ScatterND Shape Size Slice SpaceToDepth Split Squeeze TensorScatter Tile TopK Transpose Trilu "
                          "Unique Unsqueeze",
    "cast": "BitCast Cast CastLike",
    "resize and sampling": "AffineGrid GridSample Resize Upsample",
    "matrix product": "Det Einsum Gemm MatMul",
    "quantisation": "ConvInteger DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearConv QLinearMatMul "
                    "QuantizeLinear",
    "detection": "NonMaxSuppression",
    "attention": "Attention LinearAttention RotaryEmbedding",
    "recurrent": "GRU LSTM RNN",
    "control": "If Loop Scan",
    "loss": "NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss",
}
FAMILY = {operator: family for family, operators in FAMILIES.items() for operator in operators.split()}


def read_exceptions():
    """[(regular expression, in scope, reason)]. A section in brackets says whether its tests count."""
    rules, counts = [], None
    for line in EXCEPTIONS.read_text().splitlines():
        text = line.split("#")[0].strip()
        if text.startswith("["):
            counts = {"[not yet]": True, "[out of scope]": False}[text]
        elif text:
            pattern, reason = re.fullmatch(r"(\S+)\s+(\S.*)", text).groups()
            rules.append((pattern, counts, reason))
    return rules


@pytest.fixture(scope="module")
def cases():
    if not onnx_backend.LIBRARY.exists():
        pytest.skip(f"there is no {onnx_backend.LIBRARY}")
    return onnx_backend.load()


@pytest.fixture(scope="module")
def results(cases):
    return {r.name: r for r in onnx_backend.run(list(cases.values()))}


def operator(name, cases):
    """The operator that a test is for: that of the function it expands, else the first node."""
    nodes = cases.get(re.sub("_expanded.*", "", name), cases[name]).model.graph.node
    return next(n.op_type for n in nodes if n.op_type != "Constant" or len(nodes) == 1)


def support_table(results, cases, out_of_scope):
    """Lines of docs/onnx-support.md: operators of each family, those in no test that passes struck out, and counts."""
    passed, total, seen = collections.Counter(), collections.Counter(), set()
    for name, result in results.items():
        if name in out_of_scope:
            continue
        op = operator(name, cases)
        total[FAMILY.get(op)] += 1
        if result.status == "pass":
            passed[FAMILY.get(op)] += 1
            seen |= {node.op_type for node in cases[name].model.graph.node}
    for family_name, operators in FAMILIES.items():
        names = [op if op in seen else f"~~{op}~~" for op in operators.split()]
        yield f"| {family_name} | {', '.join(names)} | {passed[family_name]} of {total[family_name]} |"


def report(results, cases, out_of_scope):
    """A table of what passes; the share of those in scope."""
    passed, total, as_it_is = collections.Counter(), collections.Counter(), 0
    for name, result in results.items():
        key = "out of scope" if name in out_of_scope else FAMILY.get(operator(name, cases), "others")
        total[key] += 1
        passed[key] += result.status == "pass"
        as_it_is += result.status == "pass" and result.constants == "none"
    print()
    for key in sorted(total, key=lambda k: (k == "out of scope", k)):
        print(f"{key:20} {passed[key]:5} of {total[key]:5}")
    inside = sum(total.values()) - total["out of scope"]
    share = (sum(passed.values()) - passed["out of scope"]) / inside
    print(f"in scope: {sum(passed.values()) - passed['out of scope']} of {inside}, {100 * share:.1f} %; {as_it_is} of them "
          "as they are, the others with inputs as constants")
    return share


def test_results(results, cases, capsys):
    rules = read_exceptions()
    listed = {name: rule for rule in rules for name in results if re.fullmatch(rule[0], name)}
    wrong = [f"{pattern}: matches no test" for pattern, _, _ in rules if not any(re.fullmatch(pattern, n) for n in results)]
    for name, result in results.items():
        if result.status in ("crash", "hang"):
            wrong.append(f"{name}: {result.status}: {result.why}")
        elif result.status == "pass" and name in listed:
            wrong.append(f"{name}: passes and is listed by {listed[name][0]}")
        elif result.status == "fail" and name not in listed:
            wrong.append(f"{name}: {result.why}")
    with capsys.disabled():
        share = report(results, cases, {name for name, rule in listed.items() if not rule[1]})
    assert not wrong, f"{len(wrong)} tests\n" + "\n".join(wrong)
    assert share >= LEAST


def test_page(results, cases):
    """docs/onnx-support.md says what passes; JUMAR_UPDATE_DOCS=1 writes it anew."""
    outside = {name for pattern, counts, _ in read_exceptions() if not counts for name in results
               if re.fullmatch(pattern, name)}
    head, table, tail = re.fullmatch(r"(.*\n\|-[^\n]*\n)((?:\|[^\n]*\n)*)(.*)", PAGE.read_text(), re.S).groups()
    want = "".join(line + "\n" for line in support_table(results, cases, outside))
    if os.environ.get("JUMAR_UPDATE_DOCS"):
        PAGE.write_text(head + want + tail)
    else:
        assert table == want, f"{PAGE} is not what passes: run this test with JUMAR_UPDATE_DOCS=1"


@pytest.mark.parametrize("level", onnx_backend.levels()[:-1])
def test_same_bytes(results, cases, level):
    if os.environ.get("JUMAR_CPU"):
        pytest.skip("JUMAR_CPU is set")
    other = {r.name: r for r in onnx_backend.run(list(cases.values()), level)}
    wrong = [f"{n}: {r.status} {r.why}" for n, r in other.items() if r.digest != results[n].digest]
    assert not wrong, f"{len(wrong)} tests\n" + "\n".join(wrong)
