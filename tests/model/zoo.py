# SPDX-License-Identifier: Apache-2.0
"""What the tests of whole model families share: seeded weights, compiling, and comparing with onnxruntime.

Selections (TopK) and everything behind them are compared by rows: two implementations may put equal scores into another
order, and a rounding error may swap two neighbours. So a model is cut before its TopK and compared there element by
element; behind it each row looks for its partner.
"""
import json
import os
import pathlib
import subprocess

import numpy as np
import onnx
import onnxruntime
import torch

onnxruntime.set_default_logger_severity(3)

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("JUMAR_BIN", str(ROOT / "build/bin/jumar"))
SEED = int(os.environ.get("JUMAR_TEST_SEED", "7"))
TOLERANCE = 1e-4  # of the largest element of a column


def jumar(*args):
    done = subprocess.run([TOOL, *map(str, args)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def picture(shape, low=0.0, high=1.0):
    """Smooth blobs with some noise: a photo's statistics, from the seed alone."""
    generator = np.random.default_rng(SEED)
    coarse = torch.from_numpy(generator.uniform(low, high, (shape[0], shape[1], 12, 12)).astype(np.float32))
    smooth = torch.nn.functional.interpolate(coarse, shape[2:], mode="bicubic", align_corners=False).numpy()
    return np.clip(smooth + generator.normal(0, 0.05 * (high - low), shape), low, high).astype(np.float32)


def randomise(model, x):
    """Seeded weights whose activations neither die nor explode: gains, shifts and biases are drawn, then BatchNorm takes its
    statistics from x and its mirror images. Shifts above zero keep activations near their linear part: otherwise random networks
    amplify each rounding error from layer to layer, as trained ones do not."""
    torch.manual_seed(SEED)
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, (torch.nn.Conv2d, torch.nn.Linear)) and module.bias is not None:
                module.bias.normal_(0, 0.5)
        for norm in norms:
            norm.reset_running_stats()
            norm.weight.uniform_(0.8, 1.2)
            norm.bias.normal_(0.6, 0.2)
            norm.momentum = None
        model.eval()
        for norm in norms:
            norm.train()
        for turned in (x, x[:, :, ::-1], x[:, :, :, ::-1]):
            model(torch.from_numpy(np.ascontiguousarray(turned)))
    return model.eval()


def run_reference(path, feeds):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds)))


def run_jumar(path, feeds, folder):
    """Compiles and runs; a dictionary of outputs by name."""
    om = folder / (pathlib.Path(path).stem + ".om")
    out = folder / (pathlib.Path(path).stem + "_out")
    jumar("compile", path, "-o", om)
    command = ["run", om, "--output", out]
    for i, (name, value) in enumerate(feeds.items()):
        np.save(folder / f"in{i}.npy", value)
        command += ["--input", f"{name}={folder}/in{i}.npy" if len(feeds) > 1 else f"{folder}/in{i}.npy"]
    jumar(*command)
    return {p.stem: np.load(p) for p in sorted(out.glob("*.npy"))}


def column_scale(reference):
    """Largest element, for rows of boxes beside scores: of each column, so that pixels do not hide scores."""
    if reference.ndim != 3:
        return np.abs(reference).max()
    along = 2 if reference.shape[1] < reference.shape[2] else 1
    return np.maximum(np.abs(reference).max(axis=(0, along), keepdims=True), 0.05)


def compare(name, got, want, tolerance=TOLERANCE):
    """The largest error of any output, relative to the largest element of its column."""
    assert len(got) == len(want), f"{sorted(got)} and {sorted(want)}"
    worst = 0
    for key, reference in want.items():
        file_name = key.replace("/", "_")
        y = got[key] if key in got else got[file_name]
        assert y.shape == reference.shape, f"{key}: {y.shape} and {reference.shape}"
        assert np.isfinite(reference).all(), f"{key} of onnxruntime is not finite: the test's weights are bad"
        if reference.dtype.kind in "iub":
            assert (y == reference).all(), f"{key}: integers differ"
            continue
        assert np.abs(reference).max() > 1e-3, f"{key} is zero: the test's weights are bad"
        error = (np.abs(y.astype(np.float64) - reference) / column_scale(reference)).max()
        print(f"ZOO {name}: output {key} {list(y.shape)} error {error:.2e} of max {np.abs(reference).max():.3g}")
        assert error <= tolerance, f"{name}: {key} is off by {error:.2e} of its column's largest element"
        worst = max(worst, error)
    return worst


