# SPDX-License-Identifier: Apache-2.0
"""What is right: the model in float64, the distance of a system's outputs from it, and the boxes that both find."""
import numpy as np

import models
import sample

# More boxes than this before NMS (nets with random weights find tens of thousands) only cost time.
MOST_BOXES = 1000


def float64(model, inputs, out):
    """Writes the model's outputs computed by PyTorch in float64. Raises ImportError without PyTorch."""
    import torch

    import onnx_torch
    module = onnx_torch.load(model).double()
    with torch.inference_mode():
        outputs = module(*[torch.from_numpy(x).double() for x in sample.read_arrays(inputs)])
    np.savez(out, *[y.numpy() for y in outputs])


def error(outputs, reference):
    """Largest error of an element, as a share of the largest element of its output; infinite when shapes differ."""
    if len(outputs) != len(reference) or any(y.size != r.size for y, r in zip(outputs, reference)):
        return float("inf")
    worst = 0.0
    for y, r in zip(outputs, reference):
        distance = np.abs(y.reshape(r.shape).astype(np.float64) - r).max()
        worst = max(worst, float(distance / (np.abs(r).max() or 1)) if np.isfinite(distance) else float("inf"))
    return worst


def find_boxes(decode, names, outputs, size, image):
    rows = decode({name: y[image:image + 1] for name, y in zip(names, outputs)}, size)
    rows = rows[np.argsort(-rows[:, 4], kind="stable")[:MOST_BOXES]]
    return models.boxes.nms(rows)


def box_agreement(decode, names, outputs, reference, size):
    """Share of boxes that have a partner on the other side: same class, IoU of at least 0.99. And the reference's boxes."""
    matched = total = found = 0
    outputs = [y.reshape(r.shape) for y, r in zip(outputs, reference)]
    for image in range(reference[0].shape[0]):
        mine, right = (find_boxes(decode, names, o, size, image) for o in (outputs, reference))
        found += len(right)
        for a, b in (mine, right), (right, mine):
            total += len(a)
            for box in a:
                mates = b[b[:, 5] == box[5]]
                matched += bool(len(mates) and (models.boxes.iou(box, mates) >= 0.99).any())
    return (matched / total if total else None), found
