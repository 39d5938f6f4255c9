# SPDX-License-Identifier: Apache-2.0
"""ais_bench: the session in every mode against onnxruntime, and the program with its lines and files."""
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("acl", reason="the module acl was not built (python3-dev)")
from ais_bench.infer.interface import InferSession  # noqa: E402


def picture(*shape, seed=1):
    return np.random.default_rng(seed).random(shape, np.float32)


def session(models, name, **options):
    return InferSession(0, str(models / f"{name}.om"), **options)


def test_one_size(models, expected):
    s = session(models, "fixed")
    x = picture(1, 3, 32, 32)
    for mode in ("static", "fixed"):
        out, = s.infer([x], mode=mode)
        assert out.shape == (1, 10) and out.dtype == np.float32 and np.allclose(out, expected(x), atol=2e-6)
    tensor = s.get_inputs()[0]
    assert (tensor.name, tensor.shape, tensor.datatype, tensor.size) == ("x", [1, 3, 32, 32], "float32", 12288)
    assert s.get_outputs()[0].shape == [1, 10] and s.get_outputs()[0].realsize == 40
    turned = np.asfortranarray(x)  # not contiguous
    assert np.array_equal(s.infer([turned])[0], out)
    pipeline = s.infer_pipeline([[x], [picture(1, 3, 32, 32, seed=2)]])
    assert np.array_equal(pipeline[0][0], out) and not np.array_equal(pipeline[1][0], out)
    assert len(s.sumary().exec_time_list) == 5 and min(s.sumary().exec_time_list) > 0
    s.reset_sumaryinfo()
    assert s.sumary().exec_time_list == []
    given = s.run([s.create_tensor_from_arrays_to_device(x)])
    s.convert_tensors_to_host(given)
    assert np.array_equal(s.convert_tensors_to_arrays(given)[0], out)
    s.finalize()
    s.finalize()
    with pytest.raises(RuntimeError, match="finalised"):
        s.run([x])


def test_two_sessions_and_the_package_name(models, expected):
    import ais_bench
    first, second = ais_bench.InferSession(0, models / "fixed.om"), session(models, "fixed", loop=3)
    first.finalize()
    x = picture(1, 3, 32, 32, seed=3)
    assert np.allclose(second.infer([x])[0], expected(x), atol=2e-6) and len(second.sumary().exec_time_list) == 3
    second.finalize()


def test_torch_tensors(models):
    torch = pytest.importorskip("torch")
    x = picture(1, 3, 32, 32)
    with session(models, "fixed") as s:
        assert np.array_equal(s.infer([torch.from_numpy(x)])[0], s.infer([x])[0])


@pytest.mark.parametrize("name, mode, shapes", [
    ("batch", "dymbatch", [(1, 3, 32, 32), (4, 3, 32, 32), (2, 3, 32, 32)]),
    ("size", "dymhw", [(1, 3, 32, 64), (1, 3, 64, 64), (1, 3, 32, 32)]),
    ("dims", "dymdims", [(2, 3, 64, 32), (1, 3, 32, 32)]), ("range", "dymshape", [(3, 3, 32, 32), (1, 3, 32, 32), (4, 3, 32, 32)])])
def test_sizes(models, expected, name, mode, shapes):
    with session(models, name, loop=2) as s:
        for shape in shapes:
            x = picture(*shape)
            out, = s.infer([x], mode=mode)
            assert out.shape == (shape[0], 10) and np.allclose(out, expected(x), atol=2e-6), shape


def test_sizes_by_hand(models, expected):
    with session(models, "size") as s:
        s.set_dynamic_hw(64, 32)  # width, height
        x = picture(1, 3, 32, 64)
        assert np.allclose(s.run([x], out_array=True)[0], expected(x), atol=2e-6)
        x = picture(1, 3, 64, 64)
        assert np.allclose(s.infer([x])[0], expected(x), atol=2e-6)  # static: the largest
        with pytest.raises(RuntimeError, match="145013"):
            s.set_dynamic_hw(48, 48)
    with session(models, "range") as s:
        s.set_dynamic_shape("x:2,3,32,32")
        s.set_custom_outsize([80])
        x = picture(2, 3, 32, 32)
        assert np.allclose(s.run([x], out_array=True)[0], expected(x), atol=2e-6)
        with pytest.raises(RuntimeError, match="needs 80"):
            s.infer([x], mode="dymshape", custom_sizes=79)


def test_mistakes(models):
    with session(models, "fixed") as s:
        for call, error, text in ((lambda: s.infer([picture(1, 3, 32, 32).astype(np.float64)]), ValueError, "24576 bytes .* needs 12288"),
                                  (lambda: s.infer([]), ValueError, "0 arrays for 1 inputs"),
                                  (lambda: s.infer(["x"]), TypeError, "numpy array"),
                                  (lambda: s.infer([picture(1)], mode="other"), ValueError, "none of static"),
                                  (lambda: s.infer([picture(1, 3, 32, 32)], mode="dymbatch"), RuntimeError, "one size")):
            with pytest.raises(error, match=text):
                call()
    with pytest.raises(RuntimeError, match="145002"):
        InferSession(0, "nowhere.om")
    with pytest.raises(RuntimeError):
        InferSession(77, str(models / "fixed.om"))


