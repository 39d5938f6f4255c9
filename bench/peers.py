# SPDX-License-Identifier: Apache-2.0
"""The systems that are compared. Each makes its own file from an ONNX model once, and runs it as its manual says, in f32.

A System is used in processes of its own: `prepare` in one, then in each sample `load` (the library), `open` (the file) and
the function that `open` returns, from a list of input arrays to a list of output arrays.
"""
import ctypes
import dataclasses
import importlib
import os
import subprocess
import typing

import numpy as np


@dataclasses.dataclass(frozen=True)
class System:
    module: str | None  # Python package; None for Jumar's C library
    prepare: typing.Callable  # (ONNX file, folder, settings) -> file to open
    open: typing.Callable  # (what `load` returned, file, threads, inputs) -> run
    environment: dict = dataclasses.field(default_factory=dict)
    slow_to_open: bool = False  # stays open from its first turn on, instead of a process for each sample

    def load(self, settings):
        return importlib.import_module(self.module) if self.module else ctypes.CDLL(settings["library"])


class Refused(Exception):
    """A system cannot take a model; the text is for the report."""


def as_it_is(model, folder, settings):
    return model


# ---- Jumar ----

class TensorInfo(ctypes.Structure):
    """jumar_tensor_info of jumar/session.h."""
    _fields_ = [("name", ctypes.c_char_p), ("dtype_name", ctypes.c_char_p), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("dim", ctypes.c_int64 * 8), ("bytes", ctypes.c_uint64)]


def prepare_jumar(model, folder, settings):
    om = os.path.join(folder, "model.om")
    done = subprocess.run([settings["jumar"], "compile", model, "-o", om], capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr.strip())
    return om


def open_jumar(library, file, threads, inputs):
    library.jumar_last_error.restype = ctypes.c_char_p
    library.jumar_session_output_count.restype = ctypes.c_size_t
    library.jumar_session_output_count.argtypes = [ctypes.c_void_p]
    library.jumar_session_output.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    library.jumar_session_run.argtypes = [ctypes.c_void_p] * 3

    def check(status):
        if status:
            raise Refused(library.jumar_last_error().decode())

    session, info, outputs = ctypes.c_void_p(), TensorInfo(), []
    check(library.jumar_session_open(file.encode(), threads, ctypes.byref(session)))
    for i in range(library.jumar_session_output_count(session)):
        check(library.jumar_session_output(session, i, ctypes.byref(info)))
        outputs.append(np.empty(info.dim[: info.rank], np.float32))
    output_list = (ctypes.c_void_p * len(outputs))(*[y.ctypes.data for y in outputs])

    def run(inputs):
        input_list = (ctypes.c_void_p * len(inputs))(*[x.ctypes.data for x in inputs])
        check(library.jumar_session_run(session, input_list, output_list))
        return outputs

    return run


# ---- onnxruntime, OpenVINO ----

def open_onnxruntime(onnxruntime, file, threads, inputs):
    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    return lambda inputs: session.run(None, dict(zip(names, inputs)))


def open_openvino(openvino, file, threads, inputs):
    core = openvino.Core()
    settings = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads}
    compiled = core.compile_model(core.read_model(file), "CPU", settings)
    request = compiled.create_infer_request()

    def run(inputs):
        done = request.infer(list(inputs), share_inputs=True, share_outputs=True)
        return [done[i] for i in range(len(compiled.outputs))]

    return run


# ---- ncnn: pnnx converts ----

def prepare_ncnn(model, folder, settings):
    try:
        import pnnx
    except ImportError:
        raise Refused("pnnx, which converts models for ncnn, cannot be imported")
    copy = os.path.join(folder, "model.onnx")
    if not os.path.exists(copy):
        os.link(model, copy)
    try:
        done = subprocess.run([pnnx.EXEC_PATH, copy, "fp16=0"], cwd=folder, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        raise Refused("pnnx did not finish in 10 minutes")
    param = os.path.join(folder, "model.ncnn.param")
    if done.returncode or not os.path.exists(param):
        raise Refused(f"pnnx cannot convert it: {(done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]}")
    return param


def open_ncnn(ncnn, file, threads, inputs):
    net = ncnn.Net()
    net.opt.num_threads = threads
    for option in dir(net.opt):
        if option.startswith(("use_fp16", "use_bf16")):
            setattr(net.opt, option, False)
    if net.load_param(file) or net.load_model(file.removesuffix("param") + "bin"):
        raise Refused("ncnn cannot load what pnnx wrote")
    names, wanted = net.input_names(), [f"out{i}" for i in range(len(net.output_names()))]

    def run(inputs):
        extractor = net.create_extractor()
        for name, x in zip(names, inputs):
            extractor.input(name, ncnn.Mat(x, batch_index=0))
        outputs = []
        for name in wanted:
            status, mat = extractor.extract(name)
            if status:
                raise Refused(f"ncnn returns {status} for {name}")
            outputs.append(mat.numpy(batch_index=0))
        return outputs

    return run


# ---- PyTorch ----

def prepare_torch(model, folder, settings):
    import torch

    import onnx_torch
    file = os.path.join(folder, "model.pt")
    try:
        torch.save(onnx_torch.load(model), file)
    except onnx_torch.Unsupported as error:
        raise Refused(f"onnx_torch.py: {error}")
    return file


def open_torch(torch, file, threads, inputs):
    torch.set_num_threads(threads)
    # Channels last: convolutions need no reorders. PyTorch's tuning guide says so for vision on CPUs.
    module = torch.load(file, weights_only=False)
    for parameter in module.parameters():
        if parameter.ndim == 4:  # Module.to() would refuse constants of rank 5
            parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)

    def run(inputs):
        with torch.inference_mode():
            tensors = [torch.from_numpy(x) for x in inputs]
            return [y.numpy() for y in module(*[x.contiguous(memory_format=torch.channels_last) if x.ndim == 4 else x
                                                for x in tensors])]

    return run


def open_torch_compile(torch, file, threads, inputs):
    import torch._inductor.config
    torch.set_num_threads(threads)
    # Constant weights: inductor packs them once. Its manual says so for inference on CPUs.
    torch._inductor.config.freezing = True
    compiled = torch.compile(torch.load(file, weights_only=False))

    def run(inputs):
        with torch.inference_mode():
            return [y.numpy() for y in compiled(*map(torch.from_numpy, inputs))]

    run(inputs)  # the compiler works at the first call
    return run


SYSTEMS = {
    "jumar": System(None, prepare_jumar, open_jumar),
    "jumar-avx2": System(None, prepare_jumar, open_jumar, {"JUMAR_CPU": "avx2"}),
    "onnxruntime": System("onnxruntime", as_it_is, open_onnxruntime),
    "openvino": System("openvino", as_it_is, open_openvino),
    "ncnn": System("ncnn", prepare_ncnn, open_ncnn),
    "torch": System("torch", prepare_torch, open_torch),
    "torch.compile": System("torch", prepare_torch, open_torch_compile, slow_to_open=True),
}
