#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ultralytics from nothing to a deployed detector: draw scenes, train, export, predict, measure.

  pip install ultralytics          # and Jumar: pip install . in its folder
  python3 examples/ultralytics_scenes.py --folder out

The scenes are those of demo/train, without their smallest objects; the network is a YOLO11 of half the width of the
smallest. Everything after the drawing is the command `yolo`, unchanged: its `format=ascend` calls the compiler `atc`, and it
runs the exported folder with the package `ais_bench`. Each command is printed as it runs, so that it can be copied. A few
minutes on two cores make a detector of drawn scenes with a mAP50 above 0.5.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "demo" / "train"))
import scenes

VALIDATION = 2_000_000  # seeds from here on are not used in training
LEAST = 0.07  # least side of an object, as a part of the picture's


def draw(folder, size, seed):
    """One scene as a picture and its boxes: label, centre and size as parts of the picture."""
    scenes.SUPERSAMPLE, scenes.MIN_SIDE = 2, LEAST
    image, objects = scenes.make_scene(seed, size, size)
    image.save(folder / "images" / f"{seed}.png")
    rows = [(scenes.CLASSES.index(name), (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1) for name, (x1, y1, x2, y2) in objects]
    text = "".join(f"{label} {' '.join(f'{v / size:.6f}' for v in box)}\n" for label, *box in rows)
    (folder / "labels" / f"{seed}.txt").write_text(text)


def draw_all(folder, size, training, validation):
    """The data set, and the file that describes it to Ultralytics."""
    for part, first, count in (("train", 0, training), ("val", VALIDATION, validation)):
        for kind in ("images", "labels"):
            (folder / part / kind).mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ProcessPoolExecutor() as pool:
            list(pool.map(functools.partial(draw, folder / part, size), range(first, first + count), chunksize=8))
    data = folder / "scenes.yaml"
    data.write_text(f"path: {folder}\ntrain: train/images\nval: val/images\nnames: {scenes.CLASSES}\n")
    return data


def narrow_model(folder):
    """The configuration of YOLO11 that is installed, with half the channels at scale n. Its name must say the scale."""
    import ultralytics
    text = (pathlib.Path(ultralytics.__file__).parent / "cfg" / "models" / "11" / "yolo11.yaml").read_text()
    text, count = re.subn(r"^(\s+n:\s*)\[.*?\]", r"\1[0.33, 0.125, 1024]", text, flags=re.M)
    assert count == 1, "the installed YOLO11 has no scale n"
    path = folder / "yolo11n.yaml"
    path.write_text(text)
    return path


def yolo(*arguments):
    command = ["yolo", *map(str, arguments)]
    print(f"\n$ {shlex.join(command)}", flush=True)
    begin = time.monotonic()
    subprocess.run(command, check=True)
    print(f"({time.monotonic() - begin:.0f} s)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default="out", help="where everything is written; default: out")
    parser.add_argument("--size", type=int, default=160, help="side of the pictures and of the network's input; default: 160")
    parser.add_argument("--pictures", type=int, default=640, help="drawn for training; default: 640")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--soc", default="Ascend310P3", help="the chip that Ultralytics names to atc; here any will do")
    arguments = parser.parse_args()
    # Nothing is to be fetched or installed on the way.
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    folder, size = arguments.folder.resolve(), f"imgsz={arguments.size}"
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    data = draw_all(folder, arguments.size, arguments.pictures, max(arguments.pictures // 10, 1))
    print(f"{arguments.pictures} scenes drawn ({time.monotonic() - begin:.0f} s)")

    where = (f"project={folder}", "exist_ok=True")
    yolo("detect", "train", f"model={narrow_model(folder)}", f"data={data}", size, f"epochs={arguments.epochs}", "batch=16", "nbs=16",
         "optimizer=AdamW", "lr0=0.004", "lrf=0.05", "warmup_epochs=0.5", "mosaic=0", "scale=0.3", "cache=ram", "workers=0", "val=False",
         "plots=False", "amp=False", "device=cpu", "seed=3", *where, "name=train")
    weights = folder / "train" / "weights" / "last.pt"
    yolo("export", f"model={weights}", "format=ascend", size, f"name={arguments.soc}")
    exported = weights.parent / "last_ascend_model"
    yolo("detect", "predict", f"model={exported}", f"source={folder / 'val' / 'images'}", size, "save_txt=True", "save_conf=True", *where,
         "name=predict")
    yolo("detect", "val", f"model={exported}", f"data={data}", size, "plots=False", *where, "name=val")
    print(f"\nThe model: {next(exported.glob('*.om'))}\nPictures with boxes: {folder / 'predict'}")


if __name__ == "__main__":
    main()
