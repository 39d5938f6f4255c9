# SPDX-License-Identifier: Apache-2.0
"""python -m ais_bench: runs a model on files or on made-up data and says how long it takes."""
import argparse
import itertools
import os
import subprocess
import sys
import time

import numpy as np

from ais_bench.infer import files, report
from ais_bench.infer.interface import InferSession


def say(text):
    print(f"[INFO] {text}", flush=True)


def switch(text):
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise argparse.ArgumentTypeError(f"'{text}' is neither true nor false")


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def count(text):
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return value


def devices(text):
    numbers = [int(d) for d in text.split(",")]
    if any(not 0 <= d <= 255 for d in numbers):
        raise argparse.ArgumentTypeError(f"'{text}' is not one or more of 0 to 255")
    return numbers


def parser():
    p = argparse.ArgumentParser(prog="ais_bench", description=__doc__)
    p.add_argument("--model", required=True, help="the .om")
    p.add_argument("--input", help=".npy or .bin files or folders of them, a comma between inputs; none: made-up data")
    p.add_argument("--pure_data_type", choices=("zero", "random"), default="zero", help="made-up data")
    p.add_argument("--output", help="folder for outputs and the summary; none: nothing is written")
    p.add_argument("--output_dirname", help="name of the folder inside of it; none: date and time")
    p.add_argument("--outfmt", choices=("NPY", "BIN", "TXT"), default="BIN")
    p.add_argument("--loop", type=positive, default=1, help="runs of each input")
    p.add_argument("--warmup_count", type=count, default=1, help="runs before that do not count")
    p.add_argument("--device", type=devices, default=[0], help="0, or 0,1,...: one process each")
    p.add_argument("--batchsize", type=positive, help="pictures in a run, for the throughput; none: from the model")
    p.add_argument("--output_batchsize_axis", type=count, default=0)
    p.add_argument("--dymBatch", type=positive, help="batch of a model of several")
    p.add_argument("--dymHW", help="height,width of a model of several")
    p.add_argument("--dymDims", help="name:1,3,224,224;... of a model of several")
    p.add_argument("--dymShape", help="name:1,3,224,224;... of a model of ranges")
    p.add_argument("--dymShape_range", help="name:1,3,200~224,200-224;...: each shape in turn; ~ all between, - one or the other")
    p.add_argument("--outputSize", help="bytes for each output of a model of ranges, with commas")
    for name in ("auto_set_dymdims_mode", "auto_set_dymshape_mode"):
        p.add_argument("--" + name, type=switch, nargs="?", const=True, default=False, help="shapes from the .npy files")
    p.add_argument("--debug", type=switch, nargs="?", const=True, default=False, help="inputs and outputs of the model")
    p.add_argument("--display_all_summary", type=switch, nargs="?", const=True, default=False, help="copies as well")
    p.add_argument("--profiler", type=switch, nargs="?", const=True, default=False, help="without effect")
    p.add_argument("--dump", type=switch, nargs="?", const=True, default=False, help="without effect")
    p.add_argument("--acl_json_path", help="for acl.init")
    return p


def dimension(text):
    """Values of "5", "200~224", "200~224~8" (a step) or "200-224"."""
    if "~" in text:
        first, last, *step = (int(n) for n in text.split("~"))
        return list(range(first, last + 1, *step))
    return [int(n) for n in text.split("-")]


def shapes_of_range(text):
    """The texts of --dymShape that --dymShape_range stands for."""
    choices = []
    for part in text.strip(";").split(";"):
        name, _, dims = part.rpartition(":")
        choices.append([f"{name}:{','.join(map(str, shape))}" for shape in itertools.product(*(dimension(d) for d in dims.split(",")))])
    return [";".join(combination) for combination in itertools.product(*choices)]


def shapes_of(session, arrays):
    return ";".join(f"{t.name}:{','.join(map(str, a.shape))}" for t, a in zip(session.get_inputs(), arrays))


def choose(session, args):
    """The size that the flags name."""
    if args.dymBatch:
        session.set_dynamic_batchsize(args.dymBatch)
    elif args.dymHW:
        height, width = args.dymHW.split(",")
        session.set_dynamic_hw(int(width), int(height))
    elif args.dymDims:
        session.set_dynamic_dims(args.dymDims)
    elif args.dymShape:
        session.set_dynamic_shape(args.dymShape)
    if args.outputSize:
        session.set_custom_outsize([int(s) for s in args.outputSize.split(",")])


