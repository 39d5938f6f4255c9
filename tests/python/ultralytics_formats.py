# SPDX-License-Identifier: Apache-2.0
"""A program of test_ultralytics.py, in the environment that has Ultralytics and the installed wheel.

  ultralytics_formats.py randomise NAME.yaml FILE.pt SIZE    a model with seeded weights
  ultralytics_formats.py compare FILE.pt SIZE PICTURES [DATA] what FILE_ascend_model and a fresh export to ONNX find in the
                                                             pictures, side by side; with DATA, how both measure. One line JSON
"""
import json
import pathlib
import sys

import ultralytics

SEED = 5


def randomise(config, path, size):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "model"))
    import zoo
    zoo.SEED = SEED
    model = ultralytics.YOLO(config)
    zoo.randomise(model.model, zoo.picture((1, 3, size, size)))
    model.save(path)


def overlaps(a, b):
    """IoU of row i of a with row i of b; of turned boxes as Ultralytics measures it."""
    import torch
    if a.shape[1] == 5:
        from ultralytics.utils.metrics import probiou
        return probiou(a, b).flatten()
    sides = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(min=0)
    area = [(x[:, 2] - x[:, 0]) * (x[:, 3] - x[:, 1]) for x in (a, b)]
    return sides.prod(1) / (area[0] + area[1] - sides.prod(1))


def compare_boxes(ours, theirs, found):
    """Boxes are paired by place and confidence: a crowded picture has some that differ in confidence only."""
    of = [(r.obb if r.obb is not None else r.boxes) for r in (ours, theirs)]
    rows = [b.xywhr if ours.obb is not None else b.xyxy for b in of]
    found["boxes"].append([len(b) for b in of])
    if not all(map(len, of)):
        return
    distance = (rows[1][:, None, :4] - rows[0][None, :, :4]).abs().amax(2) + 1e3 * (of[1].conf[:, None] - of[0].conf[None]).abs()
    partner = (distance + 1e6 * (of[1].cls[:, None] != of[0].cls[None])).argmin(1)
    iou = overlaps(rows[1], rows[0][partner])
    good = (iou >= 0.99) & (of[1].cls == of[0].cls[partner])
    found["unpaired"] += int((~good).sum())
    found["twice"] += len(partner) - len(set(partner.tolist()))
    error = {"confidence": (of[1].conf - of[0].conf[partner]).abs()[good]}
    if theirs.keypoints is not None:
        error["keypoints"] = (theirs.keypoints.xy - ours.keypoints.xy[partner]).abs().flatten(1).amax(1)[good]
    if theirs.masks is not None:
        a, b = theirs.masks.data.bool().flatten(1), ours.masks.data[partner].bool().flatten(1)
        error["masks"] = ((a ^ b).sum(1) / (a | b).sum(1).clamp(min=1))[good]
    for key, value in error.items():
        found[key] = max(found.get(key, 0), float(value.max()) if len(value) else 0)


def compare(path, size, pictures, data=None):
    path = pathlib.Path(path)
    exported = path.with_name(path.stem + "_ascend_model")
    import jumar
    om = next(exported.glob("*.om"))
    detector = jumar.YOLO(om)
    # The other export leaves an ONNX file of this name behind, so this one comes second.
    onnx = ultralytics.YOLO(path).export(format="onnx", imgsz=size)
    ours, theirs = ultralytics.YOLO(str(exported), task=detector.task), ultralytics.YOLO(onnx, task=detector.task)
    found = {"task": detector.task, "boxes": [], "unpaired": 0, "twice": 0, "jumar": 0, "names": len(detector.names), "ultralytics": ultralytics.__version__}
    for picture in sorted(pathlib.Path(pictures).iterdir()):
        a, b = (m.predict(str(picture), imgsz=size, conf=0.25, iou=0.45, verbose=False)[0] for m in (ours, theirs))
        if b.probs is None:
            compare_boxes(a, b, found)
        else:
            found["boxes"].append([1, 1])
            found["unpaired"] += int(a.probs.top1 != b.probs.top1)
            found["probabilities"] = max(found.get("probabilities", 0), float((a.probs.data - b.probs.data).abs().max()))
        found["jumar"] += len(detector(picture))
    found["formats"] = [m.predictor.model.format for m in (ours, theirs)]
    if data:
        measured = [m.val(data=data, imgsz=size, plots=False, verbose=False).box for m in (ours, theirs)]
        found["map50"], found["map"] = [float(m.map50) for m in measured], [float(m.map) for m in measured]
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1] == "randomise":
        randomise(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        compare(sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
