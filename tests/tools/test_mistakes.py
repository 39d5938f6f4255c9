# SPDX-License-Identifier: Apache-2.0
"""docs/common-mistakes.md is the test: every command of the page is run, and must print what the page says."""
import os
import re
import shlex
import shutil
import subprocess
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

JUMAR = os.environ["JUMAR_BIN"]
SOURCE = os.environ["JUMAR_SOURCE"]
DEMO = os.path.join(SOURCE, "demo")
PAGE = os.path.join(SOURCE, "docs", "common-mistakes.md")


def read_page():
    """[(number, title, [(command, lines that it prints)])]; commands begin with "$ ", both are indented by four."""
    sections = []
    for line in open(PAGE, encoding="utf-8").read().splitlines():
        heading = re.match(r"## (\d+)\. (.*)", line)
        if heading:
            sections.append((int(heading[1]), heading[2], []))
        elif line.startswith("    $ "):
            sections[-1][2].append((line[6:], []))
        elif line.startswith("    ") and sections and sections[-1][2]:
            sections[-1][2][-1][1].append(line[4:])
    return sections


SECTIONS = read_page()


def network(path, nodes, inputs, outputs, weights=(), opset=17, dtype=TensorProto.FLOAT, domain=None, external=None):
    def values(shapes):
        return [helper.make_tensor_value_info(name, dtype, shape) for name, shape in shapes.items()]

    graph = helper.make_graph(nodes, "g", values(inputs), values(outputs), list(weights))
    domains = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    model = helper.make_model(graph, opset_imports=domains, ir_version=9)
    onnx.save(model, path, save_as_external_data=external is not None, location=external, size_threshold=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the page names."""
    at = tmp_path_factory.mktemp("mistakes")
    scenes = onnx.load(os.path.join(DEMO, "scenes.onnx"))
    shutil.copy(os.path.join(DEMO, "scenes.onnx"), at)
    shutil.copy(os.path.join(DEMO, "pictures", "street.jpg"), at)
    nameless = onnx.ModelProto()
    nameless.CopyFrom(scenes)
    del nameless.metadata_props[:]
    onnx.save(nameless, at / "nameless.onnx")

    relu = [helper.make_node("Relu", ["images"], ["features"])]
    picture = {"images": [1, 3, 32, 32]}
    network(at / "newest.onnx", relu, picture, {"features": picture["images"]}, opset=99)
    network(at / "half.onnx", relu, picture, {"features": picture["images"]}, dtype=TensorProto.FLOAT16)
    free = ["batch", 3, "height", "width"]
    network(at / "dynamic.onnx", relu, {"images": free}, {"features": free})
    network(at / "custom.onnx", [helper.make_node("EfficientNMS_TRT", ["images"], ["boxes"], "nms", domain="trt.plugins")],
            picture, {"boxes": [1, 100, 4]}, domain="trt.plugins")
    weight = numpy_helper.from_array(np.ones((8, 3, 3, 3), np.float32), "conv.weight")
    network(at / "large.onnx", [helper.make_node("Conv", ["images", "conv.weight"], ["features"])], picture,
            {"features": [1, 8, 30, 30]}, [weight], external="large.onnx.data")
    os.remove(at / "large.onnx.data")
    network(at / "denoise.onnx", relu, picture, {"features": picture["images"]})

    whole = (at / "scenes.onnx").read_bytes()
    (at / "cut.onnx").write_bytes(whole[: len(whole) // 2])
    (at / "page.onnx").write_text("<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>\n")
    (at / "vendor.om").write_bytes(b"IMOD" + bytes(300))
    with zipfile.ZipFile(at / "scenes.pt", "w") as archive:
        archive.writestr("archive/data.pkl", "x")
    (at / "notes.jpg").write_text("milk, bread, two apples\n")
    (at / "names.txt").write_text("house\ntree\ncar\n")

    x = np.random.default_rng(7).random((1, 3, 320, 320), dtype=np.float32)
    np.save(at / "x.npy", x)
    np.save(at / "last.npy", x.transpose(0, 2, 3, 1))
    np.save(at / "bytes.npy", (x * 255).astype(np.uint8))
    np.save(at / "large.npy", np.zeros((1, 3, 640, 640), np.float32))
    np.save(at / "small.npy", np.zeros((1, 3, 32, 32), np.float32))
    for model in "scenes", "half", "denoise":
        subprocess.run([JUMAR, "compile", f"{model}.onnx"], cwd=at, check=True, capture_output=True)
    (at / "cut.om").write_bytes((at / "scenes.om").read_bytes()[:100000])
    return at


def test_the_page_lists_enough():
    assert [number for number, _, _ in SECTIONS] == list(range(1, len(SECTIONS) + 1))
    assert len(SECTIONS) >= 20
    for _, title, commands in SECTIONS:
        assert commands and all(lines for _, lines in commands), title


def same_lines(printed, wanted):
    """Line by line; "..." stands for any number of lines. Sizes of files (five digits and more) may differ."""
    if not wanted:
        return not printed
    if wanted[0] == "...":
        return any(same_lines(printed[i:], wanted[1:]) for i in range(len(printed) + 1))
    return bool(printed) and re.sub(r"\d{5,}", "#", printed[0]) == re.sub(r"\d{5,}", "#", wanted[0]) and same_lines(printed[1:], wanted[1:])


@pytest.mark.parametrize("number, title, commands", SECTIONS, ids=[str(s[0]) for s in SECTIONS])
def test_page(folder, number, title, commands):
    before = sorted(os.listdir(folder))
    for command, wanted in commands:
        words = shlex.split(command)
        assert words[0] == "jumar"
        done = subprocess.run([JUMAR] + words[1:], cwd=folder, capture_output=True, text=True, timeout=60)
        printed = (done.stdout + done.stderr).splitlines()  # as on a terminal, where a line goes out at once
        assert same_lines(printed, wanted), "\n".join([f"{number}. {title}: {command}", "printed:", *printed, "the page:", *wanted])
        # An error is one line; what is only noted ends well.
        assert done.returncode == (0 if "..." in wanted else 2 if "--help`" in wanted[0] else 1)
        if done.returncode:
            assert len(printed) == 1 and printed[0].startswith(f"jumar {words[1]}: ")
    if all("..." not in wanted for _, wanted in commands):
        assert sorted(os.listdir(folder)) == before, "a failing command left a file"
