# SPDX-License-Identifier: Apache-2.0
"""Runs the backend node tests of the package onnx through the C library, in processes of their own.

    python3 tests/model/onnx_backend.py 'test_pad_*' [level]     # each result, for those who work on operators

A test is a model with inputs and outputs. The model is compiled as it is, with the shapes of the given inputs. Jumar
compiles models of fixed shapes: where it refuses because a shape depends on the value of an input, the model is compiled
again with every input but the first as a constant, and then with all of them (NonZero, Range). A crash or a hang ends the
process, is counted against the test that ran, and another process goes on with the next one.
"""
import ctypes
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import select
import signal
import sys
import tempfile
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes are forks
import ml_dtypes
import numpy as np
import onnx
import onnx.backend.test.loader
import onnx.backend.test.runner
from onnx import numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ.get("JUMAR_BUILD", ROOT / "build")) / "src/libjumar.so"
LEVELS = ["reference", "avx2", "avx512"]
SECONDS = 60  # for one test; they take milliseconds
VALUE_DECIDES = ("must be known at compile time", "depends on data", "must be a constant")


@dataclasses.dataclass
class Result:
    name: str
    status: str = "crash"  # pass, fail, crash, hang
    constants: str = "none"  # inputs compiled as constants: none, rest, all
    why: str = ""
    digest: str = ""  # of the bytes of all outputs


def load():
    """All node tests of the installed package, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {case.name: case for case in onnx.backend.test.loader.load_model_tests(kind="node")}


# ---- The library ----

class Refused(Exception):
    pass


class TensorInfo(ctypes.Structure):
    """jumar_tensor_info of jumar/session.h."""
    _fields_ = [("name", ctypes.c_char_p), ("dtype_name", ctypes.c_char_p), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("dim", ctypes.c_int64 * 8), ("bytes", ctypes.c_uint64)]


def struct_of_header(path, name):
    """A ctypes structure with the fields that a C header declares, whatever was added to it."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    fields = []
    for line in re.search(rf"struct {name} \{{(.*?)\}} {name};", text, re.S).group(1).split(";"):
        if function := re.search(r"\(\*(\w+)\)", line):
            fields.append((function.group(1), ctypes.c_void_p))
        elif line.strip():
            for declared in line.split(","):
                kind = ctypes.c_char_p if "*" in declared and "char" in line and declared.count("*") == 1 else \
                    ctypes.c_void_p if "*" in declared else ctypes.c_size_t if "size_t" in line else ctypes.c_int
                fields.append((re.search(r"(\w+)\s*$", declared).group(1), kind))
    return type(name, (ctypes.Structure,), {"_fields_": fields})


CompileOptions = struct_of_header(ROOT / "include/jumar/compile.h", "jumar_compile_options")


