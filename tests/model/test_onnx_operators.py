# SPDX-License-Identifier: Apache-2.0
"""Operators with many forms in random ones: against onnxruntime, Einsum against numpy. One thread of calls, two of chunks.

JUMAR_TEST_SEED changes what is tried; a failure prints the model.
"""
import os
import pathlib

import numpy as np
import pytest

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
onnxruntime.set_default_logger_severity(3)
import onnx  # noqa: E402
import onnx_backend  # noqa: E402
from onnx import helper  # noqa: E402

SEED = int(os.environ.get("JUMAR_TEST_SEED", "7"))


@pytest.fixture(scope="module")
def library():
    if not onnx_backend.LIBRARY.exists():
        pytest.skip(f"there is no {onnx_backend.LIBRARY}")
    return onnx_backend.Library()


def model_of(op, inputs, outputs, opset, **attributes):
    """One node. `inputs`: name and array; None is an absent input."""
    names = [n if x is not None else "" for n, x in inputs]
    info = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
            for n, x in inputs if x is not None]
    node = helper.make_node(op, names, outputs, **attributes)
    graph = helper.make_graph([node], op, info, [onnx.ValueInfoProto(name=o) for o in outputs if o])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def ours(library, folder, model, inputs, constants=()):
    given = {n: x for n, x in inputs if x is not None}
    frozen = onnx_backend.with_constants(model, given, list(constants)) if constants else model
    return onnx_backend.compile_and_run(library, frozen, given, pathlib.Path(folder))


def theirs(model, inputs):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {n: x for n, x in inputs if x is not None})


