# SPDX-License-Identifier: Apache-2.0
"""The program atc: command lines as scripts type them, and 200 wrong ones."""
import json
import os
import re
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

JUMAR = os.environ["JUMAR_BIN"]
ATC = os.path.join(os.path.dirname(JUMAR), "atc")


def atc(*arguments, code=0, cwd=None):
    done = subprocess.run([ATC, *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=cwd)
    assert done.returncode == code, f"{arguments}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def numbers_of(text):
    return re.findall(r"^(E[0-9Z][0-9]{4}):", text, re.M)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """y = Relu(Conv(x)), z = Sigmoid(Flatten(y) W) and an input that only adds a scalar; every size of x is open."""
    rng = np.random.default_rng(5)
    weights = numpy_helper.from_array(rng.standard_normal((4, 3, 3, 3)).astype(np.float32), "w")
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "Conv_0", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["y"], "Relu_1"),
        helper.make_node("Add", ["y", "s"], ["a"], "Add_2"),
        helper.make_node("Split", ["a"], ["p", "q"], "Split_3", axis=1, num_outputs=2),
        helper.make_node("Sigmoid", ["p"], ["z"], "Sigmoid_4"),
        helper.make_node("Sigmoid", ["q"], ["v"], "Sigmoid_5"),
    ]
    graph = helper.make_graph(
        nodes, "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"]),
         helper.make_tensor_value_info("s", TensorProto.FLOAT, [])],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, None), helper.make_tensor_value_info("v", TensorProto.FLOAT, None)],
        [weights])
    path = tmp_path_factory.mktemp("model") / "small.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), path)
    return path


@pytest.fixture
def good(model):
    return {"model": model, "framework": 5, "output": "out", "soc_version": "Ascend310P3", "input_shape": "x:1,3,8,8;s:"}


def line(flags, style="--{}={}"):
    return [style.format(key, value) for key, value in flags.items()]


def compiled(flags, tmp_path, *more):
    done = atc(*line(flags), *more, cwd=tmp_path)
    assert re.fullmatch(r"ATC start working now, please wait for a moment.\n\.{3,}\nATC run success, welcome to the next use.\n",
                        done.stdout), done.stdout
    return tmp_path / f"{flags['output']}.om"


def run(om, feeds, folder):
    command = [JUMAR, "run", om, "--output", folder]
    for name, value in feeds.items():
        np.save(folder / f"in_{name}.npy", value)
        command += ["--input", f"{name}={folder / f'in_{name}.npy'}"]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


def feeds():
    rng = np.random.default_rng(1)
    return {"x": rng.standard_normal((1, 3, 8, 8)).astype(np.float32), "s": np.array(0.25, np.float32)}


