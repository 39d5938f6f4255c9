# SPDX-License-Identifier: Apache-2.0
"""Model files made ready for a comparison, and the input that every system gets.

A model is named FILE.onnx or FILE.onnx@N, which is FILE with batch N.
"""
import os
import sys

import numpy as np
import onnx
import onnx.numpy_helper

import sample

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "tests/tools"))
import boxes  # noqa: E402

# Detectors by the start of their file name: preprocessing family, decoder.
DETECTORS = {"yolov5": ("yolo", boxes.decode_yolov5), "yolov8": ("yolo", boxes.decode_yolov8),
             "yolo11": ("yolo", boxes.decode_yolov8), "scenes": ("yolo", boxes.decode_yolov8),
             "yolox": ("yolox", boxes.decode_yolox), "nanodet": ("nanodet", boxes.decode_nanodet),
             "fastestdet": ("fastestdet", boxes.decode_fastestdet)}


def parse(text):
    """File, batch and the name for tables of a model argument."""
    path, _, batch = text.partition("@")
    batch = int(batch or 1)
    name = os.path.splitext(os.path.basename(path))[0]
    return path, batch, name + (f" x{batch}" if batch > 1 else "")


def detector(name):
    """Family and decoder of the model of that name, or None."""
    return next((DETECTORS[d] for d in DETECTORS if name.startswith(d)), None)


def prepare(path, batch, out):
    """Writes the model that all systems get: constants are not inputs (onnxruntime would not optimise them), batch as asked."""
    model = onnx.load(path)
    constants = {t.name for t in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in constants]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    if batch > 1:
        set_batch(model.graph, batch)
    onnx.save(model, out)


def set_batch(graph, batch):
    """Batch 1 becomes batch N: in inputs and outputs, and in the shape of every Reshape that begins with 1. Guesses: whoever
    calls must compare outputs."""
    for value in [*graph.input, *graph.output]:
        value.type.tensor_type.shape.dim[0].dim_value = batch
    del graph.value_info[:]
    constant = {t.name: t for t in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            constant[node.output[0]] = next((a.t for a in node.attribute if a.name == "value"), None)
    for node in graph.node:
        tensor = constant.get(node.input[1]) if node.op_type == "Reshape" else None
        shape = onnx.numpy_helper.to_array(tensor).copy() if tensor else []
        if len(shape) and shape[0] == 1:
            shape[0] = batch
            node.input[1] += f"_batch{batch}"
            if node.input[1] not in constant:
                constant[node.input[1]] = onnx.numpy_helper.from_array(shape, node.input[1])
                graph.initializer.append(constant[node.input[1]])


def check_batch(path, prepared, inputs):
    """Raises ValueError unless the model with batch N does with each image what the model does with it alone."""
    import onnxruntime
    one, many = (onnxruntime.InferenceSession(p, providers=["CPUExecutionProvider"]) for p in (path, prepared))
    names = [i.name for i in many.get_inputs()]
    arrays = sample.read_arrays(inputs)
    together = many.run(None, dict(zip(names, arrays)))
    for i in range(arrays[0].shape[0]):
        alone = one.run(None, {n: a[i:i + 1] for n, a in zip(names, arrays)})
        if any(a.shape != t[i:i + 1].shape or np.abs(a - t[i:i + 1]).max() > 1e-3 * np.abs(a).max()
               for a, t in zip(alone, together)):
            raise ValueError("the model is not one that runs each image of a batch for itself")


def shapes(path):
    """Shape of each input of a prepared model; dimensions that it leaves open are 1."""
    return [[d.dim_value or 1 for d in i.type.tensor_type.shape.dim]
            for i in onnx.load(path, load_external_data=False).graph.input]


def output_names(path):
    return [o.name for o in onnx.load(path, load_external_data=False).graph.output]


def make_inputs(path, name, picture, out):
    """A picture as a detector of that family sees it, each image of a batch shifted by some pixels; else noise in [0, 1)."""
    rng, arrays, known = np.random.default_rng(7), [], detector(name)
    for shape in shapes(path):
        x = rng.random(shape, dtype=np.float32)
        if known and picture and len(shape) == 4 and shape[1] == 3:
            image = boxes.photo_tensor(picture, shape[2], known[0])[0]
            x = np.stack([np.roll(image, 16 * i, 2) for i in range(shape[0])])
        arrays.append(x)
    np.savez(out, *arrays)
