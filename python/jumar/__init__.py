# SPDX-License-Identifier: Apache-2.0
"""Jumar in Python: compile an ONNX model, run it, find objects.

    import jumar

    jumar.compile("yolov8n.onnx", "yolov8n.om")
    outputs = jumar.Session("yolov8n.om").run({"images": array})
    found = jumar.YOLO("yolov8n.om")("street.jpg")
    print(found.boxes, found.scores, [found.names[k] for k in found.labels])
    found.save("out.jpg")

Errors: FileNotFoundError, ValueError (a wrong argument, a damaged file), NotImplementedError (what this version cannot do),
OSError, MemoryError, RuntimeError; the message is the library's. Everything may be used from several threads.
"""
import os
import threading

import numpy as np

from jumar import _jumar

__all__ = ["compile", "Session", "Tensor", "YOLO", "Results", "read_image", "write_image", "__version__"]
__version__ = _jumar.version()


def compile(onnx, om, *, input_shapes=None, batches=None, image_sizes=None, dims=None, out_nodes=None, output_type=None, fp16_inputs=None,
            aipp=None, family=None, labels=None, winograd=True):
    """Makes the model file `om` from an ONNX file: complete, or not at all.

    input_shapes: {"images": (1, 3, 640, 640)} or "images:1,3,640,640", where the model leaves sizes open.
    batches, image_sizes, dims: the sizes of a model of several, such as [1, 4], [(416, 416), (832, 832)] (height, width) or
    [(1, 128), (8, 64)]; one of the three. out_nodes, output_type, fp16_inputs: as in atc. aipp: the text of a preprocessing
    configuration as atc takes it. family: preprocessing for YOLO, labels: class names; both else from the model.
    winograd=False: slower convolutions whose sums are direct."""
    if isinstance(input_shapes, dict):
        input_shapes = ";".join(f"{name}:{','.join(map(str, shape))}" for name, shape in input_shapes.items())
    given = [(kind, gears) for kind, gears in ((1, batches), (2, image_sizes), (3, dims)) if gears is not None]
    if len(given) > 1:
        raise ValueError("only one of batches, image_sizes and dims is possible")
    kind, gears = given[0] if given else (0, None)
    if kind == 1:
        gears = ",".join(map(str, gears))
    elif kind:
        gears = ";".join(",".join(map(str, size)) for size in gears)
    _jumar.compile(onnx, om, {"input_shapes": input_shapes, "gear_kind": kind, "gears": gears, "out_nodes": out_nodes, "output_type": output_type,
                              "fp16_inputs": fp16_inputs, "aipp": aipp, "family": family, "labels": labels, "no_winograd": int(not winograd)})


class Tensor:
    """An input or output: name, dtype (of numpy), shape."""

    def __init__(self, name, dtype, shape):
        self.name, self.dtype, self.shape = name, np.dtype(dtype), shape

    def __repr__(self):
        return f"Tensor({self.name!r}, {self.dtype}, {self.shape})"


class Session:
    """A model file, opened. `threads`: cores that a run uses; 0: all."""

    def __init__(self, path, threads=0):
        self._session = _jumar.session_open(path, threads)
        self.inputs = [Tensor(*t) for t in _jumar.session_tensors(self._session, True)]
        self.outputs = [Tensor(*t) for t in _jumar.session_tensors(self._session, False)]

    def metadata(self, key):
        """The text that the file holds under a key, or None."""
        return _jumar.session_metadata(self._session, key)

    def run(self, feeds):
        """{name: array} -> {name: array}. Arrays must have the type and the shape of the inputs."""
        missing = [t.name for t in self.inputs if t.name not in feeds]
        unknown = [name for name in feeds if name not in [t.name for t in self.inputs]]
        if missing or unknown:
            raise ValueError(f"missing inputs {missing}, unknown inputs {unknown}")
        arrays = [self._check(t, np.ascontiguousarray(feeds[t.name])) for t in self.inputs]
        results = {t.name: np.empty(t.shape, t.dtype) for t in self.outputs}
        _jumar.session_run(self._session, arrays, [results[t.name] for t in self.outputs])
        return results

    @staticmethod
    def _check(tensor, array):
        if array.dtype != tensor.dtype or (array.shape != tuple(tensor.shape) and tensor.shape != ()):
            raise ValueError(f"input '{tensor.name}' is {tensor.dtype} {tensor.shape}, not {array.dtype} {array.shape}")
        return array


