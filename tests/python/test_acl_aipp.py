# SPDX-License-Identifier: Apache-2.0
"""Preprocessing whose parameters come with the run (dynamic AIPP), and AIPP in models of several sizes, against the model
in numpy that the static mode is compared with."""
import os
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from conftest import program

sys.path.insert(0, os.path.join(os.environ["JUMAR_SOURCE"], "tests", "tools"))
from aipp_model import PLANES, expected, make_pictures, text_of  # noqa: E402

acl = pytest.importorskip("acl", reason="the module acl was not built")
H2D, D2H = 1, 2
FORMATS = {"YUV420SP_U8": 1, "XRGB8888_U8": 2, "RGB888_U8": 3, "YUV400_U8": 4}
TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "uint8": TensorProto.UINT8}
INVALID, FAILURE, NO_AIPP, SHORT, GE_INVALID = 100000, 500001, 145015, 145012, 145000


@pytest.fixture(autouse=True, scope="module")
def device():
    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    yield
    assert acl.rt.reset_device(0) == 0
    assert acl.finalize() == 0


# ---- Models ----


def write_identity(path, shape, dtype="float32"):
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"], "I")], "same",
                              [helper.make_tensor_value_info("x", TYPES[dtype], shape)],
                              [helper.make_tensor_value_info("y", TYPES[dtype], shape)])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), path)


