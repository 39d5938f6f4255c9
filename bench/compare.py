#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times Jumar and other runtimes on the same ONNX model and the same input, in one run.

  python3 bench/compare.py yolov5s.onnx --threads 1,2 --rounds 7
  python3 bench/compare.py yolov5s.onnx --json result.json

Each sample is a process of its own, pinned to as many cores as it has threads; systems take turns within a round and
rounds are shuffled, so that a busy neighbour hits all of them alike. A sample is the median of its runs; a row is the
median over the samples. Outputs are compared with the first peer's before anything is timed. Peers that cannot be
imported are left out and named. Jumar is used through its C library (build/src/libjumar.so, or --library).
"""
import argparse
import ctypes
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


# ---- The systems: each takes a model and returns a function from input arrays to output arrays ----

class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype_name", ctypes.c_char_p), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("dim", ctypes.c_int64 * 8), ("bytes", ctypes.c_uint64)]


def open_jumar(arguments):
    library = ctypes.CDLL(arguments.library)
    library.jumar_last_error.restype = ctypes.c_char_p
    for name in "input", "output":
        getattr(library, f"jumar_session_{name}_count").restype = ctypes.c_size_t
        getattr(library, f"jumar_session_{name}_count").argtypes = [ctypes.c_void_p]
        getattr(library, f"jumar_session_{name}").argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    library.jumar_session_run.argtypes = [ctypes.c_void_p] * 3

    def check(status):
        if status:
            raise RuntimeError(library.jumar_last_error().decode())

    om = arguments.om
    session = ctypes.c_void_p()
    begin = time.perf_counter()
    check(library.jumar_session_open(om.encode(), arguments.threads, ctypes.byref(session)))
    load = time.perf_counter() - begin

    def shapes(name):
        info = TensorInfo()
        for i in range(getattr(library, f"jumar_session_{name}_count")(session)):
            check(getattr(library, f"jumar_session_{name}")(session, i, ctypes.byref(info)))
            yield tuple(info.dim[: info.rank])

    outputs = [np.empty(shape, np.float32) for shape in shapes("output")]
    output_list = (ctypes.c_void_p * len(outputs))(*[o.ctypes.data for o in outputs])

    def run(inputs):
        input_list = (ctypes.c_void_p * len(inputs))(*[x.ctypes.data for x in inputs])
        check(library.jumar_session_run(session, input_list, output_list))
        return outputs

    return run, load


def open_onnxruntime(arguments):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = arguments.threads
    options.inter_op_num_threads = 1
    begin = time.perf_counter()
    session = onnxruntime.InferenceSession(arguments.model, options, providers=["CPUExecutionProvider"])
    load = time.perf_counter() - begin
    names = [i.name for i in session.get_inputs()]
    return (lambda inputs: session.run(None, dict(zip(names, inputs)))), load


SYSTEMS = {"jumar": open_jumar, "onnxruntime": open_onnxruntime}


# ---- One sample, in a process of its own ----

def read_inputs(path):
    with np.load(path) as file:
        return [np.ascontiguousarray(file[k]) for k in sorted(file.files)]


def sample(arguments):
    run, load = SYSTEMS[arguments.system](arguments)
    inputs = read_inputs(arguments.inputs)
    for _ in range(3):
        outputs = run(inputs)
    if arguments.outputs:
        np.savez(arguments.outputs, *outputs)
    times = []
    begin = time.perf_counter()
    while len(times) < 5 or time.perf_counter() - begin < arguments.seconds:
        t = time.perf_counter()
        run(inputs)
        times.append(time.perf_counter() - t)
    with open("/proc/self/status") as file:
        rss = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
    print(json.dumps({"ms": statistics.median(times) * 1e3, "min_ms": min(times) * 1e3, "load_ms": load * 1e3, "rss": rss}))


def take_sample(arguments, system, threads, om, inputs, outputs=None):
    command = ["taskset", "-c", ",".join(map(str, range(threads))), sys.executable, os.path.abspath(__file__), arguments.model,
               "--system", system, "--threads", str(threads), "--om", om, "--inputs", inputs, "--library", arguments.library,
               "--seconds", str(arguments.seconds)] + (["--outputs", outputs] if outputs else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{system} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


# ---- The comparison ----

def make_inputs(model, path):
    import onnxruntime
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(7)
    np.savez(path, *[rng.random([d if isinstance(d, int) else 1 for d in i.shape], dtype=np.float32)
                     for i in session.get_inputs()])


def compare(arguments):
    systems = [s for s in SYSTEMS if s == "jumar" or importlib.util.find_spec(s)]
    for absent in set(SYSTEMS) - set(systems):
        print(f"not compared: {absent} cannot be imported")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        om, inputs = os.path.join(folder, "model.om"), os.path.join(folder, "inputs.npz")
        subprocess.run([arguments.jumar, "compile", arguments.model, "-o", om], check=True, stdout=subprocess.DEVNULL)
        make_inputs(arguments.model, inputs)
        for system in systems:
            take_sample(arguments, system, 1, om, inputs, os.path.join(folder, system + ".npz"))
        want = read_inputs(os.path.join(folder, systems[-1] + ".npz"))
        got = read_inputs(os.path.join(folder, "jumar.npz"))
        error = max(float(np.abs(g - w).max() / np.abs(w).max()) for g, w in zip(got, want))
        threads = [int(t) for t in str(arguments.threads).split(",")]
        samples = {(s, t): [] for s in systems for t in threads}
        for _ in range(arguments.rounds):
            order = list(samples)
            random.shuffle(order)
            for key in order:
                samples[key].append(take_sample(arguments, key[0], key[1], om, inputs))
    print(f"{os.path.basename(arguments.model)}: largest error against {systems[-1]} {error:.1e} of the largest value")
    print(f"{'system':14} threads  median ms    min ms   ratio  load ms  peak RSS MB")
    for t in threads:
        best = min(statistics.median(x["ms"] for x in samples[s, t]) for s in systems if s != "jumar" or len(systems) == 1)
        for s in systems:
            x = samples[s, t]
            row = {"model": os.path.basename(arguments.model), "threads": t, "system": s,
                   "ms": statistics.median(v["ms"] for v in x), "min_ms": min(v["min_ms"] for v in x),
                   "load_ms": statistics.median(v["load_ms"] for v in x), "rss": statistics.median(v["rss"] for v in x)}
            row["ratio"] = row["ms"] / best
            rows.append(row)
            print(f"{s:14} {t:7} {row['ms']:10.2f} {row['min_ms']:9.2f} {row['ratio']:7.3f} {row['load_ms']:8.1f} "
                  f"{row['rss'] / 1e6:12.1f}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"rows": rows, "error": error}, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--threads", default="1,2", help="numbers of cores, with commas between them")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.8, help="timed part of a sample")
    parser.add_argument("--json", help="file for the rows")
    parser.add_argument("--library", default=os.path.join(ROOT, "build/src/libjumar.so"))
    parser.add_argument("--jumar", default=os.path.join(ROOT, "build/bin/jumar"))
    for hidden in "--system", "--om", "--inputs", "--outputs":
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.system:
        arguments.threads = int(arguments.threads)
        sample(arguments)
    else:
        compare(arguments)


if __name__ == "__main__":
    main()
