# SPDX-License-Identifier: Apache-2.0
"""Preprocessing inside of the model (AIPP): configurations against a model in numpy, and 200 wrong ones."""
import json
import os
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from aipp_model import PLANES, expected, make_pictures, random_config, text_of

JUMAR = os.environ["JUMAR_BIN"]
ATC = os.path.join(os.path.dirname(JUMAR), "atc")
TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "uint8": TensorProto.UINT8}


def write_model(path, shapes, dtype="float32"):
    inputs = [helper.make_tensor_value_info(f"x{i}", TYPES[dtype], s) for i, s in enumerate(shapes)]
    outputs = [helper.make_tensor_value_info(f"y{i}", TYPES[dtype], s) for i, s in enumerate(shapes)]
    nodes = [helper.make_node("Identity", [f"x{i}"], [f"y{i}"], f"I{i}") for i in range(len(shapes))]
    onnx.save(helper.make_model(helper.make_graph(nodes, "same", inputs, outputs), ir_version=8,
                                opset_imports=[helper.make_opsetid("", 13)]), path)


def atc(folder, text, *more, code=0):
    (folder / "aipp.cfg").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = subprocess.run([ATC, "--model=m.onnx", "--framework=5", "--output=m", "--soc_version=Ascend310P3",
                           "--insert_op_conf=aipp.cfg", *more], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, f"{text}\n{done.stdout}\n{done.stderr}"
    return done


def run(folder, *pictures):
    command = [JUMAR, "run", "m.om", "--output", "."]
    for i, picture in enumerate(pictures):
        picture.tofile(folder / f"in{i}.bin")
        command += ["--input", f"x{i}=in{i}.bin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [np.load(folder / f"y{i}.npy") for i in range(len(pictures))]


@pytest.mark.parametrize("kind", PLANES)
def test_random_configurations(kind, tmp_path):
    rng = np.random.default_rng(list(PLANES).index(kind))
    for i in range(25):
        dtype = ["float32", "float32", "uint8", "float16"][i % 4]
        config, w, h = random_config(rng, kind)
        channels = PLANES[kind] - (kind == "XRGB8888_U8" and bool(rng.integers(2)))
        batch = int(rng.integers(1, 3))
        write_model(tmp_path / "m.onnx", [(batch, channels, h, w)], dtype)
        atc(tmp_path, text_of(config))
        pictures = make_pictures(rng, config, batch)
        (got,) = run(tmp_path, pictures)
        want = expected(config, pictures, channels, dtype)
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_array_equal(got, want, err_msg=text_of(config))


# ---- Inside of the first convolution ----


def write_convolution(path, rng, shape, kernel, **attributes):
    weights = onnx.numpy_helper.from_array(rng.standard_normal((24, shape[1], kernel, kernel)).astype(np.float32), "w")
    mixer = onnx.numpy_helper.from_array(rng.standard_normal((32, 24, 1, 1)).astype(np.float32), "m")
    nodes = [helper.make_node("Conv", ["x0", "w"], ["c"], "C", **attributes), helper.make_node("Relu", ["c"], ["r"], "R"),
             helper.make_node("Conv", ["r", "m"], ["d"], "D"), helper.make_node("GlobalAveragePool", ["d"], ["y0"], "G")]
    graph = helper.make_graph(nodes, "conv", [helper.make_tensor_value_info("x0", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y0", TensorProto.FLOAT, None)], [weights, mixer])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), path)


def memory_of(om):
    text = subprocess.run([JUMAR, "info", om], capture_output=True, text=True, check=True).stdout
    return re.search(r"memory +(.*?) for intermediate", text).group(1)


@pytest.mark.parametrize("kernel, attributes", [(3, {"strides": [2, 2], "pads": [1, 1, 1, 1]}), (3, {"pads": [1, 1, 1, 1]}),
                                                (6, {"strides": [2, 2], "pads": [2, 2, 2, 2]}), (7, {"pads": [9, 0, 0, 8]}),
                                                (3, {"dilations": [2, 2], "pads": [2, 2, 2, 2]}), (1, {}), (3, {})])
def test_convolution_makes_the_rows(tmp_path, kernel, attributes):
    """The bits are those of the model without AIPP on the preprocessed picture; where the convolution has padding, which it
    copies rows for, the preprocessed picture is never stored."""
    rng = np.random.default_rng(kernel)
    for kind in PLANES:
        config, w, h = random_config(rng, kind)
        shape = (2, PLANES[kind], h, w)
        write_convolution(tmp_path / "m.onnx", rng, shape, kernel, **attributes)
        subprocess.run([ATC, "--model=m.onnx", "--framework=5", "--output=plain", "--soc_version=Ascend310"], cwd=tmp_path, check=True,
                       stdout=subprocess.DEVNULL)
        atc(tmp_path, text_of(config))
        pictures = make_pictures(rng, config, 2)
        (got,) = run(tmp_path, pictures)
        if attributes.get("pads"):
            assert memory_of(tmp_path / "m.om") == memory_of(tmp_path / "plain.om")
        (tmp_path / "plain.om").replace(tmp_path / "m.om")
        (want,) = run(tmp_path, expected(config, pictures, PLANES[kind], "float32"))
        np.testing.assert_array_equal(got, want, err_msg=text_of(config))


# ---- Forms of the text ----

GOOD = """# comment
aipp_op{
  aipp_mode: static  # another
  input_format : RGB888_U8
  csc_switch: false
  mean_chn_0 : 0, min_chn_0 : 123.675; min_chn_1 : 116.28f
  var_reci_chn_0 : 0.0171247538316637 var_reci_chn_1: [ 1e-2 ]
  related_input_rank: 0 support_rotation: false
}
"""


def test_forms_of_the_text(tmp_path):
    write_model(tmp_path / "m.onnx", [(1, 3, 20, 30)])
    config = {"input_format": "RGB888_U8", "src_image_size_w": 30, "src_image_size_h": 20, "min_chn_0": 123.675,
              "min_chn_1": 116.28, "var_reci_chn_0": 0.0171247538316637, "var_reci_chn_1": 0.01}
    picture = make_pictures(np.random.default_rng(1), config, 1)
    want = expected(config, picture, 3, "float32")
    bytes_of_comment = b"# \xb2\xce\xca\xfd \xff\n"
    for text in [GOOD.encode(), GOOD.replace("\n", "\r\n").encode(), bytes_of_comment + GOOD.encode() + b"# no line end",
                 GOOD.replace("aipp_op{", "aipp_op : {").replace("static", "1").replace("RGB888_U8", "3").encode(),
                 b"\xef\xbb\xbf" + GOOD.replace("related_input_rank: 0", "related_input_name: 'x0'").encode(),
                 GOOD.replace("RGB888_U8", "RGB").encode()]:
        atc(tmp_path, text)
        np.testing.assert_array_equal(run(tmp_path, picture)[0], want)
    assert "RGB is taken as RGB888_U8" in atc(tmp_path, GOOD.replace("RGB888_U8", "RGB"), "--log=warning").stderr


def test_several_inputs(tmp_path):
    write_model(tmp_path / "m.onnx", [(1, 3, 8, 8), (1, 1, 6, 10)])
    atc(tmp_path, "aipp_op { aipp_mode: static input_format: YUV400_U8 related_input_rank: 1 min_chn_0: 7 }"
                  "aipp_op { aipp_mode: static input_format: YUV420SP_U8 csc_switch: true }")
    rng = np.random.default_rng(3)
    yuv = {"input_format": "YUV420SP_U8", "src_image_size_w": 8, "src_image_size_h": 8, "csc_switch": True}
    grey = {"input_format": "YUV400_U8", "src_image_size_w": 10, "src_image_size_h": 6, "min_chn_0": 7}
    a, b = make_pictures(rng, yuv, 1), make_pictures(rng, grey, 1)
    got = run(tmp_path, a, b)
    np.testing.assert_array_equal(got[0], expected(yuv, a, 3, "float32"))
    np.testing.assert_array_equal(got[1], expected(grey, b, 1, "float32"))


# ---- 200 wrong files ----


def wrong_files():
    """(text, number) for a model of one input [1,3,20,30]."""
    base = {"aipp_mode": "static", "input_format": "RGB888_U8"}

    def with_(number, **changes):
        return text_of({k: v for k, v in {**base, **changes}.items() if v is not None}), number

    sized = {"src_image_size_w": 30, "src_image_size_h": 20}
    names = [line.split("(")[1].split(",")[0] for line in
             open(os.path.join(os.environ["JUMAR_SOURCE"], "src/model/aipp_fields.def")) if line.startswith("JM_AIPP_FIELD(")]
    for name in names:
        yield f"aipp_op {{ aipp_mode: static input_format: RGB888_U8 {name}x : 1 }}", "E13018"  # no such field
        yield f"aipp_op {{ aipp_mode: static input_format: RGB888_U8 {name} : ? }}", "E10055" if name.startswith("raw") else "E13018"
    for name in [n for n in names if re.match("mean|var_reci|matrix|src_image|left|crop_size", n)]:
        yield with_("E13018", **{name: "abc"})
        yield with_("E10052", **{name: 99999999})
    for name in ["mean_chn_0", "matrix_r0c0", "input_bias_1", "crop_size_w"]:
        yield with_("E13018", **{name: 123.5})
    for name in ["csc_switch", "crop", "resize", "padding", "rbuv_swap_switch", "support_rotation"]:
        yield with_("E13018", **{name: "maybe"})
        yield with_("E13018", **{name: 2})
    for name in ["var_reci_chn_0", "matrix_r0c0", "output_bias_0"]:
        yield f"aipp_op {{ aipp_mode: static input_format: RGB888_U8 {name}: 1 {name}: 1 }}", "E10052"
        yield f"aipp_op {{ aipp_mode: static input_format: RGB888_U8 {name}: [1, 2] }}", "E10052"
    for name in ["aipp_mode: static", "input_format: RGB888_U8", "mean_chn_0: 1"]:
        yield f"aipp_op {{ aipp_mode: static input_format: RGB888_U8 mean_chn_0: 1 {name} }}", "E13018"
    for kind in ["ARGB8888_U8", "YUYV_U8", "YUV422SP_U8", "AYUV444_U8", "RAW10", "RGB16", "RGB24_IR", "NC1HWC0DI_S8", "20"]:
        yield with_("E10055", input_format=kind)
    for kind in ["BGR888_U8", "rgb888_u8", "0x3", "99", "YUV420", "-1"]:
        yield with_("E13018", input_format=kind)
    yield with_("E10052", aipp_mode=None)
    yield with_("E10052", input_format=None)
    yield with_("E10052", aipp_mode="undefined")
    yield with_("E13018", aipp_mode="statik")
    yield with_("E10052", aipp_mode="dynamic")
    yield with_("E10052", aipp_mode="dynamic", max_src_image_size=0)
    yield with_("E10052", aipp_mode="dynamic", max_src_image_size=1 << 32)
    yield with_("E10052", aipp_mode="dynamic", max_src_image_size=1000, related_input_rank=1)
    yield with_("E10052", input_format="YUV400_U8", csc_switch=True)
    yield with_("E10052", input_format="YUV400_U8")
    yield with_("E10052", input_format="XRGB8888_U8", src_image_size_w=31, src_image_size_h=20)
    yield with_("E10052", ax_swap_switch=True)
    for w, h in [(0, 20), (30, 0), (1, 20), (31, 20), (30, 21), (4097, 20), (-2, 20)]:
        yield with_("E10052", src_image_size_w=w, src_image_size_h=h)
    for w, h in [(31, 20), (30, 21)]:
        yield with_("E10052", input_format="YUV420SP_U8", src_image_size_w=w, src_image_size_h=h)
    for changes in [{"crop": True}, {"padding": True, "left_padding_size": 3},
                    {"resize": True, "resize_output_w": 30, "resize_output_h": 20}]:
        yield with_("E10052", **changes)
    for x, y, w, h in [(1, 0, 30, 20), (0, 1, 30, 20), (0, 0, 31, 20), (0, 0, 29, 20), (4096, 0, 30, 20), (30, 20, 0, 0)]:
        yield with_("E10052", **sized, crop=True, load_start_pos_w=x, load_start_pos_h=y, crop_size_w=w, crop_size_h=h)
    big = {"input_format": "YUV420SP_U8", "src_image_size_w": 40, "src_image_size_h": 40, "crop": True, "crop_size_w": 30, "crop_size_h": 20}
    yield with_("E10052", **big, load_start_pos_w=3)
    yield with_("E10052", **big, load_start_pos_h=1)
    yield with_("E10052", **sized, padding=True, left_padding_size=33)
    yield with_("E10052", **sized, padding=True, left_padding_size=1)
    yield with_("E10052", **sized, padding=True, crop=True, left_padding_size=1)
    for w, h in [(15, 20), (30, 15), (1921, 20), (30, 4097), (31, 20)]:
        yield with_("E10052", **sized, resize=True, resize_output_w=w, resize_output_h=h)
    yield with_("E10052", related_input_rank=1)
    yield with_("E10052", related_input_name='"nobody"')
    for text in ["x0", '"x0', "'x\\0'", '"x\n0"', "7"]:
        yield with_("E13018", related_input_name=text)
    yield with_("E13018", rotation_angle=0.5)
    good = text_of(base)
    yield "", "E10001"
    for text in ["#", "   \n", "aipp_op", "aipp_op {", "aipp_op }", "aipp_op {} }", "{", "aipp_op [", good + "x",
                 good + "}", good[:-3], good.replace(":", "="), good.replace(":", ""), "aip_op { }", "aipp_op < >", "aipp_mode: static",
                 "aipp_op { aipp_op { } }", good.replace("static", '"static"'), "\x00", good.replace("{", "{ ]"), good + "\xff"]:
        yield text, "E13018"
    yield "aipp_op {}", "E10052"
    yield good + good, "E10052"
    yield good + good.replace("{", "{ related_input_name: 'x0'"), "E10052"
    yield "multi_shape_op { }", "E10055"
    yield good * 65, "E10052"


def test_200_wrong_files(tmp_path):
    write_model(tmp_path / "m.onnx", [(1, 3, 20, 30)])
    files = list(wrong_files())
    assert len(files) >= 200
    bad = []
    for text, number in files:
        (tmp_path / "aipp.cfg").write_bytes(text.encode("latin-1"))
        done = subprocess.run([ATC, "--model=m.onnx", "--framework=5", "--output=m", "--soc_version=Ascend310P3",
                               "--insert_op_conf=aipp.cfg"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        found = re.findall(r"^(E[0-9]{5}): ", done.stdout, re.M)
        if done.returncode != 255 or found != [number] or (tmp_path / "m.om").exists():
            bad.append((text, number, done.returncode, done.stdout[-400:]))
    assert not bad, f"{len(bad)} of {len(files)}: {bad[:8]}"


def test_what_is_meant(tmp_path):
    write_model(tmp_path / "m.onnx", [(1, 3, 20, 30)])
    for wrong, meant in [("var_recip_chn_0: 1", "var_reci_chn_0"), ("src_image_size: 3", "src_image_size_w"), ("Crop: true", "crop"),
                         ("input_format: RGB888", "RGB888_U8"), ("aipp_mode: Static", "static")]:
        text = "aipp_op {\n" + wrong + "\n}"
        assert "line 2: " in (out := atc(tmp_path, text, code=255).stdout) and f"did you mean {meant}?" in out


def test_rules_with_flags(tmp_path):
    write_model(tmp_path / "m.onnx", [(1, 3, 20, 30)])
    text = "aipp_op { aipp_mode: static input_format: RGB888_U8 }"
    sized = text.replace("}", "src_image_size_w: 30 src_image_size_h: 20 }")
    dynamic = "aipp_op { aipp_mode: dynamic max_src_image_size: 5000 }"
    ranges, dims = "--input_shape=x0:1~2,3,20,30", ["--input_shape=x0:-1,3,20,30", "--dynamic_dims=1;2"]
    sizes = ["--input_shape=x0:1,3,-1,-1", "--dynamic_image_size=20,30;40,60"]
    for config, flags, number in [(text, ["--input_fp16_nodes=x0"], "E10034"), (dynamic, ["--input_fp16_nodes=x0"], "E10034"),
                                  (text, ["--input_format=ND"], "E10001"), (text, [ranges], "E10055"), (dynamic, [ranges], "E10055"),
                                  (text, dims, "E10001"), (dynamic, [*dims, "--input_format=ND"], "E10001"), (sized, sizes, "E10052"),
                                  (sized.replace("}", "crop: true }"), sizes, "E10052")]:
        assert f"\n{number}: " in atc(tmp_path, config, *flags, code=255).stdout


def test_tools_on_parameters_at_run_time(tmp_path):
    """Verification, benchmark and profile give such a model parameters that it takes; a run without them is a fault."""
    write_convolution(tmp_path / "m.onnx", np.random.default_rng(2), (2, 3, 20, 30), 3, pads=[1, 1, 1, 1])
    atc(tmp_path, "aipp_op { aipp_mode: dynamic max_src_image_size: 5000 }")
    jumar = lambda *command: subprocess.run([JUMAR, *command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    verified = jumar("info", "--verify", "m.om")
    digests = re.findall(r"digest ([0-9a-f]{8})$", verified.stdout, re.M)
    assert verified.returncode == 0 and len(digests) >= 3 and len(set(digests)) == 1, verified.stdout + verified.stderr
    for command in (["bench", "m.om"], ["profile", "m.om"]):
        assert jumar(*command).returncode == 0, command
    np.zeros(5000, np.uint8).tofile(tmp_path / "x.bin")
    np.zeros(64 + 2 * 96, np.uint8).tofile(tmp_path / "p.bin")
    done = jumar("run", "m.om", "--input", "x0=x.bin", "--input", "ascend_dynamic_aipp_data=p.bin", "--output", ".")
    assert done.returncode == 1 and "'ascend_dynamic_aipp_data', picture 0: the format of the picture was not set" in done.stderr


def test_json_shows_the_configuration(tmp_path):
    write_model(tmp_path / "m.onnx", [(1, 3, 20, 30), (1, 3, 20, 30)])
    atc(tmp_path, "aipp_op { aipp_mode: static input_format: YUV420SP_U8 csc_switch: true related_input_rank: 1 min_chn_1: 2.5 }")
    subprocess.run([ATC, "--mode=1", "--om=m.om", "--json=m.json"], cwd=tmp_path, check=True, capture_output=True)
    ops = json.loads((tmp_path / "m.json").read_text())["graph"][0]["op"]
    data = {op["name"]: op for op in ops if op["type"] == "Data"}
    assert "attr" not in data["x0"] and data["x0"]["output_desc"][0]["layout"] == "NCHW"
    (aipp,) = data["x1"]["attr"]
    fields = {a["key"]: a["value"] for a in aipp["value"]["func"]["attr"]}
    assert aipp["key"] == "aipp" and data["x1"]["output_desc"][0]["layout"] == "NHWC"
    assert fields["input_format"] == {"i": 1} and fields["csc_switch"] == {"b": True} and fields["crop"] == {"b": False}
    assert fields["min_chn_1"] == {"f": 2.5} and fields["var_reci_chn_0"] == {"f": 1} and fields["matrix_r0c1"] == {"i": 516}
    assert "related_input_name" not in fields