def bench(*words, code=0, cwd=None):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    done = subprocess.run([sys.executable, "-m", "ais_bench", *map(str, words)], capture_output=True, text=True, cwd=cwd, env=environment,
                          timeout=200)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


NUMBER = r"[\d.e-]+"
LINE = rf"\[INFO\] {{}} \(ms\): min = {NUMBER}, max = {NUMBER}, mean = {NUMBER}, median = {NUMBER}, percentile\(99%\) = {NUMBER}"


def test_made_up_data(models, tmp_path, expected):
    out = bench("--model", models / "fixed.om", "--loop", 5, "--output", tmp_path, "--output_dirname", "out", "--display_all_summary", "1")
    assert "[INFO] -----------------Performance Summary------------------" in out
    for name in ("NPU_compute_time", "H2D_latency", "D2H_latency"):
        assert re.search(LINE.format(name), out), out
    mean, speed = re.search(rf"throughput 1000\*batchsize.mean\(1\)/NPU_compute_time.mean\(({NUMBER})\): ({NUMBER})", out).groups()
    assert np.isclose(float(speed), 1000 / float(mean))
    found = np.fromfile(tmp_path / "out" / "pure_infer_data_0.bin", np.float32)
    assert np.allclose(found, expected(np.zeros((1, 3, 32, 32), np.float32))[0], atol=2e-6)
    summary = json.loads((tmp_path / "out_summary.json").read_text())
    assert summary["NPU_compute_time"]["count"] == 5 == len(summary["npu_compute_time_list"])
    assert set(summary["NPU_compute_time"]) == {"min", "max", "mean", "median", "percentile(99%)", "count"}
    assert summary["args"]["loop"] == 5 and summary["filesinfo"]["0"]["outfiles"][0].endswith("pure_infer_data_0.bin")
    assert "H2D_latency" not in bench("--model", models / "fixed.om", "--pure_data_type", "random")


def test_files_of_a_batch(models, tmp_path, expected):
    """Three pictures for a batch of two: the last one is filled up, and files come out as they went in."""
    x = picture(3, 3, 32, 32)
    (tmp_path / "in").mkdir()
    for i in range(3):
        np.save(tmp_path / "in" / f"p{i}.npy", x[i:i + 1])
    bench("--model", models / "batch.om", "--dymBatch", 2, "--input", tmp_path / "in", "--output", tmp_path, "--output_dirname", "o", "--outfmt", "NPY")
    want = expected(x)
    assert sorted(os.listdir(tmp_path / "o")) == ["p0_0.npy", "p1_0.npy", "p2_0.npy"]
    for i in range(3):
        assert np.allclose(np.load(tmp_path / "o" / f"p{i}_0.npy"), want[i:i + 1], atol=2e-6)
    files = json.loads((tmp_path / "o_summary.json").read_text())["filesinfo"]
    assert files["1"]["infiles"][0][1] == "padding_infer_fake_file"


def test_shapes(models, tmp_path):
    out = bench("--model", models / "range.om", "--dymShape_range", "x:1~3,3,32,32", "--outputSize", "120")
    assert re.findall(r"dymShape: x:(\d)", out) == ["1", "2", "3"] and out.count("throughput") == 3
    np.save(tmp_path / "two.npy", picture(2, 3, 32, 32))
    bench("--model", models / "range.om", "--auto_set_dymshape_mode", "1", "--input", tmp_path / "two.npy", "--output", tmp_path,
          "--output_dirname", "a", "--outfmt", "TXT")
    assert np.loadtxt(tmp_path / "a" / "two_0.txt").shape == (2, 10)
    bench("--model", models / "dims.om", "--dymDims", "x:2,3,64,32")
    bench("--model", models / "size.om", "--dymHW", "32,64")


def test_program_says_what_is_wrong(models, tmp_path):
    np.zeros(5, np.uint8).tofile(tmp_path / "small.bin")
    out = bench("--model", models / "fixed.om", "--input", tmp_path / "small.bin", code=1)
    assert "[ERROR] arg0 tensorsize: 12288 filesize: 5 not match" in out
    assert "[ERROR]" in bench("--model", "nowhere.om", code=1)
    assert "[ERROR] " in bench("--model", models / "batch.om", "--dymBatch", 3, code=1)
    bench("--model", models / "fixed.om", "--loop", 0, code=2)
    out = bench("--model", models / "fixed.om", "--debug")
    assert "input:  #0 x (1, 3, 32, 32) float32 12288 12288" in out
