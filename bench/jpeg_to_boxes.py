#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From a JPEG file to boxes: `jumar.YOLO` beside Ultralytics with onnxruntime, the same model and pictures, in one run.

  bench/jpeg_to_boxes.py build/python demo/scenes.onnx --pictures demo/pictures/*.jpg [--threads 2] [--rounds 15]

Needs the packages ultralytics (whose torchvision must load) and onnxruntime; Jumar's come from the folder of the first
argument. Each system is a process of its own, pinned to as many cores as it has threads, and both take turns: a turn is one
pass over the pictures. The value is the median over the rounds of a turn's time for each picture, and the ratio is the median
of the ratios of each round. Boxes are compared first: a time of wrong boxes is no time.
"""
import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

CONFIDENCE, IOU = 0.25, 0.45
WARM_UP = 3
PAUSE = 0.1  # seconds before a turn: threads of the other system still wait actively for a moment


# ---- The systems: (model file, side of the input) -> (picture) -> rows of x1, y1, x2, y2, score, label ----

def open_jumar(model, threads):
    import jumar
    compiled = os.path.join(tempfile.mkdtemp(), "model.om")
    jumar.compile(model, compiled)
    yolo = jumar.YOLO(compiled, threads=threads)

    def detect(path):
        found = yolo(path, conf=CONFIDENCE, iou=IOU)
        return np.column_stack([found.boxes, found.scores, found.labels])

    return detect


def open_ultralytics(model, threads):
    os.environ.update(YOLO_AUTOINSTALL="false", YOLO_OFFLINE="true")
    import onnx
    import torch
    import ultralytics
    torch.set_num_threads(threads)
    side = onnx.load(model, load_external_data=False).graph.input[0].type.tensor_type.shape.dim[2].dim_value
    yolo = ultralytics.YOLO(model, task="detect")

    def detect(path):
        found = yolo.predict(path, imgsz=side, conf=CONFIDENCE, iou=IOU, device="cpu", verbose=False)[0].boxes
        return np.column_stack([found.xyxy.numpy(), found.conf.numpy(), found.cls.numpy()])

    return detect


SYSTEMS = {"jumar": open_jumar, "ultralytics": open_ultralytics}


def serve(name, model, threads, pictures):
    """The process: answers each line of its input with boxes, or with the milliseconds of a pass over the pictures."""
    detect = SYSTEMS[name](model, threads)
    for _ in range(WARM_UP):
        boxes = [detect(p).tolist() for p in pictures]
    print(json.dumps(boxes), flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        for picture in pictures:
            detect(picture)
        print(json.dumps((time.perf_counter() - begin) * 1e3 / len(pictures)), flush=True)


# ---- The comparison ----

class Process:
    def __init__(self, name, model, threads, packages, pictures):
        cores = sorted(os.sched_getaffinity(0))[:threads]
        path = os.pathsep.join(filter(None, [os.path.abspath(packages), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            ["taskset", "-c", ",".join(map(str, cores)), sys.executable, __file__, "--serve", json.dumps([name, model, threads, pictures])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, PYTHONPATH=path, OMP_NUM_THREADS=str(threads), PYTHONDONTWRITEBYTECODE="1"))
        self.boxes = [np.array(b).reshape(-1, 6) for b in self.answer()]

    def answer(self):
        for line in self.process.stdout:  # other lines are what a package says
            if line[0].isdigit() or line[0] == "[":
                return json.loads(line)
        raise SystemExit(f"a process ended with status {self.process.wait()}")

    def turn(self):
        print(file=self.process.stdin, flush=True)
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def agreement(ours, theirs):
    """Share of their boxes that have one of ours of the same class and an IoU of 0.9."""
    hit = total = 0
    for a, b in zip(ours, theirs):
        for box in b:
            low, high = np.maximum(a[:, :2], box[:2]), np.minimum(a[:, 2:4], box[2:4])
            common = np.clip(high - low, 0, None).prod(1)
            union = (a[:, 2:4] - a[:, :2]).prod(1) + (box[2:4] - box[:2]).prod() - common
            hit += bool(((common / union > 0.9) & (a[:, 5] == box[5])).any())
            total += 1
    return hit, total


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(*json.loads(sys.argv[2]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", help="the folder of the packages jumar and acl: build/python")
    parser.add_argument("models", nargs="+", help="ONNX files of detectors")
    parser.add_argument("--pictures", nargs="+", help="JPEG files; default: those of demo/pictures")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    pictures = arguments.pictures or sorted(glob.glob(os.path.join(root, "demo/pictures/*.jpg")))
    for model in arguments.models:
        processes = {name: Process(name, model, arguments.threads, arguments.packages, pictures) for name in SYSTEMS}
        times = {name: [] for name in SYSTEMS}
        for turn in range(arguments.rounds):
            for name in list(SYSTEMS)[::1 if turn % 2 else -1]:
                time.sleep(PAUSE)
                times[name].append(processes[name].turn())
        hit, total = agreement(processes["jumar"].boxes, processes["ultralytics"].boxes)
        ratio = statistics.median(a / b for a, b in zip(times["jumar"], times["ultralytics"]))
        ms = {name: statistics.median(t) for name, t in times.items()}
        print(f"{os.path.basename(model)}, {arguments.threads} threads: jumar {ms['jumar']:.2f} ms, ultralytics {ms['ultralytics']:.2f} ms, "
              f"ratio {ratio:.3f}; {hit} of {total} boxes agree")
        for process in processes.values():
            process.close()


if __name__ == "__main__":
    main()
