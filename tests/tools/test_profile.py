# SPDX-License-Identifier: Apache-2.0
"""`jumar profile`: every layer is there, sums are the totals, bytes and operations are those of the shapes. No test
looks at how fast anything is."""
import json
import math
import os
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

JUMAR = os.environ["JUMAR_BIN"]
MODEL = os.path.join(os.environ["JUMAR_SOURCE"], "demo", "scenes.onnx")


def jumar(*arguments, code=0):
    done = subprocess.run([JUMAR, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, f"{arguments}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def om(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "scenes.om"
    jumar("compile", MODEL, "-o", path)
    return str(path)


def profile(om, *options):
    return json.loads(jumar("profile", om, "--repeat", 3, "--json", "-", *options).stdout)


def rows(text):
    """The rows of a table of layers: operator, algorithm, output, the columns after it."""
    found = (re.match(r"\s*(\d+)  (\S+)\s+(\S.*?)\s+(\[[\d,]*\])\s+(.*)$", line) for line in text.splitlines())
    return [(int(m[1]), m[2], m[3], m[4], m[5].split()) for m in found if m]


def consistent(document):
    layers, kinds, totals = document["layers"], document["kinds"], document["totals"]
    assert [layer["index"] for layer in layers] == list(range(totals["layers"]))
    rate = {b["level"]: b for b in document["bandwidth"]}
    assert list(rate) == ["L1", "L2", "L3", "memory"]
    assert all(0 < b[k] < 1e6 for b in rate.values() for k in ("read_gbs", "write_gbs", "copy_gbs"))
    for layer in layers:
        assert 0 < layer["min_us"] <= layer["us"] and 0 < layer["busy_us"]
        assert layer["gflops"] == pytest.approx(layer["flops"] / layer["us"] / 1e3)
        assert layer["share"] == pytest.approx(layer["us"] / totals["steps_us"])
        assert 0 <= layer["executed_flops"] <= layer["flops"]
        assert layer["compute_us"] == pytest.approx(layer["executed_flops"] / document["fma_peak_gflops"] / 1e3)
        assert layer["output_bytes"] > 0 and layer["memory_us"] > 0 and layer["level"] in rate
        assert layer["roof_us"] == max(layer["compute_us"], layer["memory_us"])
        assert layer["bound"] in ("fma", "winograd", "memory")
        assert (layer["bound"] == "memory") == (layer["memory_us"] >= layer["compute_us"])
        assert (layer["bound"] == "winograd") <= (layer["executed_flops"] < layer["flops"])
        assert math.isfinite(layer["roof_share"]) and layer["roof_share"] == pytest.approx(layer["roof_us"] / layer["us"])
        assert (layer["activation_us"] > 0) == (layer["activation"] != "")
    assert sum(layer["us"] for layer in layers) == pytest.approx(totals["steps_us"])
    assert sum(layer["share"] for layer in layers) == pytest.approx(1)
    assert sum(layer["roof_us"] for layer in layers) == pytest.approx(totals["roof_us"])
    assert sum(layer["flops"] for layer in layers) == pytest.approx(totals["flops"])
    assert sum(kind["layers"] for kind in kinds) == totals["layers"]
    for kind in kinds:
        members = [x for x in layers if (x["op"], x["algorithm"]) == (kind["op"], kind["algorithm"])]
        assert len(members) == kind["layers"]
        for key in ("us", "roof_us", "share"):
            assert kind[key] == pytest.approx(sum(member[key] for member in members))
    assert totals["overhead_us"] >= 0 and totals["run_us"] > 0 and totals["untimed_run_us"] > 0
    large = [x for x in layers if x["share"] > 0.01]
    assert totals["layers_over_1_percent"] == len(large)
    assert totals["layers_within_1_10_of_roof"] == sum(x["us"] <= 1.10 * x["roof_us"] for x in large)


@pytest.mark.parametrize("options", [[], ["--best", "--processor-time"], ["--threads", 2]])
def test_numbers_agree(om, options):
    document = profile(om, *options)
    consistent(document)
    assert document["model"] == om and document["repeat"] == 3
    assert document["statistic"] == ("least" if "--best" in options else "median")
    assert document["clock"] == ("processor" if "--processor-time" in options else "wall")
    assert document["threads"] == (2 if "--threads" in options else 1)


def test_every_layer_is_listed(om):
    document = profile(om)
    wanted = rows(jumar("info", om, "--layers").stdout)
    assert len(wanted) == document["totals"]["layers"]
    for layer, (_, op, algorithm, shape, (mflop, _, name)) in zip(document["layers"], wanted):
        assert (layer["op"], layer["algorithm"], layer["name"]) == (op, algorithm, name)
        assert "[" + ",".join(str(d) for d in layer["shape"]) + "]" == shape
        assert layer["flops"] * 1e-6 == pytest.approx(float(mflop), abs=0.06)


def test_table(om, tmp_path):
    text = jumar("profile", om, "--repeat", 2, "--json", tmp_path / "p.json").stdout
    document = json.loads((tmp_path / "p.json").read_text())
    consistent(document)
    listed = rows(text)
    assert len(listed) == document["totals"]["layers"]
    for (_, op, algorithm, _, columns), layer in zip(listed, document["layers"]):
        assert (op, algorithm, columns[-1]) == (layer["op"], layer["algorithm"], layer["name"])
        assert float(columns[0]) == pytest.approx(layer["us"], abs=0.06)
        assert columns[3] == layer["bound"]
    totals = document["totals"]
    assert f"layers over 1 % of the time: {totals['layers_over_1_percent']};" in text

    text = jumar("profile", om, "--repeat", 2, "--threads", 2, "--top", 5, "--json", tmp_path / "p.json").stdout
    document = json.loads((tmp_path / "p.json").read_text())
    worst = sorted(document["layers"], key=lambda x: x["roof_us"] - x["us"])[:5]
    assert [row[0] for row in rows(text)] == [x["index"] for x in worst]
    assert "busy %" in text


def test_operations_and_bytes_of_known_layers(tmp_path):
    """One convolution with SiLU, whose work is known, and what follows it."""
    rng = np.random.default_rng(1)
    weight = rng.normal(size=(32, 16, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Sigmoid", ["c"], ["s"]),
        helper.make_node("Mul", ["c", "s"], ["m"]),
        helper.make_node("MaxPool", ["m"], ["y"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
    ]
    graph = helper.make_graph(
        nodes, "known",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 16, 48, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 32, 12, 8])],
        [numpy_helper.from_array(weight, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, tmp_path / "known.onnx")
    jumar("compile", tmp_path / "known.onnx", "-o", tmp_path / "known.om")
    document = profile(tmp_path / "known.om")
    consistent(document)
    layer = {x["name"]: x for x in document["layers"]}
    conv, pool = layer["conv"], layer["pool"]
    assert conv["shape"] == [1, 32, 24, 16] and conv["activation"] == "Silu"
    taps = sum(1 for y in range(24) for x in range(16) for i in range(3) for j in range(3)
               if 0 <= 2 * y + i - 1 < 48 and 0 <= 2 * x + j - 1 < 32)
    dense = 24 * 16 * 9
    assert 2 * taps * 16 * 32 <= conv["flops"] <= 2 * dense * 16 * 32
    assert (conv["input_bytes"], conv["output_bytes"]) == (4 * 16 * 48 * 32, 4 * 32 * 24 * 16)
    assert weight.nbytes <= conv["weight_bytes"] <= 4.5 * weight.nbytes
    assert pool["activation"] == ""
    assert (pool["input_bytes"], pool["output_bytes"], pool["weight_bytes"]) == (4 * 32 * 24 * 16, 4 * 32 * 12 * 8, 0)


def test_usage():
    for wrong in (["--threads", "0"], ["--top", "0"], ["--repeat", "x"], ["--threads", "1,2"],
                  ["--processor-time", "--threads", "2"]):
        assert wrong[0] in jumar("profile", "a.om", *wrong, code=2).stderr
    assert "absent.om" in jumar("profile", "absent.om", code=1).stderr