def made_up(session, args):
    """Arrays where no files are given."""
    random = np.random.default_rng(0)
    arrays = []
    for i, tensor in enumerate(session.get_inputs()):
        size = session.input_bytes(i)
        if args.pure_data_type == "zero":
            arrays.append(np.zeros(size, np.uint8))
        elif tensor.datatype.startswith("float"):
            arrays.append(random.random(size // np.dtype(tensor.datatype).itemsize).astype(tensor.datatype))
        else:
            arrays.append(random.integers(0, 2, size // np.dtype(tensor.datatype).itemsize).astype(tensor.datatype))
    return arrays


def work_of(session, args):
    """Names and arrays of each run, and how many files it takes."""
    automatic = args.auto_set_dymdims_mode or args.auto_set_dymshape_mode
    if not args.input:
        if automatic:
            raise files.InputError("--auto_set_dymdims_mode and --auto_set_dymshape_mode need --input with .npy files")
        return [([["pure_infer_data"]], made_up(session, args))], 1
    inputs = session.get_inputs()
    lists = files.input_lists(args.input, len(inputs))
    return files.group(lists, [None if automatic else session.input_bytes(i) for i in range(len(inputs))])


def batch_of(session, args, outputs):
    if args.batchsize:
        return args.batchsize
    if args.dymBatch:
        return args.dymBatch
    shape = session.get_inputs()[0].shape
    return shape[0] if shape and shape[0] > 0 else (outputs[0].shape[0] if outputs and outputs[0].ndim else 1)


def measure(session, args, folder):
    """All runs; returns the files read and written, and the batch."""
    session.loop = 1
    work, _ = work_of(session, args)
    record, outputs = {}, []
    for k, (names, arrays) in enumerate(work):
        if args.auto_set_dymdims_mode:
            session.set_dynamic_dims(shapes_of(session, arrays))
        elif args.auto_set_dymshape_mode:
            session.set_dynamic_shape(shapes_of(session, arrays))
        if k == 0:
            for _ in range(args.warmup_count):
                session.run(arrays)
            session.reset_sumaryinfo()
        session.loop = args.loop
        outputs = session.run(arrays, out_array=True)
        written = files.save_outputs(outputs, names[0], folder, args.outfmt, args.output_batchsize_axis) if folder else []
        record[str(k)] = {"infiles": names, "outfiles": written}
    return record, batch_of(session, args, outputs)


def place(args):
    """Folder for the outputs, made now; None without --output."""
    if not args.output:
        return None
    folder = os.path.join(args.output, args.output_dirname or time.strftime("%Y_%m_%d-%H_%M_%S"))
    os.makedirs(folder, exist_ok=True)
    return folder


def one(session, args):
    choose(session, args)
    folder = place(args)
    session.reset_sumaryinfo()
    record, batch = measure(session, args, folder)
    found = report.make(session.sumary(), batch)
    report.show(found, batch, args.display_all_summary, say)
    if folder:
        report.write(folder.rstrip("/") + "_summary.json", found, record, vars(args))
        say(f"output path: {folder}")


def on_devices(arguments, args):
    """A process for each device, all at once."""
    stamp = args.output_dirname or time.strftime("%Y_%m_%d-%H_%M_%S")
    running = [subprocess.Popen([sys.executable, "-m", "ais_bench", *arguments, "--device", str(d), "--output_dirname",
                                 f"{stamp}/device{d}"]) for d in args.device]
    return max(process.wait() for process in running)


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    args = parser().parse_args(arguments)
    if len(args.device) > 1:
        return on_devices(arguments, args)
    for name in ("profiler", "dump"):
        if getattr(args, name):
            print(f"[WARNING] --{name} has no effect; `jumar profile` shows the time of each layer", flush=True)
    try:
        session = InferSession(args.device[0], args.model, args.acl_json_path, args.debug)
        try:
            for shape in shapes_of_range(args.dymShape_range) if args.dymShape_range else [args.dymShape]:
                args.dymShape = shape
                if args.dymShape_range:
                    say(f"dymShape: {shape}")
                one(session, args)
        finally:
            session.finalize()
    except (ValueError, RuntimeError, OSError) as error:
        print(f"[ERROR] {error}", flush=True)
        return 1
    return 0