def same(got, want, model, tolerance=2e-5):
    for a, b in zip(got, want, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape, onnx.printer.to_text(model)
        scale = max(1, np.abs(b.astype(np.float64)).max(initial=0))
        assert np.allclose(a, b, rtol=0, atol=tolerance * scale, equal_nan=True), onnx.printer.to_text(model)


# ---- Einsum ----

def random_einsum(rng):
    sizes = dict(zip("abcdef", rng.integers(1, 5, 6)))
    dots, terms, shapes = rng.random() < 0.3, [], []
    for _ in range(rng.integers(1, 4)):
        term = "".join(rng.choice(list("abcdef"), rng.integers(0, 4)))
        shape = [sizes[letter] for letter in term]
        if dots and rng.random() < 0.7:
            count, at = rng.integers(0, 3), rng.integers(0, len(term) + 1)
            term = term[:at] + "..." + term[at:]
            shape[at:at] = [rng.choice([1, d]) for d in [3, 2][2 - count:]]
        terms.append(term)
        shapes.append([int(d) for d in shape])
    equation = ",".join(terms)
    if rng.random() < 0.8:
        letters = sorted(set(equation) & set("abcdef"))
        rng.shuffle(letters)
        equation += "->" + "..." * ("." in equation) + "".join(letters[:rng.integers(0, len(letters) + 1)])
    return equation, shapes


@pytest.mark.parametrize("round", range(60))
def test_einsum(library, tmp_path, round):
    rng = np.random.default_rng([SEED, round])
    equation, shapes = random_einsum(rng)
    dtype = [np.float32, np.float64, np.int32][round % 3]
    inputs = [(f"x{i}", rng.integers(-3, 4, shape).astype(dtype)) for i, shape in enumerate(shapes)]
    model = model_of("Einsum", inputs, ["y"], 13, equation=equation)
    same(ours(library, tmp_path, model, inputs), [np.einsum(equation, *[x for _, x in inputs])], model, 0)


# ---- Recurrent ----

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
STATES = {"RNN": ["Tanh", "Relu", "Softsign"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Relu"]}


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("round", range(12))
def test_recurrent(library, tmp_path, op, round):
    rng = np.random.default_rng([SEED, round, GATES[op]])
    gates, direction = GATES[op], ["forward", "reverse", "bidirectional"][round % 3]
    directions = 1 + (direction == "bidirectional")
    steps, batches, size, hidden = (int(n) for n in rng.integers([1, 1, 1, 1], [7, 4, 20, 40]))

    def noise(*shape):
        return rng.uniform(-1, 1, shape).astype(np.float32)

    def maybe(x):
        return x if rng.random() < 0.6 else None

    inputs = [("X", noise(steps, batches, size)), ("W", noise(directions, gates * hidden, size)),
              ("R", noise(directions, gates * hidden, hidden)), ("B", maybe(noise(directions, 2 * gates * hidden))),
              ("lens", maybe(rng.integers(1, steps + 1, batches).astype(np.int32))),
              ("h", maybe(noise(directions, batches, hidden)))]
    outputs = ["Y", "Y_h"]
    attributes = {"direction": direction, "hidden_size": hidden}
    if op == "LSTM":
        inputs += [("c", maybe(noise(directions, batches, hidden))), ("P", maybe(noise(directions, 3 * hidden)))]
        outputs += ["Y_c"]
        attributes["input_forget"] = int(rng.random() < 0.3)
    if op == "GRU":
        attributes["linear_before_reset"] = int(rng.random() < 0.5)
    if rng.random() < 0.4:
        attributes["clip"] = 0.75
    if rng.random() < 0.4:
        each = {"RNN": 1, "GRU": 2, "LSTM": 3}[op]
        attributes["activations"] = [str(rng.choice(STATES[op])) for _ in range(each * directions)]
    model = model_of(op, inputs, outputs, 14, **attributes)
    same(ours(library, tmp_path, model, inputs), theirs(model, inputs), model, 1e-4)


# ---- Sampling ----

@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("corners", [0, 1])
def test_grid_sample(library, tmp_path, mode, padding, corners):
    rng = np.random.default_rng([SEED, corners])
    grid = rng.uniform(-1.8, 1.8, (2, 5, 6, 2)).astype(np.float32)
    inputs = [("x", rng.uniform(-1, 1, (2, 3, 7, 4)).astype(np.float32)), ("grid", grid)]
    model = model_of("GridSample", inputs, ["y"], 16, mode=mode, padding_mode=padding, align_corners=corners)
    same(ours(library, tmp_path, model, inputs), theirs(model, inputs), model)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", [0, 2])
@pytest.mark.parametrize("opset, pixel", [(10, None), (16, "half_pixel"), (16, "output_half_pixel")])
def test_roi_align(library, tmp_path, mode, ratio, opset, pixel):
    rng = np.random.default_rng([SEED, ratio])
    corners = rng.uniform(-2, 20, (6, 4)).astype(np.float32)
    rois = np.concatenate([np.minimum(corners[:, :2], corners[:, 2:]), np.maximum(corners[:, :2], corners[:, 2:])], 1)
    inputs = [("x", rng.uniform(0.1, 1, (2, 3, 9, 12)).astype(np.float32)), ("rois", rois),
              ("batch", rng.integers(0, 2, 6))]
    attributes = {"coordinate_transformation_mode": pixel} if pixel else {}
    model = model_of("RoiAlign", inputs, ["y"], opset, mode=mode, sampling_ratio=ratio, output_height=3, output_width=4,
                     spatial_scale=0.5, **attributes)
    same(ours(library, tmp_path, model, inputs), theirs(model, inputs), model)


@pytest.mark.parametrize("round", range(12))
def test_non_max_suppression(library, tmp_path, round):
    rng = np.random.default_rng([SEED, round])
    batches, classes, count = 1 + round % 2, 1 + round % 3, int(rng.integers(1, 40))
    inputs = [("boxes", rng.uniform(0, 4, (batches, count, 4)).astype(np.float32)),
              ("scores", rng.permutation(batches * classes * count).reshape(batches, classes, count).astype(np.float32)),
              ("most", np.array([rng.integers(1, 12)])),
              ("iou", np.array([rng.choice([0.0, 0.3, 0.6])], np.float32) if round % 4 else None),
              ("least", np.array([count / 2], np.float32) if round % 3 else None)]
    while inputs[-1][1] is None:
        inputs.pop()
    model = model_of("NonMaxSuppression", inputs, ["y"], 11, center_point_box=round % 2)
    want = theirs(model, inputs)[0]
    # Rows for every box that could be selected; -1 behind the last one.
    got = ours(library, tmp_path, model, inputs, ["most"])[0]
    assert got.shape[0] == batches * classes * min(count, int(inputs[2][1][0]))
    assert (got[len(want):] == -1).all()
    same([got[:len(want)]], [want], model, 0)
    # Everything constant: as many rows as are selected.
    same(ours(library, tmp_path, model, inputs, [n for n, x in inputs if x is not None]), [want], model, 0)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("size", [(3, 4), (5, 17), (30, 6)])
@pytest.mark.parametrize("outside", [0, 1])
def test_resize_antialias(library, tmp_path, mode, size, outside):
    rng = np.random.default_rng(SEED)
    inputs = [("x", rng.uniform(-1, 1, (1, 2, 16, 24)).astype(np.float32)), ("roi", None), ("scales", None),
              ("sizes", np.array([1, 2, *size]))]
    model = model_of("Resize", inputs, ["y"], 18, mode=mode, antialias=1, exclude_outside=outside)
    want = theirs(model, inputs)
    if outside:
        same(ours(library, tmp_path, model, inputs, ["sizes"]), want, model, 1e-5)
    else:  # onnxruntime leaves taps outside out in any case: the inner part is the same
        got = ours(library, tmp_path, model, inputs, ["sizes"])[0]
        middle = (slice(None), slice(None), slice(size[0] // 3 + 1, size[0] - size[0] // 3 - 1))
        same([got[middle][..., size[1] // 3 + 1:-(size[1] // 3 + 1)]],
             [want[0][middle][..., size[1] // 3 + 1:-(size[1] // 3 + 1)]], model, 1e-5)


@pytest.mark.parametrize("round", range(8))
def test_deform_conv(library, tmp_path, round):
    rng = np.random.default_rng([SEED, round])
    group, offset_group, kernel = 1 + round % 2, 1 + round // 2 % 2, (1 + round % 3, 3)
    strides, pads, dilations = [1 + round % 2, 1], [1, 0, 1, 2], [1, 1 + round // 4]
    out = [(9 + pads[k] + pads[k + 2] - dilations[k] * (kernel[k] - 1) - 1) // strides[k] + 1 for k in range(2)]
    taps = offset_group * kernel[0] * kernel[1]

    def noise(*shape):
        return rng.uniform(-2, 2, shape).astype(np.float32)

    inputs = [("x", noise(2, 4, 9, 9)), ("w", noise(6, 4 // group, *kernel)), ("offset", noise(2, 2 * taps, *out)),
              ("b", noise(6) if round % 3 else None), ("mask", noise(2, taps, *out) if round % 4 else None)]
    while inputs[-1][1] is None:
        inputs.pop()
    model = model_of("DeformConv", inputs, ["y"], 19, group=group, offset_group=offset_group, strides=strides, pads=pads,
                     dilations=dilations)
    same(ours(library, tmp_path, model, inputs), theirs(model, inputs), model)
