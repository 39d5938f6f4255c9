# SPDX-License-Identifier: Apache-2.0
"""One system in a process of its own, pinned to as many cores as it has threads.

`Process` is the side of the comparison; `main` is the process: it loads the library, opens the file, runs once, reports, and
then takes the time of runs as often as it is asked.
"""
import contextlib
import ctypes
import json
import mmap
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import peers

WARM_UP = 3


class Failed(Exception):
    """The process ended before it answered; the text is the end of what it wrote, and the beginning."""


class Process:
    def __init__(self, system, file, threads, inputs, settings):
        """Starts the process and waits until the system has run once; `opened` is its report."""
        cores = sorted(os.sched_getaffinity(0))[:threads]
        job = {"system": system, "file": file, "threads": threads, "inputs": inputs, "settings": settings}
        environment = {"TORCHINDUCTOR_CACHE_DIR": os.path.join(settings["folder"], "inductor"), **os.environ,
                       "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": str(threads),
                       **peers.SYSTEMS[system].environment}
        self.log = tempfile.TemporaryFile("w+", dir=settings["folder"])
        self.process = subprocess.Popen(["taskset", "-c", ",".join(map(str, cores)), sys.executable, __file__, json.dumps(job)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        env=environment)
        self.opened = self.answer()

    def answer(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        self.process.wait()
        self.log.seek(0)
        lines = self.log.read().strip().splitlines() or [f"exit status {self.process.returncode}"]
        self.close()
        # What a library wrote before Python said that it failed often names the cause.
        raise Failed(lines[-1] + ("" if lines[0].startswith("Traceback") or len(lines) == 1 else f" ({lines[0]})"))

    def time(self, seconds, outputs=None):
        """Times runs for some seconds after a warm-up; `outputs` is a file for the outputs of a run."""
        with contextlib.suppress(BrokenPipeError):  # answer() knows why
            print(json.dumps({"seconds": seconds, "outputs": outputs}), file=self.process.stdin, flush=True)
        return self.answer()

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.log.close()


def read_arrays(path):
    """Arrays of an .npz in the order in which they were saved."""
    with np.load(path) as file:
        return [np.ascontiguousarray(file[f"arr_{i}"]) for i in range(len(file.files))]


# ---- The page cache ----

def evict(path):
    """Asks the kernel to forget a file's pages; returns the share that stayed (pages that another process has mapped)."""
    with open(path, "rb") as file:
        os.fdatasync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        size = os.fstat(file.fileno()).st_size
        if not size:
            return 0.0
        view = mmap.mmap(file.fileno(), size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(view))
        pages = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
        ctypes.CDLL(None).mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), pages)
        return sum(p & 1 for p in pages) / len(pages)


# ---- The process ----

def memory(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field))


def reset_peak():
    """VmHWM counts from here on; where that is forbidden, the peak of the interpreter's start stays in it."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def libraries(folders):
    """Shared objects of these folders that are mapped now."""
    with open("/proc/self/maps") as file:
        paths = {line.split(maxsplit=5)[5].strip() for line in file if len(line.split(maxsplit=5)) == 6}
    return sorted(p for p in paths if ".so" in os.path.basename(p) and p.startswith(tuple(folders)))


def main():
    job = json.loads(sys.argv[1])
    system, settings = peers.SYSTEMS[job["system"]], job["settings"]
    inputs = read_arrays(job["inputs"])
    reset_peak()
    baseline = memory("VmRSS")

    marks = [time.perf_counter()]
    library = system.load(settings)
    marks.append(time.perf_counter())
    run = system.open(library, job["file"], job["threads"], inputs)
    marks.append(time.perf_counter())
    run(inputs)
    marks.append(time.perf_counter())

    folders = [os.path.dirname(library.__file__)] if system.module else [os.path.realpath(settings["library"])]
    used = libraries(folders + [f + ".libs" for f in folders])
    import_ms, open_ms, first_ms = ((b - a) * 1e3 for a, b in zip(marks, marks[1:]))
    print(json.dumps({"import_ms": import_ms, "open_ms": open_ms, "first_ms": first_ms, "libraries": used,
                      "library_bytes": sum(map(os.path.getsize, used))}), flush=True)

    for line in sys.stdin:
        order = json.loads(line)
        times, processor = [], []
        for _ in range(WARM_UP):
            outputs = run(inputs)
        begin = time.perf_counter()
        while len(times) < 5 or time.perf_counter() - begin < order["seconds"]:
            t, p = time.perf_counter(), time.process_time()
            outputs = run(inputs)
            times.append(time.perf_counter() - t)
            processor.append(time.process_time() - p)
        peak = memory("VmHWM")
        if order["outputs"]:
            np.savez(order["outputs"], *outputs)
        print(json.dumps({"ms": statistics.median(times) * 1e3, "min_ms": min(times) * 1e3,
                          "processor_ms": statistics.median(processor) * 1e3, "rss": peak,
                          "rss_above": peak - baseline}), flush=True)


if __name__ == "__main__":
    main()