def cut_before_topk(path, target):
    """Writes the part of the model in front of its first TopK nodes; False when it has none."""
    model = onnx.load(path)
    made_by = {o: n for n in model.graph.node for o in n.output}

    known = {}

    def selected(name):
        """Made by a TopK, or of something that is."""
        if name not in known:
            node = made_by.get(name)
            known[name] = node is not None and (node.op_type == "TopK" or any(selected(i) for i in node.input))
        return known[name]

    tensors = {n.input[0] for n in model.graph.node if n.op_type == "TopK" and not selected(n.input[0])}
    if not tensors:
        return False
    # What is gathered by the selection is compared as well.
    tensors |= {n.input[0] for n in model.graph.node if n.op_type in ("GatherElements", "GatherND", "Gather")
                and n.input[0] in made_by and not selected(n.input[0]) and selected(n.input[1])
                and made_by[n.input[0]].op_type not in ("Shape", "Constant")}
    del model.graph.output[:]
    for tensor in sorted(tensors):
        value = onnx.ValueInfoProto()
        value.name = tensor
        model.graph.output.append(value)
    needed, todo = set(), [made_by[t].output[0] for t in tensors]
    while todo:
        output = todo.pop()
        node = made_by[output]
        if id(node) in needed:
            continue
        needed.add(id(node))
        todo += [i for i in node.input if i in made_by]
    nodes = [n for n in model.graph.node if id(n) in needed]
    kept = [onnx.NodeProto.FromString(n.SerializeToString()) for n in nodes]
    del model.graph.node[:]
    model.graph.node.extend(kept)
    inferred = onnx.shape_inference.infer_shapes(model)
    types = {v.name: v for v in inferred.graph.value_info}
    types.update({v.name: v for v in inferred.graph.output if v.type.WhichOneof("value")})
    del model.graph.output[:]
    for i, tensor in enumerate(sorted(tensors)):
        value = onnx.ValueInfoProto()
        value.CopyFrom(types[tensor])
        model.graph.output.append(value)
    onnx.save(model, target)
    return True


def compare_rows(name, got, want, score_column, tolerance=2e-3):
    """Both are [n, columns]. A row whose score is clear of the last one's has a partner in the other list, whose columns
    differ by no more than `tolerance` of the largest element of the column."""
    scale = np.maximum(np.abs(want).max(0), 1e-3)
    for a, b in ((got, want), (want, got)):
        floor = b[:, score_column].min() + 1e-4
        for row in a[a[:, score_column] > floor]:
            distance = (np.abs(b - row) / scale).max(1)
            assert distance.min() <= tolerance, f"{name}: no partner for {row[:8]}, nearest is off by {distance.min():.2e}"


def check(path, feeds, folder, rows=None):
    """The whole comparison of one ONNX file. `rows`: the column of the score where the output is a list that TopK made."""
    name = pathlib.Path(path).stem
    before = pathlib.Path(folder) / f"{name}_before_topk.onnx"
    if rows is None or not cut_before_topk(path, before):
        worst = compare(name, run_jumar(path, feeds, folder), run_reference(path, feeds))
    else:
        worst = compare(name, run_jumar(before, feeds, folder), run_reference(before, feeds))
        got, want = run_jumar(path, feeds, folder), run_reference(path, feeds)
        key = next(iter(want))
        mine = got[key] if key in got else got[key.replace("/", "_")]
        compare_rows(name, mine.reshape(-1, mine.shape[-1]), want[key].reshape(-1, mine.shape[-1]), rows)
    print(f"ZOO {name}: worst error {worst:.2e}")
    return worst


def detections(om, path, *options):
    return json.loads(jumar("detect", om, "--source", path, "--json", *options))[0]
