# SPDX-License-Identifier: Apache-2.0
"""The result lines and the summary file."""
import json

import numpy as np


def numbers(times):
    """Minimum, maximum, mean, median and 99th percentile of times in milliseconds."""
    values = np.asarray(times if len(times) else [0.0])
    return {"min": float(values.min()), "max": float(values.max()), "mean": float(values.mean()), "median": float(np.median(values)),
            "percentile(99%)": float(np.percentile(values, 99)), "count": len(times)}


def line(name, of):
    return (f"{name} (ms): min = {of['min']}, max = {of['max']}, mean = {of['mean']}, median = {of['median']}, "
            f"percentile(99%) = {of['percentile(99%)']}")


def make(summary, batch):
    """What the summary file holds, without files and arguments."""
    found = {"NPU_compute_time": numbers(summary.exec_time_list), "H2D_latency": numbers(summary.h2d_time_list),
             "D2H_latency": numbers(summary.d2h_time_list), "npu_compute_time_list": list(summary.exec_time_list)}
    mean = found["NPU_compute_time"]["mean"]
    found["throughput"] = 1000 * batch / mean if mean else 0.0
    return found


def show(found, batch, everything, say):
    """The lines on stdout."""
    say("-----------------Performance Summary------------------")
    if everything:
        say(line("H2D_latency", found["H2D_latency"]))
    say(line("NPU_compute_time", found["NPU_compute_time"]))
    if everything:
        say(line("D2H_latency", found["D2H_latency"]))
    say(f"throughput 1000*batchsize.mean({batch})/NPU_compute_time.mean({found['NPU_compute_time']['mean']}): {found['throughput']}")
    say("------------------------------------------------------")


def write(path, found, files, arguments):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**found, "filesinfo": files, "args": arguments}, file, indent=1)