def expected(model, names):
    whole = onnx.load(model)
    for name in names:
        if name not in ("z", "v"):
            whole.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(whole.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(names, feeds())


# ---- What works ----


def test_om_is_appended_and_folders_are_made(good, tmp_path):
    good["output"] = "deep/er/model.om"
    assert compiled(good, tmp_path).name == "model.om.om"
    assert [p.name for p in (tmp_path / "deep/er").iterdir()] == ["model.om.om"]


def test_syntax_of_flags(good, tmp_path):
    """--k=v, --k v, -k, '-' for '_', unique prefixes, bare truths."""
    spelled = ["--model", good["model"], "-framework=5", "-output", "a", "--soc=Ascend310B4",
               "--input-shape=x:1,3,8,8;s:", "--device", "0", "--save_original_model", "--is_weight_clip=1", "--log", "error"]
    atc(*spelled, cwd=tmp_path)
    text = subprocess.run([JUMAR, "info", tmp_path / "a.om"], capture_output=True, text=True, check=True).stdout
    assert "Ascend310B4 was asked for" in text


def test_help_exits_with_0():
    for flag in ["--help", "--h", "-h", "-help"]:
        text = atc(flag).stdout
        assert text.startswith("usage: atc") and "--insert_op_conf" in text and "Example" in text


@pytest.mark.parametrize("entries, tensors", [("v;z", ["v", "z"]), ("Sigmoid_5:0;Split_3:0", ["v", "p"]), ("y", ["y"]),
                                              ("Conv_0:0", ["c"]), ("Split_3:1; Add_2:0", ["q", "a"])])
def test_out_nodes(good, model, tmp_path, entries, tensors):
    good["out_nodes"] = entries
    om = compiled(good, tmp_path)
    run(om, feeds(), tmp_path)
    for name, want in zip(tensors, expected(model, tensors)):
        np.testing.assert_allclose(np.load(tmp_path / f"{name}.npy"), want, rtol=1e-4, atol=1e-5)
    atc("--mode=1", f"--om={om}", "--json=out.json", cwd=tmp_path)
    graph = json.loads((tmp_path / "out.json").read_text())["graph"][0]
    assert graph["output"] == tensors


def test_types_of_outputs_and_inputs(good, model, tmp_path):
    good.update(out_nodes="Sigmoid_4:0;Sigmoid_5:0", output_type="Sigmoid_5:0:FP16", input_fp16_nodes="x")
    om = compiled(good, tmp_path)
    data = feeds()
    data["x"] = data["x"].astype(np.float16)
    run(om, data, tmp_path)
    z, v = np.load(tmp_path / "z.npy"), np.load(tmp_path / "v.npy")
    assert z.dtype == np.float32 and v.dtype == np.float16
    np.testing.assert_allclose(v, expected(model, ["v"])[0], atol=5e-3)
    good.update(output_type="UINT8")
    del good["out_nodes"], good["input_fp16_nodes"]
    compiled(good, tmp_path)
    run(om, feeds(), tmp_path)
    assert np.load(tmp_path / "z.npy").dtype == np.uint8


def test_flags_of_public_command_lines(good, tmp_path):
    for name in ["a.ini", "b.cfg", "keep.txt"]:
        (tmp_path / name).write_text("x")
    good.update(input_format="NCHW", log="error", enable_small_channel=1, op_select_implmode="high_performance",
                optypelist_for_implmode="Sigmoid", precision_mode="allow_mix_precision", save_original_model="false",
                op_precision_mode="a.ini", buffer_optimize="off_optimize", fusion_switch_file="b.cfg", keep_dtype="keep.txt",
                disable_reuse_memory=0, op_debug_level=1, debug_dir="debug", host_env_cpu="x86_64", host_env_os="linux")
    om = compiled(good, tmp_path)
    text = subprocess.run([JUMAR, "info", om], capture_output=True, text=True, check=True).stdout
    assert "allow_mix_precision was asked for; computed in float32" in text
    shown = atc("--mode=6", "--om", om).stdout
    assert f"Original Atc command line: atc --model={good['model']}" in shown
    assert "soc_version[Ascend310P3], framework_type[5]" in shown and re.search(r"weight_size\[\d+ B\]", shown)
    assert "============ Display Model Info start ============" in shown
    good["display_model_info"] = 1
    assert "Display Model Info start" in atc(*line(good), cwd=tmp_path).stdout


def test_sizes_are_kept(good, tmp_path):
    good.update(input_shape="x:-1,3,8,8;s:", dynamic_batch_size="1,4,2")
    atc("--mode=1", f"--om={compiled(good, tmp_path)}", "--json=a.json", cwd=tmp_path)
    attr = {a["key"]: a["value"]["s"] for a in json.loads((tmp_path / "a.json").read_text())["attr"]}
    assert (attr["gears.kind"], attr["gears.shapes"], attr["gears.list"]) == ("batch", "x:-1,3,8,8;s:", "1,4,2")
    assert attr["soc_version"] == "Ascend310P3" and attr["atc_cmdline"].startswith("atc --model=")


def test_json_of_an_onnx_model(model, tmp_path):
    atc("--mode=1", f"--om={model}", "--framework=5", "--json=a.json", "--dump_mode=1", cwd=tmp_path)
    graph = json.loads((tmp_path / "a.json").read_text())["graph"]
    assert [n["opType"] for n in graph["node"]] == ["Conv", "Relu", "Add", "Split", "Sigmoid", "Sigmoid"]
    assert graph["node"][0]["attribute"] == [{"name": "pads", "ints": [1, 1, 1, 1]}]
    assert graph["input"][0]["shape"] == [-1, 3, -1, -1]


def test_precheck_lists_every_node(model, tmp_path):
    odd = onnx.load(model)
    odd.graph.node.append(helper.make_node("MadeUp", ["z"], ["m"], "Odd_6"))
    odd.graph.output.append(helper.make_tensor_value_info("m", TensorProto.FLOAT, None))
    onnx.save(odd, tmp_path / "odd.onnx")
    shape = "--input_shape=x:1,3,8,8;s:"
    atc("--mode=3", f"--model={model}", "--framework=5", shape, cwd=tmp_path)
    report = json.loads((tmp_path / "check_result.json").read_text())
    assert (report["result"], report["total"], report["fail"]) == ("success", 6, 0)
    done = atc("--mode=3", "--model=odd.onnx", "--framework=5", shape, "--check_report=r.json", code=255, cwd=tmp_path)
    assert numbers_of(done.stdout) == ["E16002"] and "MadeUp" in done.stdout
    report = json.loads((tmp_path / "r.json").read_text())
    failed = [op for op in report["op"] if op["result"] == "failed"]
    assert (report["total"], report["fail"], failed[0]["name"], failed[0]["type"]) == (7, 1, "Odd_6", "MadeUp")
    assert failed[0]["cause"][0]["code"] == 1
    done = atc("--model=odd.onnx", "--framework=5", shape, "--output=o", "--soc_version=Ascend310", code=255, cwd=tmp_path)
    assert numbers_of(done.stdout) == ["E16002"] and not (tmp_path / "o.om").exists()
    assert (tmp_path / "check_result.json").exists()


def test_weight_of_onnx_is_a_warning(good, tmp_path):
    good["weight"] = good["model"]
    done = atc(*line(good), cwd=tmp_path)
    assert done.stdout.splitlines()[-1].startswith("W11001: ")


def test_every_chip_runs(good, tmp_path):
    for chip in ["310", "310P1", "310P3", "310B1", "310B4", "910A", "910B", "910ProB", "910B3", "910_9391", "950PR_9599"]:
        good["soc_version"] = "Ascend" + chip
        compiled(good, tmp_path)


def test_parse_errors_on_stderr(good):
    assert "ERROR: unknown command line flag 'modle'" in atc("--modle=x", code=255).stderr
    assert "ERROR: flag '--model' is missing its argument; flag description: " in atc("--model", code=255).stderr
    assert "ERROR: Non-option parameter: 'x'" in atc("x", code=255).stderr


# ---- 200 wrong command lines, each with the number that it must give ----


def wrong_lines():
    """(changes to a good line, number); a value of None removes the flag."""
    for flag, number in [("model", "E10054"), ("output", "E10054"), ("soc_version", "E10054"), ("framework", "E10007")]:
        yield {flag: None}, number
    for flag in ["mode", "framework", "precision_mode", "precision_mode_v2", "op_select_implmode", "buffer_optimize",
                 "external_weight", "jit_compile", "core_type", "op_compiler_cache_mode", "export_compile_stat", "oo_level",
                 "input_format", "deterministic_level", "op_debug_level", "device_id", "topo_sorting_mode"]:
        for value in ["-1", "9999999999999999999999", "nonsense", "5x"]:
            yield {flag: value}, "E10001"
    for value in ["-2", "1.5", "x"]:
        yield {"static_model_ops_lower_limit": value}, "E10001"
    for flag in ["disable_reuse_memory", "enable_small_channel", "deterministic", "is_weight_clip", "sparsity", "dump_mode",
                 "display_model_info", "status_check", "virtual_type"]:
        for value in ["2", "true"]:
            yield {flag: value}, "E10006"
    for flag in ["save_original_model", "enable_single_stream", "enable_compress_weight", "oo_constant_folding", "allow_hf32"]:
        for value in ["2", "on"]:
            yield {flag: value}, "E10005"
    for flag in ["model", "insert_op_conf", "keep_dtype", "fusion_switch_file", "op_precision_mode", "modify_mixlist", "singleop"]:
        for value in ["no_such_file", "/"]:
            yield {flag: value}, "E10410"
        yield {flag: ""}, "E10004"
    for value in ["verbose", "DEBUG", "0"]:
        yield {"log": value}, "E10010"
    for value in ["310", "Ascend", "ascend310", "Ascend311", "Ascend910B9", "Ascend950XX_9599", "Ascend950PR_95", "Ascend310P3 "]:
        yield {"soc_version": value}, "E10001"
    for value in ["x", "x:", ":1", "x:1.1", "x:a", "x:1,3,8,", "x:1,,8,8", "x:1,3,8,8;x:1,3,8,8", "x:8~1,3,8,8", "x 1,3,8,8",
                  "x:1,3,8,8;;", "x:1,2,3,4,5,6,7,8,9", "x:0x8"]:
        if value != "x:":
            yield {"input_shape": value}, "E10002"
    yield {"input_shape": "x:1,3,8;s:"}, "E10049"
    yield {"input_shape": "x:1,3,8,8;s:1"}, "E10049"
    yield {"input_shape": "X:1,3,8,8;s:"}, "E10016"
    yield {"input_shape": "x:1,3,8,8;y:1"}, "E10017"
    yield {"input_shape": None}, "E10001"
    yield {"framework": "3"}, "E10055"
    yield {"framework": "1"}, "E10055"
    yield {"framework": "0"}, "E10008"
    for mode in ["5", "7", "30"]:
        yield {"mode": mode}, "E10055"
    yield {"mode": "1"}, "E10004"
    yield {"mode": "6"}, "E10057"
    yield {"mode": "6", "framework": None}, "E10004"
    yield {"output": "folder/"}, "E10022"
    yield {"output": "n" * 253}, "E10021"
    yield {"output": "p/" * 2047 + "a"}, "E10021"
    batch = {"input_shape": "x:-1,3,8,8;s:"}
    for value, number in [("1", "E10035"), ("1,", "E10035"), ("1,a", "E10003"), ("1;2", "E10003"), ("1.5,2", "E10003"),
                          ("0,1", "E10038"), ("-1,1", "E10038"), ("1,2,1", "E10039"),
                          (",".join(map(str, range(1, 102))), "E10036")]:
        yield {**batch, "dynamic_batch_size": value}, number
    yield {"dynamic_batch_size": "1,2"}, "E10031"
    yield {"dynamic_batch_size": "1,2", "input_shape": None}, "E10012"
    yield {"dynamic_batch_size": "1,2", "input_shape": "x:1,-1,8,8;s:"}, "E10018"
    yield {"dynamic_batch_size": "1,2", "input_shape": "x:1~2,3,8,8;s:"}, "E10040"
    yield {**batch, "dynamic_batch_size": "1,2", "dynamic_image_size": "8,8;9,9"}, "E10009"
    yield {**batch, "dynamic_batch_size": "1,2", "dynamic_dims": "8;9"}, "E10009"
    yield {**batch, "dynamic_batch_size": "1,2", "input_shape_range": "x:[1~2,3,8,8]"}, "E10009"
    image = {"input_shape": "x:1,3,-1,-1;s:"}
    for value, number in [("8,8", "E10035"), ("8,8;9", "E10020"), ("8;9", "E10020"), ("8,8,8;9,9,9", "E10020"), ("8,8;0,9", "E10038"),
                          ("8,8;8,8", "E10039"), ("8,8;b,8", "E10003")]:
        yield {**image, "dynamic_image_size": value}, number
    yield {**image, "dynamic_image_size": "8,8;9,9", "input_format": "ND"}, "E10001"
    yield {"dynamic_image_size": "8,8;9,9", "input_shape": "x:1,3,8,-1;s:"}, "E10019"
    yield {"dynamic_image_size": "8,8;9,9", "input_shape": "x:-1,3,-1,-1;s:"}, "E10019"
    yield {"dynamic_image_size": "8,8;9,9"}, "E10040"
    dims = {"input_shape": "x:-1,3,-1,8;s:", "input_format": "ND"}
    for value, number in [("1,8", "E10035"), ("1;2", "E10003"), ("1,8;2", "E10037"), ("1,8;1,8", "E10039"), ("1,8;0,8", "E10038")]:
        yield {**dims, "dynamic_dims": value}, number
    yield {**dims, "input_format": "NCHW", "dynamic_dims": "1,8;2,8"}, "E10001"
    yield {"input_shape_range": "x:[1~2,3,8,8]"}, "E10047"
    yield {"precision_mode": "force_fp16", "precision_mode_v2": "fp16"}, "E10056"
    yield {"optypelist_for_implmode": "Sigmoid"}, "E10001"
    yield {"is_input_adjust_hw_layout": "true"}, "E10001"
    yield {"is_output_adjust_hw_layout": "true"}, "E10001"
    yield {"is_output_adjust_hw_layout": "maybe", "out_nodes": "z"}, "E10005"
    yield {"deterministic": "1", "deterministic_level": "0"}, "E10001"
    yield {"auto_tune_mode": "RL,GA"}, "E10001"
    yield {"input_format": "NHWC"}, "E10001"
    for value, number in [("nothing", "E10016"), ("Conv_9:0", "E10016"), ("Conv_0:1", "E10001"), ("z;Conv_0:0", "E10001"),
                          ("z;z", "E10001"), ("z;;v", "E10001"), ("Conv_0:x", "E10016"), ("Split_3:2", "E10001")]:
        yield {"out_nodes": value}, number
    for value in ["fp16", "FP8", "Conv_0:0:FP16", "z:FP32", "FP32;FP16"]:
        yield {"output_type": value}, "E10001"
    yield {"out_nodes": "Conv_0:0", "output_type": "Conv_0:0:F16"}, "E10001"
    yield {"input_fp16_nodes": "c"}, "E10016"
    yield {"unknown_flag": "1"}, "E10001"
    yield {"o": "ambiguous"}, "E10001"


def test_200_wrong_lines(good, tmp_path):
    lines = list(wrong_lines())
    assert len(lines) >= 200
    bad = []
    for i, (changes, number) in enumerate(lines):
        folder = tmp_path / str(i)
        folder.mkdir()
        flags = {k: v for k, v in {**good, **changes}.items() if v is not None}
        done = subprocess.run([ATC, *line(flags)], capture_output=True, text=True, timeout=60, cwd=folder)
        left = [str(p) for p in folder.rglob("*") if p.is_file()]
        shown = done.stdout.splitlines()
        if (done.returncode != 255 or numbers_of(done.stdout) != [number] or left
                or shown[0] != "ATC start working now, please wait for a moment."
                or "ATC run failed, Please check the detail log, Try 'atc --help' for more information" not in shown
                or "        Possible Cause: " not in done.stdout or "        Solution: " not in done.stdout):
            bad.append((changes, number, done.returncode, done.stdout[-300:], left))
    assert not bad, f"{len(bad)} of {len(lines)}: {bad[:8]}"


def test_broken_models(good, tmp_path):
    good["model"] = tmp_path / "broken.onnx"
    for content, number in [(b"", "E10001"), (b"hello", "E13005"), (b"PK\x03\x04", "E13005"), (b"\x08\x07", "E16004")]:
        (tmp_path / "broken.onnx").write_bytes(content)
        assert numbers_of(atc(*line(good), code=255, cwd=tmp_path).stdout) == [number]
    (tmp_path / "x.om").write_bytes(b"IMOD" + bytes(300))
    assert numbers_of(atc("--mode=6", "--om=x.om", code=255, cwd=tmp_path).stdout) == ["E10041"]
