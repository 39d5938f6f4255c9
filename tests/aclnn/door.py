# SPDX-License-Identifier: Apache-2.0
"""Two-phase operators through ctypes: tensors from numpy arrays in any type and layout, calls of any line of the table."""
import ctypes
import os

import numpy as np

LIBRARY = ctypes.CDLL(os.path.join(os.environ["JUMAR_BUILD"], "src", "libjumar.so"))
POINTER = ctypes.c_void_p
# name: number of aclDataType, numpy type of the storage
DTYPES = {"f32": (0, np.float32), "f16": (1, np.float16), "i8": (2, np.int8), "i32": (3, np.int32), "u8": (4, np.uint8),
          "i16": (6, np.int16), "u16": (7, np.uint16), "u32": (8, np.uint32), "i64": (9, np.int64), "u64": (10, np.uint64),
          "f64": (11, np.float64), "bool": (12, np.bool_), "bf16": (27, np.uint16), "c64": (16, np.complex64),
          "c128": (17, np.complex128)}
CTYPES = {"i8": ctypes.c_int8, "i32": ctypes.c_int32, "i64": ctypes.c_int64, "u64": ctypes.c_uint64, "bool": ctypes.c_bool,
          "f32": ctypes.c_float, "f64": ctypes.c_double, "dtype": ctypes.c_int}
LAYOUTS = ("contiguous", "transposed", "sliced", "broadcast")


def function(name, result=None):
    """An exported function; it returns int unless told otherwise once."""
    found = getattr(LIBRARY, name)
    if result:
        found.restype = result
    return found


for creator in ("Tensor", "Scalar", "IntArray", "FloatArray", "BoolArray", "TensorList", "ScalarList"):
    function("aclCreate" + creator, POINTER)
function("aclGetRecentErrMsg", ctypes.c_char_p)


def encode(values, dtype):
    """float64, int64 or bool values as the storage of a type."""
    if dtype == "bf16":
        bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return np.asarray(values).astype(DTYPES[dtype][1])


def decode(storage, dtype):
    """What the storage holds, as float64, int64, bool or complex128."""
    if dtype == "bf16":
        return (storage.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype in ("f16", "f32", "f64"):
        return storage.astype(np.float64)
    if dtype in ("c64", "c128"):
        return storage.astype(np.complex128)
    return storage.copy() if dtype == "bool" else storage.astype(np.int64)


def category(dtype):
    return 1 if dtype == "bool" else 4 if dtype in ("c64", "c128") else 3 if dtype in ("f16", "bf16", "f32", "f64") else 2


def int64_array(values):
    return (ctypes.c_int64 * max(len(values), 1))(*[int(v) for v in values])


class Tensor:
    """A view of its own storage. Bytes between the elements are 0xA5 and must stay so."""

    def __init__(self, values, dtype, layout="contiguous"):
        values = np.asarray(values)
        self.dtype, self.shape = dtype, values.shape
        raw = encode(values, dtype)
        rank, offset, strides = raw.ndim, 0, []
        if layout == "broadcast" and rank and raw.size:
            axis = int(np.argmax(raw.shape))
            raw = np.broadcast_to(np.take(raw, [0], axis), raw.shape)
        dims = [1 if layout == "broadcast" and rank and raw.size and k == axis else d for k, d in enumerate(raw.shape)]
        step, offset = (2, 3) if layout == "sliced" else (1, 0)
        strides = [0] * rank
        for k in (range(rank) if layout == "transposed" else reversed(range(rank))):
            strides[k] = step
            step *= dims[k]
        if layout == "broadcast" and rank and raw.size:
            strides[axis] = 0
        count = offset + sum((d - 1) * s for d, s in zip(raw.shape, strides)) + 1 if raw.size else offset + 1
        self.storage = np.frombuffer(bytearray(b"\xa5" * (count * raw.dtype.itemsize)), raw.dtype)
        item = raw.dtype.itemsize
        self.view = np.lib.stride_tricks.as_strided(self.storage[offset:], raw.shape, [s * item for s in strides])
        self.view[...] = raw
        self.strides, self.offset = strides, offset
        self.handle = self.describe(self.shape, strides, offset)

    def describe(self, shape, strides, offset, number=None):
        number = DTYPES[self.dtype][0] if number is None else number
        return function("aclCreateTensor")(int64_array(shape), ctypes.c_uint64(len(shape)), number, int64_array(strides),
                                           ctypes.c_int64(offset), 2, int64_array([self.storage.size]), ctypes.c_uint64(1),
                                           POINTER(self.storage.ctypes.data))

    def values(self):
        return decode(np.array(self.view, order="C"), self.dtype)

    def gaps(self):
        """Bytes that are not elements."""
        mask = np.ones(self.storage.size, bool)
        if self.view.size:
            itemsize = mask.itemsize
            np.lib.stride_tricks.as_strided(mask[self.offset:], self.shape, [s * itemsize for s in self.strides])[...] = False
        return self.storage[mask].tobytes()

    def destroy(self):
        function("aclDestroyTensor")(POINTER(self.handle))


def scalar(value, dtype):
    storage = encode(np.asarray([value]), dtype)
    return function("aclCreateScalar")(POINTER(storage.ctypes.data), DTYPES[dtype][0])


def int_array(values):
    return function("aclCreateIntArray")(int64_array(values), ctypes.c_uint64(len(values)))


def bool_array(values):
    made = (ctypes.c_bool * max(len(values), 1))(*values)
    return function("aclCreateBoolArray")(made, ctypes.c_uint64(len(values)))


def list_of(kind, items):
    """The argument of an aclTensorList ("Tensor") or aclScalarList ("Scalar") of handles, NULL among them."""
    handles = (POINTER * max(len(items), 1))(*items)
    return POINTER(function(f"aclCreate{kind}List")(handles, ctypes.c_uint64(len(items))))


def plain(param, value):
    """The argument of a parameter that holds neither tensors nor scalars: numbers, lists of them, texts, names of types."""
    if param.kind == "INTS":
        return POINTER(int_array(value))
    if param.kind == "BOOLS":
        return POINTER(bool_array(value))
    if param.kind == "STRING":
        return ctypes.c_char_p(value.encode())
    return CTYPES[param.type](DTYPES[value][0] if param.kind == "DTYPE" else value)


def message():
    text = function("aclGetRecentErrMsg")()
    return text.decode() if text else None


def phase_one(name, arguments):
    """Code, workspace size, executor. Arguments are ctypes values."""
    size, executor = ctypes.c_uint64(), POINTER()
    code = function(name + "GetWorkspaceSize")(*arguments, ctypes.byref(size), ctypes.byref(executor))
    return code, size.value, executor


def run(name, arguments):
    """Both phases and a synchronise; the code of the first that fails."""
    code, size, executor = phase_one(name, arguments)
    if code:
        return code
    workspace = np.full(size + 64, 0xA5, np.uint8)
    code = function(name)(POINTER(workspace.ctypes.data), ctypes.c_uint64(size), executor, None)
    return code or function("aclrtSynchronizeStream")(None)
