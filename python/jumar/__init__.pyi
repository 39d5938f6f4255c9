# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

_Path = Union[str, bytes, "PathLike[str]"]
__all__ = ["compile", "Session", "Tensor", "YOLO", "Results", "read_image", "write_image", "__version__"]
__version__: str

def compile(onnx: _Path, om: _Path, *, input_shapes: Union[None, str, Mapping[str, Sequence[int]]] = ...,
            batches: Optional[Sequence[int]] = ..., image_sizes: Optional[Sequence[Tuple[int, int]]] = ...,
            dims: Optional[Sequence[Sequence[int]]] = ..., out_nodes: Optional[str] = ..., output_type: Optional[str] = ...,
            fp16_inputs: Optional[str] = ..., aipp: Optional[str] = ..., family: Optional[str] = ...,
            labels: Optional[Sequence[str]] = ..., winograd: bool = ...) -> None: ...
def read_image(path: _Path) -> np.ndarray: ...
def write_image(path: _Path, image: np.ndarray) -> None: ...

class Tensor:
    name: str
    dtype: np.dtype
    shape: Tuple[int, ...]
    def __init__(self, name: str, dtype: Any, shape: Tuple[int, ...]) -> None: ...

class Session:
    inputs: List[Tensor]
    outputs: List[Tensor]
    def __init__(self, path: _Path, threads: int = ...) -> None: ...
    def metadata(self, key: str) -> Optional[str]: ...
    def run(self, feeds: Mapping[str, np.ndarray]) -> Dict[str, np.ndarray]: ...

class Results:
    boxes: np.ndarray
    scores: np.ndarray
    labels: np.ndarray
    masks: Optional[np.ndarray]
    keypoints: Optional[np.ndarray]
    corners: Optional[np.ndarray]
    names: Dict[int, str]
    orig_img: np.ndarray
    def __init__(self, model: "YOLO", results: Any, image: np.ndarray) -> None: ...
    def __len__(self) -> int: ...
    def plot(self) -> np.ndarray: ...
    def save(self, path: _Path) -> None: ...

class YOLO:
    names: Dict[int, str]
    task: str
    head: str
    family: str
    def __init__(self, path: _Path, threads: int = ..., family: Optional[str] = ...) -> None: ...
    def __call__(self, image: Union[_Path, np.ndarray], conf: float = ..., iou: float = ..., classes: Optional[Sequence[int]] = ...,
                 agnostic: bool = ...) -> Results: ...
    def predict(self, image: Union[_Path, np.ndarray], conf: float = ..., iou: float = ..., classes: Optional[Sequence[int]] = ...,
                agnostic: bool = ...) -> Results: ...
