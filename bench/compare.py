#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times Jumar and other runtimes on the same ONNX models and the same input, in one run.

  bench/compare.py yolov5s.onnx yolov8n.onnx yolov8n.onnx@4 --threads 1,2 --rounds 7
  bench/compare.py yolov5s.onnx --systems jumar,onnxruntime --json result.json --chart result.png

FILE@N is FILE with batch N. README.md beside this file says what the columns mean and how a sample is taken.
"""
import argparse
import concurrent.futures
import contextlib
import importlib.metadata
import importlib.util
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile

import models
import oracle
import peers
import sample

# An output this far from the reference, as a share of its largest element, is another result and not rounding.
WRONG = 1e-2


def apart(function, *arguments):
    """Calls it in a process of its own: what it imports stays out of this one, and out of the page cache afterwards."""
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def leave_out(report, model, system, reason):
    """What was not compared is said at once and kept in the report; None stands for all models or all systems."""
    report["not_compared"].append({"model": model, "system": system, "reason": str(reason)})
    print("not compared: " + ", ".join(filter(None, [model, system])) + f": {reason}", flush=True)


def median(samples, key):
    return statistics.median(s[key] for s in samples)


class Comparison:
    """One model: the systems that can run it, their samples, the rows of the table."""

    def __init__(self, argument, options, folder, report):
        self.path, self.batch, self.name = models.parse(argument)
        self.options, self.folder, self.report = options, folder, report
        self.model, self.inputs = os.path.join(folder, "prepared.onnx"), os.path.join(folder, "inputs.npz")
        self.settings = {"library": options.library, "jumar": options.jumar, "folder": folder}
        self.files, self.opened, self.checked, self.kept, self.cold = {}, {}, {}, {}, {}
        self.gflop = self.level = self.boxes = None
        models.prepare(self.path, self.batch, self.model)
        models.make_inputs(self.model, self.name, options.picture, self.inputs)
        if self.batch > 1:
            apart(models.check_batch, self.path, self.model, self.inputs)

    def leave_out(self, system, reason):
        self.files.pop(system, None)
        leave_out(self.report, self.name, system, reason)

    def start(self, system, threads):
        return sample.Process(system, self.files[system], threads, self.inputs, self.settings)

    # ---- Before anything is timed ----

    def prepare(self, systems):
        for system in systems:
            folder = os.path.join(self.folder, system)
            os.mkdir(folder)
            try:
                self.files[system] = apart(peers.SYSTEMS[system].prepare, self.model, folder, self.settings)
            except Exception as error:
                self.leave_out(system, error)

    def find_reference(self):
        """Outputs in float64; without PyTorch, or where it lacks an operator, those of the first peer that runs."""
        path = os.path.join(self.folder, "reference.npz")
        try:
            apart(oracle.float64, self.model, self.inputs, path)
            return "float64", sample.read_arrays(path)
        except Exception as error:
            print(f"{self.name}: no float64 reference: {error}")
        for system in self.files:
            with contextlib.suppress(sample.Failed):  # check() says so
                if not system.startswith("jumar"):
                    return system, self.outputs(system)
        return None, None

    def outputs(self, system):
        """A first run of the system; its outputs."""
        path = os.path.join(self.folder, system + ".npz")
        if system not in self.opened:
            threads = self.options.threads[0]
            process = self.start(system, threads)
            self.opened[system] = process.opened
            process.time(0, path)
            if peers.SYSTEMS[system].slow_to_open:
                self.kept[system, threads] = process
            else:
                process.close()
        return sample.read_arrays(path)

    def check(self):
        """Compares outputs before anything is timed; who is wrong is left out."""
        self.against, reference = self.find_reference()
        known = models.detector(self.name)
        for system in list(self.files):
            try:
                outputs = self.outputs(system)
            except sample.Failed as error:
                self.leave_out(system, error)
                continue
            if reference is None:
                self.checked[system] = {"error": None, "boxes": None}
                continue
            error, agreement = oracle.error(outputs, reference), None
            if error > WRONG:
                self.leave_out(system, f"wrong outputs: {error:.1e} of the largest value away from {self.against}")
                continue
            if known:
                size, names = models.shapes(self.model)[0][2], models.output_names(self.model)
                try:
                    agreement, self.boxes = oracle.box_agreement(known[1], names, outputs, reference, size)
                except (IndexError, KeyError, TypeError, ValueError) as problem:
                    print(f"{self.name}: its outputs are not those that its file name promises, so boxes are not compared: "
                          f"{type(problem).__name__} {problem}")
                    known = None
            self.checked[system] = {"error": error, "boxes": agreement}

    # ---- Samples ----

    def load_cold(self):
        """Import and opening after the files have left the page cache, once for each system that opens quickly."""
        systems = [s for s in self.files if not peers.SYSTEMS[s].slow_to_open]
        random.shuffle(systems)
        for system in systems:
            paths = [self.files[system], *self.opened[system]["libraries"]]
            if system == "ncnn":
                paths.append(self.files[system].removesuffix("param") + "bin")
            stayed = max(map(sample.evict, paths))
            try:
                process = self.start(system, self.options.threads[0])
            except sample.Failed as error:
                self.leave_out(system, error)
                continue
            process.close()
            self.cold.setdefault(system, []).append({**process.opened, "stayed": stayed})

    def take(self, system, threads):
        process = self.kept.get((system, threads)) or self.start(system, threads)
        taken = {**process.opened, **process.time(self.options.seconds)}
        if peers.SYSTEMS[system].slow_to_open:
            self.kept[system, threads] = process
        else:
            process.close()
        self.samples[system, threads].append(taken)

    def measure_peak(self, om):
        """FMA peak and the model's work, as `jumar bench` reports them."""
        threads = self.options.threads
        cores = sorted(os.sched_getaffinity(0))[:max(threads)]
        done = subprocess.run(["taskset", "-c", ",".join(map(str, cores)), self.options.jumar, "bench", om, "--threads",
                               ",".join(map(str, threads)), "--repeat", "1", "--warmup", "0", "--json", "-"], check=True,
                              capture_output=True, text=True)
        document = json.loads(done.stdout)
        self.level = document["cpu"]
        for row in document["rows"]:
            self.gflop = row["gflop"]
            peak = self.report["peak_gflops"]
            peak[str(row["threads"])] = max(peak.get(str(row["threads"]), 0), row["peak_gflops"])

    def run(self, systems):
        self.prepare(systems)
        if "jumar" in self.files:
            self.measure_peak(self.files["jumar"])
            if self.level != "avx512":  # "jumar" itself is what the column for AVX2 would show
                self.files.pop("jumar-avx2", None)
        self.check()
        if not self.files:
            return
        for _ in range(min(self.options.rounds, 3)):
            self.load_cold()
        self.samples = {(s, t): [] for s in self.files for t in self.options.threads}
        for number in range(self.options.rounds):
            if "jumar" in self.files:
                self.measure_peak(self.files["jumar"])
            order = list(self.samples)
            random.shuffle(order)
            for system, threads in order:
                if system not in self.files:
                    continue
                try:
                    self.take(system, threads)
                except sample.Failed as error:
                    self.leave_out(system, f"failed in round {number + 1}: {error}")
                    for t in self.options.threads:
                        self.samples.pop((system, t), None)
            print(f"\r{self.name}: round {number + 1} of {self.options.rounds}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        for process in self.kept.values():
            process.close()

    # ---- Rows ----

    def rows(self):
        for threads in self.options.threads:
            times = {s: median(self.samples[s, threads], "ms") for s in self.files}
            fastest = {s: min(v["min_ms"] for v in self.samples[s, threads]) for s in self.files}
            others = [s for s in self.files if not s.startswith("jumar")]
            for system, ms in times.items():
                x, cold = self.samples[system, threads], self.cold.get(system)
                rate = self.gflop / ms * 1e3 if self.gflop else None
                yield {"model": self.name, "batch": self.batch, "threads": threads, "system": system, "ms": ms,
                       "min_ms": fastest[system], "processor_ms": median(x, "processor_ms"),
                       "ratio": ms / min(times[s] for s in others) if others else None,
                       "min_ratio": fastest[system] / min(fastest[s] for s in others) if others else None, "gflops": rate,
                       "percent_of_peak": rate and 100 * rate / self.report["peak_gflops"][str(threads)],
                       **self.checked[system], "reference_boxes": self.boxes, "error_against": self.against,
                       "rss": median(x, "rss"), "rss_above": median(x, "rss_above"),
                       "import_ms": median(x, "import_ms"), "open_ms": median(x, "open_ms"), "first_ms": median(x, "first_ms"),
                       "cold_import_ms": cold and median(cold, "import_ms"), "cold_open_ms": cold and median(cold, "open_ms"),
                       "cold_stayed": cold and max(c["stayed"] for c in cold),
                       "library_bytes": self.opened[system]["library_bytes"], "samples": [v["ms"] for v in x]}


# ---- The table ----

# Title, width, alignment, format, key of a row.
COLUMNS = [("model", 14, "<", "{}", "model"), ("T", 2, ">", "{}", "threads"), ("system", 13, "<", "{}", "system"),
           ("ms", 8, ">", "{:.2f}", "ms"), ("min", 8, ">", "{:.2f}", "min_ms"), ("cpu", 8, ">", "{:.2f}", "processor_ms"),
           ("ratio", 6, ">", "{:.3f}", "ratio"), ("GF/s", 6, ">", "{:.1f}", "gflops"),
           ("%peak", 6, ">", "{:.1f}", "percent_of_peak"), ("error", 8, ">", "{:.1e}", "error"),
           ("boxes", 6, ">", "{:.3f}", "boxes"), ("RSS", 6, ">", "{:.0f}", "rss"), ("above", 6, ">", "{:.0f}", "rss_above"),
           ("import", 7, ">", "{:.0f}", "cold_import_ms"), ("open", 7, ">", "{:.1f}", "cold_open_ms"),
           ("warm", 7, ">", "{:.1f}", "open_ms"), ("lib", 6, ">", "{:.1f}", "library_bytes")]
IN_MEGABYTES = ["rss", "rss_above", "library_bytes"]


def print_table(rows):
    print(" ".join(f"{title:{align}{width}}" for title, width, align, _, _ in COLUMNS))
    for row in rows:
        cells = []
        for _, width, align, form, key in COLUMNS:
            value = row[key] / 1e6 if key in IN_MEGABYTES else row[key]
            cells.append(f"{'-' if value is None else form.format(value):{align}{width}}")
        print(" ".join(cells))


def describe_machine(options):
    with open("/proc/cpuinfo") as file:
        cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "")
    done = subprocess.run([options.jumar, "--version"], capture_output=True, text=True)
    versions = {"jumar": done.stdout.split()[-1]}
    for system in options.systems:
        if peers.SYSTEMS[system].module:
            versions[system] = importlib.metadata.version(peers.SYSTEMS[system].module)
    return {"cpu": cpu, "cores": len(os.sched_getaffinity(0)), "load_at_begin": os.getloadavg()[0], "versions": versions}


