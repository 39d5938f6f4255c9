# SPDX-License-Identifier: Apache-2.0
"""Every task in numpy, in float64 and independent of src/vision: what the rows of a head mean in a picture.

A row is x1, y1, x2, y2, score, class, extra values..., in input pixels; of an oriented box the corners before it is turned
by its last value.
"""
import numpy as np
import onnx
from onnx import helper, numpy_helper


class Placement:
    """Where a picture lies in the input: letterbox in the centre ("yolo"), stretched, or in the top left corner."""

    def __init__(self, picture, size, fit="centre"):
        self.picture, self.size = picture, size  # both (width, height)
        ratio = min(size[0] / picture[0], size[1] / picture[1])
        inner = [max(round(p * ratio), 1) for p in picture] if fit != "stretch" else list(size)
        self.scale = np.array([inner[0] / picture[0], inner[1] / picture[1]])
        self.offset = np.array([(size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2]) if fit == "centre" else np.zeros(2)

    def back(self, points):
        return (points - self.offset) / self.scale


def rows_v8(out, extra=0):
    """[1, 4+C+extra, N]: centre, size, classes, extra values."""
    v = out[0].astype(np.float64).T
    classes = v[:, 4:v.shape[1] - extra]
    half = v[:, 2:4] / 2
    return np.concatenate([v[:, :2] - half, v[:, :2] + half, classes.max(1)[:, None], classes.argmax(1)[:, None],
                           v[:, v.shape[1] - extra:]], 1)


def rows_v5(out, extra=0):
    """[1, N, 5+C+extra]: centre, size, objectness, classes, extra values."""
    v = out[0].astype(np.float64)
    classes = v[:, 5:v.shape[1] - extra]
    half = v[:, 2:4] / 2
    return np.concatenate([v[:, :2] - half, v[:, :2] + half, (v[:, 4] * classes.max(1))[:, None],
                           classes.argmax(1)[:, None], v[:, v.shape[1] - extra:]], 1)


def rows_end_to_end(out, oriented=False):
    """[1, K, 6+extra]: corners (of oriented boxes: centre and size), score, class, extra values."""
    v = out[0].astype(np.float64).copy()
    if oriented:
        centre, half = v[:, :2].copy(), v[:, 2:4] / 2
        v[:, :2], v[:, 2:4] = centre - half, centre + half
    return v


def rows_rtdetr(out, size):
    """[1, K, 6] or [1, K, 4+C]: centre and size as parts of the input, then score and class, or classes."""
    v = out[0].astype(np.float64)
    centre, half = v[:, :2] * size, v[:, 2:4] * size / 2
    best = v[:, 4:6] if v.shape[1] == 6 else np.stack([v[:, 4:].max(1), v[:, 4:].argmax(1)], 1)
    return np.concatenate([centre - half, centre + half, best], 1)


def corners(row):
    centre, half = (row[:2] + row[2:4]) / 2, (row[2:4] - row[:2]) / 2
    c, s = np.cos(row[-1]), np.sin(row[-1])
    turn = np.array([[c, -s], [s, c]])
    return np.array([turn @ (half * side) + centre for side in ([-1, -1], [1, -1], [1, 1], [-1, 1])])


def inside(polygon, point):
    edge = np.roll(polygon, -1, 0) - polygon
    to = point - polygon
    return (edge[:, 0] * to[:, 1] - edge[:, 1] * to[:, 0] >= -1e-9).all()


def polygon_area(p):
    x, y = p.T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def oriented_iou(a, b):
    """The intersection is the hull of corners inside the other box and of crossings of edges: not clipping."""
    p, q = corners(a), corners(b)
    points = [v for v in p if inside(q, v)] + [v for v in q if inside(p, v)]
    for i in range(4):
        d = p[(i + 1) % 4] - p[i]
        for k in range(4):
            e = q[(k + 1) % 4] - q[k]
            cross = d[0] * e[1] - d[1] * e[0]
            if abs(cross) < 1e-12:
                continue
            w = q[k] - p[i]
            t, u = (w[0] * e[1] - w[1] * e[0]) / cross, (w[0] * d[1] - w[1] * d[0]) / cross
            if 0 <= t <= 1 and 0 <= u <= 1:
                points.append(p[i] + t * d)
    area = [polygon_area(p), polygon_area(q)]
    if len(points) < 3:
        return 0.0
    points = np.array(points)
    middle = points - points.mean(0)
    inter = polygon_area(points[np.argsort(np.arctan2(middle[:, 1], middle[:, 0]))])
    return inter / (sum(area) - inter)


def upright_iou(a, b):
    w, h = np.minimum(a[2:4], b[2:4]) - np.maximum(a[:2], b[:2])
    inter = max(w, 0) * max(h, 0)
    return inter / (np.prod(a[2:4] - a[:2]) + np.prod(b[2:4] - b[:2]) - inter)


def suppress(rows, confidence=0.25, overlap=0.45, oriented=False, limit=300):
    iou = oriented_iou if oriented else upright_iou
    rows = rows[rows[:, 4] >= confidence]
    kept = []
    for row in rows[np.argsort(-rows[:, 4], kind="stable")]:
        if len(kept) < limit and all(k[5] != row[5] or iou(k, row) <= overlap for k in kept):
            kept.append(row)
    return kept


def bilinear(plane, x, y):
    """Samples at every (y, x), edges repeated."""
    x, y = np.clip(x, 0, plane.shape[1] - 1), np.clip(y, 0, plane.shape[0] - 1)
    left, top = x.astype(int), y.astype(int)
    right, bottom = np.minimum(left + 1, plane.shape[1] - 1), np.minimum(top + 1, plane.shape[0] - 1)
    fx, fy = (x - left)[None], (y - top)[:, None]
    return ((plane[top][:, left] * (1 - fx) + plane[top][:, right] * fx) * (1 - fy)
            + (plane[bottom][:, left] * (1 - fx) + plane[bottom][:, right] * fx) * fy)


def mask(row, box, prototypes, placement):
    """Logits in the picture; -inf outside the box."""
    plane = np.tensordot(row[6:], prototypes[0].astype(np.float64), 1)
    x, y = np.arange(placement.picture[0]) + 0.5, np.arange(placement.picture[1]) + 0.5
    logits = bilinear(plane, (x * placement.scale[0] + placement.offset[0]) * plane.shape[1] / placement.size[0] - 0.5,
                      (y * placement.scale[1] + placement.offset[1]) * plane.shape[0] / placement.size[1] - 0.5)
    logits[:, (x < box[0]) | (x >= box[2])] = -np.inf
    logits[(y < box[1]) | (y >= box[3])] = -np.inf
    return logits


def objects(task, rows, placement, prototypes=None, keypoint_values=3, suppressed=False):
    """What `jumar detect --json` should say: a list of dictionaries, best score first."""
    found = []
    for row in suppress(rows, overlap=1.0 if suppressed else 0.45, oriented=task == "obb"):
        width, height = placement.picture
        item = {"class": int(row[5]), "score": row[4]}
        if task == "obb":
            item["corners"] = placement.back(corners(row))
            centre = item["corners"].mean(0)
            if not (0 <= centre[0] <= width and 0 <= centre[1] <= height):
                continue
            box = np.concatenate([item["corners"].min(0), item["corners"].max(0)])
        else:
            box = placement.back(row[:4].reshape(2, 2)).ravel()
        box = np.clip(box, 0, [width, height, width, height])
        if task != "obb" and not (box[2] > box[0] and box[3] > box[1]):
            continue
        item["box"] = box
        if task == "segment":
            item["logits"] = mask(row, box, prototypes, placement)
        if task == "pose":
            points = row[6:].reshape(-1, keypoint_values)
            xy = placement.back(points[:, :2])
            score = points[:, 2:] if keypoint_values == 3 else np.ones((len(points), 1))
            item["keypoints"] = np.concatenate([xy, score], 1)
        found.append(item)
    return found


def mask_of(json_mask):
    """COCO's run lengths as an array of booleans."""
    height, width = json_mask["size"]
    assert sum(json_mask["counts"]) == height * width
    flat = np.repeat(np.arange(len(json_mask["counts"])) % 2, json_mask["counts"])
    return flat.reshape(width, height).T.astype(bool)


def distance(got, want):
    """How far an object of the JSON is from an expected one: 0 is equal, 1 is a pixel, a thousandth of a score, a thousandth
    of the mask's pixels. Infinite for another class."""
    if got["class"] != want["class"]:
        return np.inf
    parts = [abs(got["score"] - want["score"]) * 1e3, np.abs(np.array(got["box"]) - want["box"]).max()]
    if "corners" in want:
        parts.append(np.abs(np.array(got["corners"]).reshape(4, 2) - want["corners"]).max())
    if "keypoints" in want:
        off = np.abs(np.array(got["keypoints"]) - want["keypoints"])
        parts += [off[:, :2].max(), off[:, 2].max() * 1e3]
    if "logits" in want:
        clear = np.abs(want["logits"]) > 1e-3 * np.abs(want["logits"][np.isfinite(want["logits"])]).max(initial=1)
        parts.append((mask_of(got["mask"]) != (want["logits"] > 0))[clear].mean() * 1e3)
    return max(parts)


def compare(got, want, most=0.06, confidence=0.25):
    """Each object has its partner; those next to the threshold may lack one. Returns the largest distance."""
    worst = 0.0
    pairs = np.array([[distance(g, w) for w in want] for g in got]).reshape(len(got), len(want))
    for axis, items in ((1, got), (0, want)):
        for i, item in enumerate(items):
            if item["score"] < confidence + 0.002:
                continue
            nearest = np.take(pairs, i, 1 - axis).min(initial=np.inf)
            assert nearest <= most, f"no partner for class {item['class']} {item['score']:.4f} {item['box']}: {nearest}"
            worst = max(worst, nearest)
    return worst


def write_model(path, size, outputs, names, **metadata):
    """An export of the look of Ultralytics whose outputs are constants (plus the mean of the picture times 0)."""
    nodes = [helper.make_node("GlobalAveragePool", ["images"], ["mean"]), helper.make_node("Mul", ["mean", "zero"], ["none"]),
             helper.make_node("ReduceSum", ["none", "axes"], ["nought"], keepdims=0)]
    constants = [numpy_helper.from_array(np.zeros(1, np.float32), "zero"),
                 numpy_helper.from_array(np.array([0, 1, 2, 3]), "axes")]
    values = []
    for i, array in enumerate(outputs):
        constants.append(numpy_helper.from_array(array.astype(np.float32), f"value{i}"))
        nodes.append(helper.make_node("Add", [f"value{i}", "nought"], [f"output{i}"]))
        values.append(helper.make_tensor_value_info(f"output{i}", onnx.TensorProto.FLOAT, array.shape))
    picture = helper.make_tensor_value_info("images", onnx.TensorProto.FLOAT, [1, 3, size[1], size[0]])
    graph = helper.make_graph(nodes, "task", [picture], values, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"stride": "32", "names": str(names), "imgsz": str([size[1], size[0]]), **metadata})
    onnx.save(model, path)
