# SPDX-License-Identifier: Apache-2.0
"""On PYTHONPATH: torchvision with the one operator that Ultralytics uses, where its own library does not load.

The torchvision of PyPI is built for a torch with CUDA. Beside a torch for CPUs alone its library is not to be loaded, and
its import fails for want of `torchvision::nms`. Here that operator is written with torch. A torchvision that loads is left
as it is.
"""
import importlib.util
import pathlib


def nms(boxes, scores, iou_threshold):
    """Indices of the boxes (x1, y1, x2, y2) that stay, the best score first."""
    import torch

    order, kept = scores.argsort(descending=True, stable=True), []
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(best)
        sides = torch.minimum(boxes[best, 2:], boxes[rest, 2:]) - torch.maximum(boxes[best, :2], boxes[rest, :2])
        common = sides.clamp(min=0).prod(1)
        order = rest[common / (area[best] + area[rest] - common) <= iou_threshold]
    return torch.stack(kept) if kept else torch.empty(0, dtype=torch.int64)


def install(folder):
    import torch

    for path in pathlib.Path(folder).glob("_C*.so"):
        try:
            torch.ops.load_library(path)
            return
        except OSError:  # a library of CUDA is missing
            pass
    global library  # an operator lives as long as its library
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):  # the import describes both
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.impl("nms", nms, "CPU")
    import torchvision
    torchvision.ops.boxes._assert_has_ops = lambda: None


found = importlib.util.find_spec("torchvision")
if found and importlib.util.find_spec("torch"):
    install(found.submodule_search_locations[0])