def read_image(path):
    """JPEG (turned upright), PNG, BMP, PPM or PGM as an array [height][width][3] of RGB."""
    return np.asarray(_Pixels(*_jumar.image_read(path)))


class _Pixels:
    """Pixels in memory of the library. An array over them holds this object, which holds their owner."""

    def __init__(self, height, width, address, owner):
        self._owner = owner
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (height, width, 3), "data": (address, False)}


def write_image(path, image):
    """Writes an RGB array as .jpg, .png or .ppm, by the ending."""
    _jumar.image_write(path, *_pixels(image))


def _pixels(image):
    array = np.ascontiguousarray(image)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
        raise ValueError(f"a picture is uint8 [height][width][3] in the order RGB, not {array.dtype} {array.shape}")
    return array, array.shape[0], array.shape[1]


class Results:
    """What was found in one picture, best score first.

    boxes [n][4] (x1, y1, x2, y2 in pixels), scores [n], labels [n]; masks [n][height][width] of bool, keypoints
    [n][k][3] (x, y, score) and corners [n][4][2] of turned boxes, None for models of other tasks. names: {label: name}.
    orig_img: the picture."""

    def __init__(self, model, results, image):
        self.names, self.orig_img, self._model, self._results = model.names, image, model, results
        height, width = image.shape[:2]
        items = _jumar.results_list(results, height, width)
        self.boxes = self._floats(items, 0, (4,))
        self.scores = np.array([item[1] for item in items], np.float32)
        self.labels = np.array([item[2] for item in items], np.int32)
        self.masks = np.array([np.frombuffer(item[3], bool).reshape(height, width) for item in items]).reshape(-1, height, width) \
            if model.task == "segment" else None
        self.keypoints = self._floats(items, 4, (-1, 3)) if model.task == "pose" else None
        self.corners = self._floats(items, 5, (13,))[:, :8].reshape(-1, 4, 2) if model.task == "obb" else None

    @staticmethod
    def _floats(items, k, shape):
        if not items:
            return np.zeros((0, *[max(d, 0) for d in shape]), np.float32)
        return np.array([np.frombuffer(item[k], np.float32).reshape(shape) for item in items])

    def __len__(self):
        return len(self.scores)

    def __repr__(self):
        return f"Results({', '.join(f'{self.names.get(int(k), k)} {s:.2f}' for k, s in zip(self.labels, self.scores))})"

    def plot(self):
        """A copy of the picture with everything drawn on it."""
        image = np.array(self.orig_img)
        _jumar.results_draw(self._model._detector, self._results, *_pixels(image))
        return image

    def save(self, path):
        """plot() into a file."""
        write_image(path, self.plot())


class YOLO:
    """A detector of any family that Jumar knows, also with masks, keypoints, turned boxes and classes.

    names: {label: name}, task: "detect", "segment", "pose", "obb" or "classify"."""

    def __init__(self, path, threads=0, family=None):
        self._detector = _jumar.detector_open(path, threads, family)
        self.task, self.head, self.family, names = _jumar.detector_info(self._detector)
        self.names = dict(enumerate(names))
        self._lock = threading.Lock()

    def __call__(self, image, conf=0.25, iou=0.45, classes=None, agnostic=False):
        """`image`: a path, or RGB pixels [height][width][3]. conf, iou: limits; classes: only these labels."""
        if not 0 < conf <= 1 or not 0 < iou <= 1:
            raise ValueError("conf and iou lie above 0 and not above 1")
        image = read_image(image) if isinstance(image, (str, bytes, os.PathLike)) else np.asarray(image)
        wanted = None if classes is None else np.asarray(classes, np.int32).reshape(-1)
        array, height, width = _pixels(image)
        with self._lock:
            found = _jumar.detector_predict(self._detector, array, height, width, conf, iou, int(agnostic), wanted)
        return Results(self, found, array)

    predict = __call__