class Library:
    def __init__(self):
        self.c = ctypes.CDLL(str(LIBRARY))
        self.c.jumar_last_error.restype = ctypes.c_char_p
        for kind in ["input", "output"]:
            count = getattr(self.c, f"jumar_session_{kind}_count")
            count.restype, count.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
            getattr(self.c, f"jumar_session_{kind}").argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        self.c.jumar_session_run.argtypes = [ctypes.c_void_p] * 3
        self.c.jumar_session_close.argtypes = [ctypes.c_void_p]

    def check(self, status):
        if status:
            raise Refused(self.c.jumar_last_error().decode(errors="replace"))

    def compile(self, model, path, shapes):
        options = CompileOptions(input_shapes=shapes.encode())
        self.check(self.c.jumar_compile(os.fsencode(model), os.fsencode(path), ctypes.byref(options)))

    def infos(self, session, kind):
        info = TensorInfo()
        for i in range(getattr(self.c, f"jumar_session_{kind}_count")(session)):
            self.check(getattr(self.c, f"jumar_session_{kind}")(session, i, ctypes.byref(info)))
            text = info.dtype_name.decode()
            dtype = np.dtype(ml_dtypes.bfloat16 if text == "bfloat16" else text)
            yield info.name.decode(), dtype, tuple(info.dim[:info.rank])

    def run(self, path, inputs):
        """The outputs of one run; `inputs` by name."""
        session = ctypes.c_void_p()
        self.check(self.c.jumar_session_open(os.fsencode(path), 2, ctypes.byref(session)))
        try:
            x, y = [], []
            for name, dtype, shape in self.infos(session, "input"):
                if inputs[name].dtype != dtype or inputs[name].shape != shape:
                    raise Refused(f"input {name} became {dtype}{list(shape)}")
                x.append(np.ascontiguousarray(inputs[name]))
            for _, dtype, shape in self.infos(session, "output"):
                y.append(np.frombuffer(b"\xa5" * (int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape).copy())
            addresses = [(ctypes.c_void_p * max(len(a), 1))(*[t.ctypes.data for t in a]) for a in (x, y)]
            self.check(self.c.jumar_session_run(session, *addresses))
            return y
        finally:
            self.c.jumar_session_close(session)


# ---- One test ----

def with_constants(model, inputs, names):
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for i in reversed(range(len(copy.graph.input))):
        if copy.graph.input[i].name in names:
            del copy.graph.input[i]
    copy.graph.initializer.extend(numpy_helper.from_array(inputs[n], n) for n in names)
    return copy


def compile_and_run(library, model, inputs, folder):
    given = [i for i in model.graph.input if i.name in inputs]
    closed = [i.name for i in given if i.type.tensor_type.HasField("shape")
              and all(d.dim_value > 0 for d in i.type.tensor_type.shape.dim)]  # 0 may mean unknown
    shapes = ";".join(f"{i.name}:{','.join(map(str, inputs[i.name].shape))}" for i in given if i.name not in closed)
    onnx.save(model, folder / "model.onnx")
    library.compile(folder / "model.onnx", folder / "model.om", shapes)
    return library.run(folder / "model.om", inputs)


def array(value):
    """Types that numpy lacks come as protobuf messages."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        raise Refused(f"a {type(value).__name__} is no tensor")
    return np.asarray(value)


def run_data(library, case, arrays, folder):
    names = [i.name for i in case.model.graph.input]
    inputs = {n: array(x) for n, x in zip(names, arrays)}
    for constants, frozen in [("none", []), ("rest", list(inputs)[1:]), ("all", list(inputs))]:
        model = with_constants(case.model, inputs, frozen) if frozen else case.model
        try:
            return constants, compile_and_run(library, model, inputs, folder)
        except Refused as error:
            if constants == "all" or not any(text in str(error) for text in VALUE_DECIDES):
                raise


def without_padding(case, got):
    """NonMaxSuppression fills the rows that no box was selected for with -1, where the number of boxes is data."""
    padded = {o for n in case.model.graph.node if n.op_type == "NonMaxSuppression" for o in n.output}
    return [y[(y != -1).any(axis=1)] if o.name in padded else y for o, y in zip(case.model.graph.output, got)]


def run_case(library, case, folder):
    result = Result(case.name, "fail")
    digest = hashlib.sha256()
    try:
        for inputs, want in case.data_sets:
            result.constants, got = run_data(library, case, inputs, folder)
            for y in got:
                digest.update(y.tobytes())
            onnx.backend.test.runner.Runner.assert_similar_outputs(
                [array(w) for w in want], without_padding(case, got), case.rtol, case.atol)
        result.status = "pass"
    except Refused as error:
        result.why = f"refused: {error}"
    except AssertionError as error:
        result.why = "different: " + " ".join(str(error).split())[:400]
    except Exception as error:  # a model that the harness cannot hand over
        result.why = f"{type(error).__name__}: {error}"
    result.digest = digest.hexdigest()
    return result


# ---- Processes ----

def child(cases, level, pipe):
    if level:
        os.environ["JUMAR_CPU"] = level
    warnings.simplefilter("ignore")
    library = Library()
    with os.fdopen(pipe, "w", buffering=1) as out, tempfile.TemporaryDirectory() as folder:
        for case in cases:
            print(json.dumps({"name": case.name}), file=out)
            print(json.dumps(dataclasses.asdict(run_case(library, case, pathlib.Path(folder)))), file=out)


def run_until_death(cases, level):
    """Results of the first cases; the last one says how the process ended, unless it did all."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(read)
            child(cases, level, write)
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    results, text = [], b""
    hang = False
    while not hang:
        if not select.select([read], [], [], SECONDS)[0]:
            os.kill(pid, signal.SIGKILL)
            hang = True
            break
        piece = os.read(read, 1 << 16)
        if not piece:
            break
        *lines, text = (text + piece).split(b"\n")
        for fields in map(json.loads, lines):
            if results and results[-1].name == fields["name"]:
                results[-1] = Result(**fields)
            else:
                results.append(Result(**fields))
    os.close(read)
    status = os.waitpid(pid, 0)[1]
    if status and len(results) < len(cases) and (not results or results[-1].status != "crash"):
        raise RuntimeError(f"the process ended with status {status} between two tests")
    if results and results[-1].status == "crash":
        results[-1].status = "hang" if hang else "crash"
        results[-1].why = f"no answer in {SECONDS} s" if hang else f"wait status {status}"
    return results


def run(cases, level=None):
    """One Result for each case, in order. `level`: the instruction set; None is the strongest one."""
    results = []
    while len(results) < len(cases):
        results += run_until_death(cases[len(results):], level)
    return results


def levels():
    """The instruction sets of this machine."""
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return [level for level in LEVELS if level == "reference" or (level + "f" * (level == "avx512")) in flags]


if __name__ == "__main__":
    tests = load()
    chosen = [tests[n] for n in tests if fnmatch.fnmatch(n, sys.argv[1] if len(sys.argv) > 1 else "*")]
    for r in run(chosen, sys.argv[2] if len(sys.argv) > 2 else None):
        print(r.status, r.name, r.constants, r.why)