def write_convolution(path, channels, random):
    """A first convolution that makes the rows of the picture itself."""
    weights = numpy_helper.from_array(random.standard_normal((24, channels, 3, 3)).astype(np.float32), "w")
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], "C", pads=[1, 1, 1, 1], strides=[2, 2]), helper.make_node("Relu", ["c"], ["y"], "R")]
    graph = helper.make_graph(nodes, "conv", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", channels, "h", "w"])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [weights])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), path)


def atc(folder, output, *flags, text=None):
    if text:
        (folder / "aipp.cfg").write_text(text)
        flags += ("--insert_op_conf=aipp.cfg",)
    done = subprocess.run([program("atc"), "--model=m.onnx", "--framework=5", f"--output={output}", "--soc_version=Ascend310P3", *flags],
                          cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / f"{output}.om"


def dynamic(bytes_):
    return f"aipp_op {{ aipp_mode: dynamic related_input_rank: 0 max_src_image_size: {bytes_} }}"


class Model:
    """A loaded model with a buffer for each tensor."""

    def __init__(self, path):
        self.id, ret = acl.mdl.load_from_file(str(path))
        assert ret == 0, acl.get_recent_err_msg()
        self.desc = acl.mdl.create_desc()
        assert acl.mdl.get_desc(self.desc, self.id) == 0
        self.names = [acl.mdl.get_input_name_by_index(self.desc, i) for i in range(acl.mdl.get_num_inputs(self.desc))]
        self.inputs = self.dataset(len(self.names), acl.mdl.get_input_size_by_index)
        self.outputs = self.dataset(1, acl.mdl.get_output_size_by_index)

    def dataset(self, count, size):
        made = acl.mdl.create_dataset()
        for i in range(count):
            memory, ret = acl.rt.malloc(size(self.desc, i), 0)
            assert ret == 0 and acl.rt.memset(memory, size(self.desc, i), 0, size(self.desc, i)) == 0
            assert acl.mdl.add_dataset_buffer(made, acl.create_data_buffer(memory, size(self.desc, i)))[1] == 0
        return made

    def address(self, made, index):
        return acl.get_data_buffer_addr(acl.mdl.get_dataset_buffer(made, index))

    def put(self, index, array):
        array = np.ascontiguousarray(array)
        assert acl.rt.memcpy(self.address(self.inputs, index), array.nbytes, acl.util.numpy_to_ptr(array), array.nbytes, H2D) == 0

    def index(self, name):
        return self.names.index(name)

    def attach(self, aipp, index=None):
        return acl.mdl.set_input_aipp(self.id, self.inputs, self.index("ascend_dynamic_aipp_data") if index is None else index, aipp)

    def run(self, picture, shape, dtype=np.float32):
        self.put(0, picture)
        assert acl.mdl.execute(self.id, self.inputs, self.outputs) == 0, acl.get_recent_err_msg()
        out = np.empty(shape, dtype)
        assert acl.rt.memcpy(acl.util.numpy_to_ptr(out), out.nbytes, self.address(self.outputs, 0), out.nbytes, D2H) == 0
        return out

    def close(self):
        for made in (self.inputs, self.outputs):
            for i in range(acl.mdl.get_dataset_num_buffers(made)):
                buffer = acl.mdl.get_dataset_buffer(made, i)
                assert acl.rt.free(acl.get_data_buffer_addr(buffer)) == 0
                assert acl.destroy_data_buffer(buffer) == 0
            assert acl.mdl.destroy_dataset(made) == 0
        assert acl.mdl.destroy_desc(self.desc) == 0
        assert acl.mdl.unload(self.id) == 0


@pytest.fixture
def load():
    models = []

    def make(path):
        models.append(Model(path))
        return models[-1]

    yield make
    for model in models:
        model.close()


# ---- Parameters ----


def random_batch(random, kind, batch):
    """A configuration for each picture, all of one source, with one size of the result."""
    coin = lambda: bool(random.integers(2))
    even = 2 if kind == "YUV420SP_U8" else 1
    w, h = (int(n) * even for n in random.integers(24 // even, 80 // even, 2))
    common = {"input_format": kind, "src_image_size_w": w, "src_image_size_h": h, "rbuv_swap_switch": coin(),
              "csc_switch": coin() and kind != "YUV400_U8", "ax_swap_switch": coin() and kind == "XRGB8888_U8"}
    if common["csc_switch"]:
        common.update({f"matrix_r{r}c{c}": int(random.integers(-600, 600)) for r in range(3) for c in range(3)})
        common.update({f"{side}_bias_{i}": int(random.integers(0, 256)) for i in range(3) for side in ("input", "output")})
    cut = coin()
    width, height = (int(random.integers(20, n + 1)) for n in (w, h)) if cut else (w, h)
    configs = []
    for _ in range(batch):
        config = dict(common)
        if cut and coin():
            # Padding takes the place of some of the crop.
            pads = [int(n) for n in random.integers(0, 9, 4)]
            config.update(padding=True, left_padding_size=pads[0], right_padding_size=pads[1], top_padding_size=pads[2],
                          bottom_padding_size=pads[3])
        inner = (width - config.get("left_padding_size", 0) - config.get("right_padding_size", 0),
                 height - config.get("top_padding_size", 0) - config.get("bottom_padding_size", 0))
        if cut:
            x, y = (int(random.integers(0, n + 1)) // even * even for n in (w - inner[0], h - inner[1]))
            config.update(crop=True, load_start_pos_w=x, load_start_pos_h=y, crop_size_w=inner[0], crop_size_h=inner[1])
        for c in range(PLANES[kind]):
            config[f"mean_chn_{c}"] = int(random.integers(0, 256))
            config[f"min_chn_{c}"] = round(float(random.uniform(0, 255)), 4)
            config[f"var_reci_chn_{c}"] = round(float(random.uniform(-3, 3)), 7)
        configs.append(config)
    return configs, width, height


def make_set(configs, batch=None):
    """As a program writes it; every call must succeed."""
    first = configs[0]
    aipp = acl.mdl.create_aipp(batch or len(configs))
    get = lambda config, prefix: [config.get(f"{prefix}_chn_{c}", 1 if prefix == "var_reci" else 0) for c in range(4)]
    codes = [acl.mdl.set_aipp_src_image_size(aipp, first["src_image_size_w"], first["src_image_size_h"]),
             acl.mdl.set_aipp_input_format(aipp, FORMATS[first["input_format"]]),
             acl.mdl.set_aipp_csc_params(aipp, int(first.get("csc_switch", 0)), *[first.get(f"matrix_r{r}c{c}", 0) for r in range(3) for c in range(3)],
                                         *[first.get(f"{side}_bias_{i}", 0) for side in ("output", "input") for i in range(3)]),
             acl.mdl.set_aipp_rbuv_swap_switch(aipp, int(first.get("rbuv_swap_switch", 0))),
             acl.mdl.set_aipp_ax_swap_switch(aipp, int(first.get("ax_swap_switch", 0)))]
    for i, config in enumerate(configs):
        codes += [acl.mdl.set_aipp_scf_params(aipp, 0, 0, 0, 0, 0, i),
                  acl.mdl.set_aipp_crop_params(aipp, int(config.get("crop", 0)), config.get("load_start_pos_w", 0), config.get("load_start_pos_h", 0),
                                               config.get("crop_size_w", 0), config.get("crop_size_h", 0), i),
                  acl.mdl.set_aipp_padding_params(aipp, int(config.get("padding", 0)), *[config.get(f"{side}_padding_size", 0)
                                                                                         for side in ("top", "bottom", "left", "right")], i),
                  acl.mdl.set_aipp_dtc_pixel_mean(aipp, *get(config, "mean"), i),
                  acl.mdl.set_aipp_dtc_pixel_min(aipp, *get(config, "min"), i),
                  acl.mdl.set_aipp_pixel_var_reci(aipp, *get(config, "var_reci"), i)]
    assert codes == [0] * len(codes), acl.get_recent_err_msg()
    return aipp


def wanted(configs, pictures, channels, dtype="float32"):
    return np.concatenate([expected(c, p[None], channels, dtype) for c, p in zip(configs, pictures)])


# ---- The arithmetic ----


@pytest.mark.parametrize("kind", PLANES)
def test_same_bits_as_the_static_mode(kind, tmp_path, load):
    random = np.random.default_rng(list(PLANES).index(kind) + 40)
    for i in range(12):
        dtype = ["float32", "float32", "uint8", "float16"][i % 4]
        batch = int(random.integers(1, 4))
        configs, w, h = random_batch(random, kind, batch)
        channels = PLANES[kind] - (kind == "XRGB8888_U8" and bool(random.integers(2)))
        pictures = make_pictures(random, configs[0], batch)
        write_identity(tmp_path / "m.onnx", (batch, channels, h, w), dtype)
        model = load(atc(tmp_path, f"m{i}", text=dynamic(pictures.nbytes + int(random.integers(0, 99)))))
        aipp = make_set(configs)
        assert model.attach(aipp) == 0, acl.get_recent_err_msg()
        assert acl.mdl.destroy_aipp(aipp) == 0
        got = model.run(pictures, (batch, channels, h, w), dtype)
        np.testing.assert_array_equal(got, wanted(configs, pictures, channels, dtype), err_msg=str(configs))


@pytest.mark.parametrize("kind", ["YUV420SP_U8", "RGB888_U8"])
def test_convolution_makes_the_rows(kind, tmp_path, load):
    """The bits are those of the model without AIPP on the preprocessed picture."""
    random = np.random.default_rng(7)
    configs, w, h = random_batch(random, kind, 2)
    pictures = make_pictures(random, configs[0], 2)
    write_convolution(tmp_path / "m.onnx", 3, random)
    shape = (2, 24, (h + 1) // 2, (w + 1) // 2)
    plain = load(atc(tmp_path, "plain", f"--input_shape=x:2,3,{h},{w}"))
    model = load(atc(tmp_path, "m", f"--input_shape=x:2,3,{h},{w}", text=dynamic(pictures.nbytes)))
    assert acl.mdl.set_aipp_by_input_index(model.id, model.inputs, 0, make_set(configs)) == 0
    np.testing.assert_array_equal(model.run(pictures, shape), plain.run(wanted(configs, pictures, 3), shape))


def test_parameters_change_between_runs(tmp_path, load):
    random = np.random.default_rng(3)
    write_identity(tmp_path / "m.onnx", (1, 3, 40, 50))
    model = load(atc(tmp_path, "m", text=dynamic(100 * 90 * 4)))
    for kind, w, h, crop in [("RGB888_U8", 50, 40, False), ("YUV420SP_U8", 100, 90, True), ("XRGB8888_U8", 61, 47, True)]:
        config = {"input_format": kind, "src_image_size_w": w, "src_image_size_h": h, "min_chn_1": 3.25, "var_reci_chn_2": 0.017}
        if crop:
            config.update(crop=True, load_start_pos_w=4, load_start_pos_h=6, crop_size_w=50, crop_size_h=40)
        assert model.attach(make_set([config])) == 0
        for _ in range(2):
            picture = make_pictures(random, config, 1)
            np.testing.assert_array_equal(model.run(picture, (1, 3, 40, 50)), wanted([config], picture, 3))


# ---- What programs see ----


def test_description(tmp_path, load):
    write_identity(tmp_path / "m.onnx", (2, 3, 8, 10))
    model = load(atc(tmp_path, "m", text=dynamic(777)))
    assert model.names == ["x", "ascend_dynamic_aipp_data"]
    assert [acl.mdl.get_input_size_by_index(model.desc, i) for i in range(2)] == [777, 64 + 2 * 96]
    assert acl.mdl.get_aipp_data_size(2) == (64 + 2 * 96, 0)
    assert acl.mdl.get_input_dims(model.desc, 0)[0]["dims"] == [2, -1, -1, -1]
    assert [acl.mdl.get_input_data_type(model.desc, i) for i in range(2)] == [4, 4]
    assert acl.mdl.get_input_format(model.desc, 1) == 2
    assert acl.mdl.get_aipp_type(model.id, 0) == (2, 1, 0)
    assert acl.mdl.get_aipp_type(model.id, 1) == (3, 0xFFFFFFFF, 0)
    assert acl.mdl.get_aipp_type(model.id, 2)[2] == INVALID
    info, ret = acl.mdl.get_first_aipp_info(model.id, 0)
    assert ret == 0 and info["shapeCount"] == 1 and info["srcDimNum"] == 4 and info["srcFormat"] == 0 and info["inputFormat"] == 0
    shape = info["outDims"][0]
    assert shape["srcDims"]["dims"] == shape["aippOutdims"]["dims"] == [2, 3, 8, 10]
    assert shape["srcSize"] == shape["aippOutSize"] == 2 * 3 * 8 * 10 * 4
    assert acl.mdl.get_first_aipp_info(model.id, 1) == ({}, NO_AIPP)


def test_static_info(tmp_path, load):
    write_identity(tmp_path / "m.onnx", (-1, 3, 8, 10))
    text = "aipp_op { aipp_mode: static input_format: RGB888_U8 mean_chn_1: 7 min_chn_2: 1.5 rbuv_swap_switch: true }"
    model = load(atc(tmp_path, "m", "--input_shape=x:-1,3,8,10", "--dynamic_batch_size=1,4", text=text))
    info, ret = acl.mdl.get_first_aipp_info(model.id, 0)
    assert ret == 0 and info["inputFormat"] == 3 and info["meanChn1"] == 7 and info["minChn2"] == 1.5 and info["rbuvSwapSwitch"] == 1
    assert info["varReciChn0"] == 1.0 and info["shapeCount"] == 2
    assert [d["srcDims"]["dims"] for d in info["outDims"]] == [[1, 3, 8, 10], [4, 3, 8, 10]]


def test_two_dynamic_inputs(tmp_path, load):
    graph = helper.make_graph([helper.make_node("Concat", ["a", "b"], ["y"], "C", axis=1)], "two",
                              [helper.make_tensor_value_info(n, TensorProto.FLOAT, (1, 3, 6, 8)) for n in "ab"],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 6, 6, 8))])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), tmp_path / "m.onnx")
    text = "".join(f"aipp_op {{ aipp_mode: dynamic related_input_rank: {i} max_src_image_size: 9000 }}" for i in (1, 0))
    model = load(atc(tmp_path, "m", text=text))
    assert model.names == ["a", "b", "ascend_dynamic_aipp_data", "ascend_dynamic_aipp_data_a_0_aipp"]
    assert [acl.mdl.get_aipp_type(model.id, i)[:2] for i in range(2)] == [(2, 3), (2, 2)]
    random = np.random.default_rng(1)
    configs = [{"input_format": "RGB888_U8", "src_image_size_w": 8, "src_image_size_h": 6, "min_chn_0": 9},
               {"input_format": "YUV420SP_U8", "src_image_size_w": 8, "src_image_size_h": 6, "var_reci_chn_1": 0.5}]
    pictures = [make_pictures(random, c, 1) for c in configs]
    for i in range(2):
        assert acl.mdl.set_aipp_by_input_index(model.id, model.inputs, i, make_set([configs[i]])) == 0
    model.put(1, pictures[1])
    want = np.concatenate([wanted([c], p, 3) for c, p in zip(configs, pictures)], 1)
    np.testing.assert_array_equal(model.run(pictures[0], (1, 6, 6, 8)), want)


# ---- Several sizes ----


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("kind", ["RGB888_U8", "YUV420SP_U8"])
def test_batch_sizes(mode, kind, tmp_path, load):
    random = np.random.default_rng(11)
    config = {"aipp_mode": "static", "input_format": kind, "src_image_size_w": 40, "src_image_size_h": 30, "crop": True, "load_start_pos_w": 2,
              "load_start_pos_h": 4, "crop_size_w": 32, "crop_size_h": 24, "min_chn_0": 7.5, "var_reci_chn_1": 0.25}
    pictures = make_pictures(random, config, 4)
    write_convolution(tmp_path / "m.onnx", 3, random)
    plain = load(atc(tmp_path, "plain", "--input_shape=x:-1,3,24,32", "--dynamic_batch_size=1,2,4"))
    model = load(atc(tmp_path, "m", "--input_shape=x:-1,3,24,32", "--dynamic_batch_size=1,2,4",
                     text=text_of(config) if mode == "static" else dynamic(pictures.nbytes)))
    extra = ["ascend_dynamic_aipp_data"] if mode == "dynamic" else []
    assert model.names == ["x"] + extra + ["ascend_mbatch_shape_data"]
    assert acl.mdl.get_input_dims(model.desc, 0)[0]["dims"] == ([-1, 30, 40, 3] if mode == "static" else [-1, -1, -1, -1])
    assert acl.mdl.get_input_size_by_index(model.desc, 0) == pictures.nbytes
    if mode == "dynamic":
        assert model.attach(make_set([config] * 2)) == INVALID and "batch is 4" in acl.get_recent_err_msg()
        assert model.attach(make_set([config] * 4)) == 0
    for n in (4, 1, 2):
        for m in (plain, model):
            assert acl.mdl.set_dynamic_batch_size(m.id, m.inputs, m.index("ascend_mbatch_shape_data"), n) == 0
        planes = wanted([config] * n, pictures, 3)
        np.testing.assert_array_equal(model.run(pictures[:n], (n, 24, 12, 16)), plain.run(planes, (n, 24, 12, 16)))


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("kind", ["RGB888_U8", "YUV420SP_U8"])
def test_image_sizes(mode, kind, tmp_path, load):
    random = np.random.default_rng(12)
    sizes = [(16, 24), (32, 24), (32, 48)]
    config = {"aipp_mode": "static", "input_format": kind, "min_chn_0": 7.5, "var_reci_chn_1": 0.25}
    flags = ("--input_shape=x:1,3,-1,-1", "--dynamic_image_size=" + ";".join(f"{h},{w}" for h, w in sizes))
    write_convolution(tmp_path / "m.onnx", 3, random)
    plain = load(atc(tmp_path, "plain", *flags))
    model = load(atc(tmp_path, "m", *flags, text=text_of(config) if mode == "static" else dynamic(32 * 48 * 3)))
    planes = {"RGB888_U8": (-1, -1, 3), "YUV420SP_U8": (-1, -1, 1)}[kind]
    if mode == "static":
        assert acl.mdl.get_input_dims_v2(model.desc, 0)[0]["dims"] == [1, *planes]
    for largest in (True, False):  # a set of the largest size serves all; one of the size itself is as good
        for h, w in sizes:
            sized = dict(config, src_image_size_w=w, src_image_size_h=h)
            if mode == "dynamic":
                assert model.attach(make_set([dict(config, src_image_size_w=48, src_image_size_h=32) if largest else sized])) == 0
            for m in (plain, model):
                assert acl.mdl.set_dynamic_hw_size(m.id, m.inputs, m.index("ascend_mbatch_shape_data"), h, w) == 0
            picture = make_pictures(random, sized, 1)
            shape = (1, 24, h // 2, w // 2)
            np.testing.assert_array_equal(model.run(picture, shape), plain.run(wanted([sized], picture, 3), shape))
    if mode == "dynamic":
        sized.update(src_image_size_w=40)
        assert model.attach(make_set([sized])) == INVALID
        sized.update(src_image_size_w=56, src_image_size_h=40, crop=True, crop_size_w=48, crop_size_h=32)
        assert model.attach(make_set([sized])) == INVALID and "crop or padding" in acl.get_recent_err_msg()


# ---- Misuse ----

GOOD = {"input_format": "RGB888_U8", "src_image_size_w": 30, "src_image_size_h": 20, "crop": True, "crop_size_w": 10, "crop_size_h": 8}


@pytest.mark.parametrize("words, changes", [
    ("becomes 11 x 8", {"crop_size_w": 11}), ("becomes 30 x 20", {"crop": False}), ("does not lie", {"load_start_pos_w": 21}),
    ("does not lie", {"load_start_pos_h": 13}), ("must begin at even", {"input_format": "YUV420SP_U8", "load_start_pos_w": 3}),
    ("must be even", {"input_format": "YUV420SP_U8", "src_image_size_w": 31}), ("have 1 channels", {"input_format": "YUV400_U8"}),
    ("more than the 1800 bytes", {"src_image_size_h": 21}), ("more than the 1800 bytes", {"input_format": "XRGB8888_U8"}),
    ("becomes 12 x 8", {"padding": True, "left_padding_size": 2}), ("becomes 10 x 9", {"padding": True, "top_padding_size": 1}),
])
def test_sets_that_do_not_fit(words, changes, tmp_path, load):
    write_identity(tmp_path / "m.onnx", (1, 3, 8, 10))
    model = load(atc(tmp_path, "m", text=dynamic(1800)))
    assert model.attach(make_set([GOOD])) == 0
    assert model.attach(make_set([dict(GOOD, **changes)])) == INVALID
    assert words in acl.get_recent_err_msg()


def test_setters_check_their_ranges():
    aipp = acl.mdl.create_aipp(2)
    m = acl.mdl
    bad = [m.set_aipp_input_format(aipp, 0), m.set_aipp_input_format(aipp, 5), m.set_aipp_rbuv_swap_switch(aipp, 2),
           m.set_aipp_ax_swap_switch(aipp, -1), m.set_aipp_csc_params(aipp, 2, *[0] * 15), m.set_aipp_src_image_size(aipp, 1, 20),
           m.set_aipp_src_image_size(aipp, 4097, 20), m.set_aipp_src_image_size(aipp, 20, 0), m.set_aipp_src_image_size(aipp, 20, 4097),
           m.set_aipp_scf_params(aipp, 1, 15, 20, 20, 20, 0), m.set_aipp_scf_params(aipp, 1, 20, 20, 1921, 20, 0),
           m.set_aipp_scf_params(aipp, 1, 20, 20, 20, 15, 0), m.set_aipp_scf_params(aipp, 0, 0, 0, 0, 0, 2),
           m.set_aipp_crop_params(aipp, 1, -1, 0, 8, 8, 0), m.set_aipp_crop_params(aipp, 1, 0, 4096, 8, 8, 0),
           m.set_aipp_crop_params(aipp, 1, 0, 0, 0, 8, 0), m.set_aipp_crop_params(aipp, 1, 0, 0, 8, 4097, 0),
           m.set_aipp_crop_params(aipp, 0, 0, 0, 0, 0, 2), m.set_aipp_crop_params(aipp, 3, 0, 0, 8, 8, 0),
           *[m.set_aipp_padding_params(aipp, 1, *[33 if k == i else 0 for k in range(4)], 0) for i in range(4)],
           m.set_aipp_padding_params(aipp, 1, -1, 0, 0, 0, 0), m.set_aipp_padding_params(aipp, 0, 0, 0, 0, 0, 2),
           *[m.set_aipp_dtc_pixel_mean(aipp, *[256 if k == i else 0 for k in range(4)], 0) for i in range(4)],
           m.set_aipp_dtc_pixel_mean(aipp, 0, 0, 0, 0, 2), m.set_aipp_dtc_pixel_mean(aipp, -1, 0, 0, 0, 0),
           *[m.set_aipp_dtc_pixel_min(aipp, *[255.5 if k == i else 0 for k in range(4)], 0) for i in range(4)],
           m.set_aipp_dtc_pixel_min(aipp, float("nan"), 0, 0, 0, 0), m.set_aipp_dtc_pixel_min(aipp, 0, 0, 0, 0, 2),
           *[m.set_aipp_pixel_var_reci(aipp, *[65505.0 if k == i else 0 for k in range(4)], 0) for i in range(4)],
           m.set_aipp_pixel_var_reci(aipp, 0, 0, 0, 0, 2), m.set_aipp_pixel_var_reci(0, 0, 0, 0, 0, 0), m.destroy_aipp(0)]
    assert bad == [INVALID] * len(bad)
    with pytest.raises(ValueError):
        m.set_aipp_rbuv_swap_switch(aipp, 300)
    with pytest.raises(TypeError):
        m.set_aipp_dtc_pixel_min(aipp, "x", 0, 0, 0, 0)
    assert m.create_aipp(0) == 0 and m.create_aipp(1 << 40) == 0 and m.get_aipp_data_size(0)[1] == INVALID
    assert m.destroy_aipp(aipp) == 0
    with pytest.raises(ValueError):
        m.destroy_aipp(aipp)


def test_wrong_models_and_buffers(tmp_path, load):
    write_identity(tmp_path / "m.onnx", (1, 3, 8, 10))
    plain, fixed = load(atc(tmp_path, "plain")), load(atc(tmp_path, "s", text="aipp_op { aipp_mode: static input_format: RGB888_U8 }"))
    model = load(atc(tmp_path, "m", text=dynamic(1800)))
    aipp = make_set([GOOD])
    assert plain.attach(aipp, 0) == INVALID and fixed.attach(aipp, 0) == INVALID and model.attach(aipp, 0) == INVALID
    assert model.attach(aipp, 2) == INVALID and model.attach(0) == INVALID
    assert acl.mdl.set_input_aipp(model.id + 1000, model.inputs, 1, aipp) == 145003
    assert [acl.mdl.set_aipp_by_input_index(m.id, m.inputs, i, aipp) for m, i in ((plain, 0), (fixed, 0), (model, 1))] == [FAILURE] * 3
    unset = acl.mdl.create_aipp(1)
    assert model.attach(unset) == INVALID
    scaled = make_set([GOOD])
    assert acl.mdl.set_aipp_scf_params(scaled, 1, 30, 20, 20, 16, 0) == 0
    assert model.attach(scaled) == INVALID and "not resized" in acl.get_recent_err_msg()
    # A run without parameters, one with a picture that is too small, one with a buffer that does not hold the parameters.
    assert acl.mdl.execute(model.id, model.inputs, model.outputs) == NO_AIPP
    assert "aclmdlSetInputAIPP" in acl.get_recent_err_msg()
    assert model.attach(aipp) == 0
    buffer = acl.mdl.get_dataset_buffer(model.inputs, 0)
    memory = acl.get_data_buffer_addr(buffer)
    assert acl.update_data_buffer(buffer, memory, 1700) == 0
    assert acl.mdl.execute(model.id, model.inputs, model.outputs) == GE_INVALID
    assert acl.update_data_buffer(buffer, memory, 1800) == 0
    assert acl.mdl.execute(model.id, model.inputs, model.outputs) == 0
    carrier = acl.mdl.get_dataset_buffer(model.inputs, 1)
    memory = acl.get_data_buffer_addr(carrier)
    assert acl.update_data_buffer(carrier, memory, 159) == 0
    assert model.attach(aipp) == SHORT
    assert acl.mdl.execute(model.id, model.inputs, model.outputs) == SHORT
    assert acl.update_data_buffer(carrier, memory, 160) == 0
    # Bytes that are no parameters.
    random = np.random.default_rng(5)
    for _ in range(300):
        model.put(1, random.integers(0, 256, 160, dtype=np.uint8))
        assert acl.mdl.execute(model.id, model.inputs, model.outputs) in (GE_INVALID, NO_AIPP)


def test_smaller_pictures_need_less_memory(tmp_path, load):
    """max_src_image_size is a limit: the buffer must hold the picture that the parameters describe."""
    write_identity(tmp_path / "m.onnx", (1, 3, 8, 10))
    model = load(atc(tmp_path, "m", text=dynamic(1 << 20)))
    config = {"input_format": "RGB888_U8", "src_image_size_w": 10, "src_image_size_h": 8}
    assert model.attach(make_set([config])) == 0
    buffer = acl.mdl.get_dataset_buffer(model.inputs, 0)
    assert acl.update_data_buffer(buffer, acl.get_data_buffer_addr(buffer), 240) == 0
    picture = make_pictures(np.random.default_rng(1), config, 1)
    np.testing.assert_array_equal(model.run(picture, (1, 3, 8, 10)), wanted([config], picture, 3))