def choose(options, report):
    """Systems that can be imported here."""
    for file in options.jumar, options.library:
        if not os.path.exists(file):
            sys.exit(f"{file} does not exist; build it, or name another with --jumar and --library")
    wanted = options.systems.split(",") if options.systems else list(peers.SYSTEMS)
    for system in wanted:
        if system not in peers.SYSTEMS:
            sys.exit(f"no system is called '{system}'; there are {', '.join(peers.SYSTEMS)}")
    options.systems = []
    for system in wanted:
        module = peers.SYSTEMS[system].module
        if module and not importlib.util.find_spec(module):
            leave_out(report, None, system, f"{module} cannot be imported")
        else:
            options.systems.append(system)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="+", help="ONNX files; FILE@N for batch N")
    parser.add_argument("--threads", default="1,2", help="numbers of cores, with commas between them")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.8, help="timed part of a sample")
    parser.add_argument("--systems", help=f"some of {','.join(peers.SYSTEMS)}")
    parser.add_argument("--picture", default=os.path.join(models.ROOT, "demo/pictures/street.jpg"),
                        help="what detectors see; other models see noise")
    parser.add_argument("--json", help="file for the rows")
    parser.add_argument("--chart", help="PNG file for a chart")
    parser.add_argument("--library", default=os.path.join(models.ROOT, "build/src/libjumar.so"))
    parser.add_argument("--jumar", default=os.path.join(models.ROOT, "build/bin/jumar"))
    options = parser.parse_args()
    options.threads = [int(t) for t in options.threads.split(",")]
    if max(options.threads) > len(os.sched_getaffinity(0)):
        parser.error(f"--threads: this process may use {len(os.sched_getaffinity(0))} cores")
    report = {"rounds": options.rounds, "seconds": options.seconds, "peak_gflops": {}, "not_compared": [], "rows": []}
    choose(options, report)
    report["machine"] = describe_machine(options)
    for argument in options.model:
        with tempfile.TemporaryDirectory() as folder:
            try:
                comparison = Comparison(argument, options, folder, report)
            except Exception as error:  # whatever a file can be
                leave_out(report, argument, None, error)
                continue
            comparison.run(options.systems)
            report["rows"] += comparison.rows() if comparison.files else []
        report["machine"]["load_at_end"] = os.getloadavg()[0]
        if options.json:  # after each model, so that a long run that is stopped has left something
            with open(options.json, "w") as file:
                json.dump(report, file, indent=1)
    if not report["rows"]:
        sys.exit("nothing was compared")
    print_table(report["rows"])
    peaks = ", ".join(f"{v:.1f} GFLOP/s at {t}" for t, v in report["peak_gflops"].items())
    print("load {load_at_begin:.1f} to {load_at_end:.1f}; FMA peak ".format(**report["machine"]) + (peaks or "not measured"))
    if options.chart:
        import chart
        chart.draw(report, options.chart)


if __name__ == "__main__":
    main()
