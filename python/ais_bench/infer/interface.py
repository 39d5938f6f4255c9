# SPDX-License-Identifier: Apache-2.0
"""InferSession: one .om, arrays in, arrays out.

    session = InferSession(0, "model.om")
    outputs = session.infer([image])                      # the size that the model has
    outputs = session.infer([images], mode="dymbatch")    # one of its batches, from the array's shape

A session belongs to the thread that made it and serves one call at a time. Errors of the library are RuntimeError with
its message; wrong arguments are TypeError and ValueError.
"""
import math
import time

import acl
import numpy as np

__all__ = ["InferSession", "Tensor", "TensorDesc", "Summary"]

DTYPES = {0: "float32", 1: "float16", 2: "int8", 3: "int32", 4: "uint8", 6: "int16", 7: "uint16", 8: "uint32", 9: "int64",
          10: "uint64", 11: "float64", 12: "bool"}
FORMATS = {0: "NCHW", 1: "NHWC", 2: "ND"}
CHOICE = "ascend_mbatch_shape_data"  # the input that carries the choice of a model of several sizes
MODES = ("static", "fixed", "dymbatch", "dymhw", "dymdims", "dymshape")


def check(code, what):
    """Raises where the library returned an error."""
    if code:
        raise RuntimeError(f"{what} failed with {code}: {acl.get_recent_err_msg()}")


class TensorDesc:
    """An input or output: name, shape, datatype, format, size and realsize in bytes (size is that of the largest size)."""

    def __init__(self, name, shape, datatype, layout, size):
        self.name, self.shape, self.datatype, self.format, self.size, self.realsize = name, shape, datatype, layout, size, size

    def __repr__(self):
        return f"TensorDesc({self.name!r}, {self.shape}, {self.datatype}, {self.format}, {self.size})"


class Tensor:
    """An array in the device's memory, which is the host's."""

    def __init__(self, array):
        self.array = np.ascontiguousarray(array)

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)

    def to_host(self):
        """Nothing to do: the memory is the host's."""

    def to_device(self, device_id=0):
        """Nothing to do: the memory is the host's."""

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype=dtype) if copy or dtype else self.array


class Summary:
    """Times of the runs since the last reset, in milliseconds."""

    def __init__(self):
        self.exec_time_list, self.h2d_time_list, self.d2h_time_list = [], [], []


def _take_device(device, config):
    code = acl.init(config) if config else acl.init()
    if code != 100002:  # initialised before
        check(code, "acl.init")
    check(acl.rt.set_device(device), "acl.rt.set_device")


def _array(feed):
    """A contiguous array of what a program feeds: numpy, torch, Tensor or a number."""
    if isinstance(feed, Tensor):
        return feed.array
    if hasattr(feed, "detach"):
        feed = feed.detach().cpu().numpy()
    if isinstance(feed, (int, float, list, tuple)) or isinstance(feed, np.generic):
        feed = np.array(feed)
    if not isinstance(feed, np.ndarray):
        raise TypeError(f"a feed is a numpy array, a torch tensor or a Tensor, not {type(feed).__name__}")
    return np.ascontiguousarray(feed)


class InferSession:
    """See the module. `device_id`: number of the device; `model_path`: the .om; `acl_json_path`: for acl.init; `debug`
    prints the model's inputs and outputs; `loop`: runs for each infer(), of which the last one's outputs are returned."""

    def __init__(self, device_id, model_path, acl_json_path=None, debug=False, loop=1):
        if loop < 1:
            raise ValueError(f"loop {loop} is less than 1")
        self.device_id, self.model_path, self.loop, self.debug = device_id, str(model_path), loop, debug
        self._open = False
        _take_device(device_id, acl_json_path)
        try:
            self._load()
        except BaseException:
            acl.rt.reset_device(device_id)
            raise
        self._open = True
        self.reset_sumaryinfo()
        if debug:
            print(self.describe())

    def _load(self):
        self._model, code = acl.mdl.load_from_file(self.model_path)
        check(code, f"loading {self.model_path}")
        self._desc = acl.mdl.create_desc()
        check(acl.mdl.get_desc(self._desc, self._model), "acl.mdl.get_desc")
        names = [acl.mdl.get_input_name_by_index(self._desc, i) for i in range(acl.mdl.get_num_inputs(self._desc))]
        self._choice = names.index(CHOICE) if CHOICE in names else None
        self._inputs = [self._describe(i, True) for i in range(len(names)) if i != self._choice]
        self._outputs = [self._describe(i, False) for i in range(acl.mdl.get_num_outputs(self._desc))]
        self._room = np.zeros(acl.mdl.get_input_size_by_index(self._desc, self._choice), np.uint8) if self._choice is not None else None
        self._in = self._dataset(len(names))
        self._out = self._dataset(len(self._outputs))
        self._shape, self._custom = None, None
        self.set_staticbatch()

    @staticmethod
    def _dataset(count):
        made = acl.mdl.create_dataset()
        for _ in range(count):
            acl.mdl.add_dataset_buffer(made, acl.create_data_buffer(None, 0))
        return made

    def _describe(self, i, is_input):
        get = acl.mdl
        if is_input:
            dims, _ = get.get_input_dims(self._desc, i)
            name, kind, layout = get.get_input_name_by_index, get.get_input_data_type, get.get_input_format
            size = get.get_input_size_by_index(self._desc, i)
        else:
            dims, _ = get.get_output_dims(self._desc, i)
            name, kind, layout = get.get_output_name_by_index, get.get_output_data_type, get.get_output_format
            size = get.get_output_size_by_index(self._desc, i)
        return TensorDesc(name(self._desc, i), list(dims["dims"]), DTYPES.get(kind(self._desc, i), "uint8"),
                          FORMATS.get(layout(self._desc, i), "ND"), size)

    def describe(self):
        """The lines that debug prints."""
        lines = [f"<Model>\ndevice_id:\t{self.device_id}"]
        for what, tensors in (("input", self._inputs), ("output", self._outputs)):
            lines.append(f"{what}s:")
            lines += [f"{what}:  #{i} {t.name} {tuple(t.shape)} {t.datatype} {t.size} {t.realsize}" for i, t in enumerate(tensors)]
        return "\n".join(lines)

    # ---- The model ----

    def get_inputs(self):
        """TensorDesc of each input, without the one that carries the choice of a size."""
        return list(self._inputs)

    def get_outputs(self):
        """TensorDesc of each output."""
        return list(self._outputs)

    # ---- The size to run in ----

    def set_staticbatch(self):
        """The size that the model has; of several, the largest."""
        self._mode, self._sizes = "static", None

    def set_dynamic_batchsize(self, batch):
        """One of the batches of --dynamic_batch_size."""
        self._gear("dymbatch", int(batch))

    def set_dynamic_hw(self, w, h):
        """One of the sizes of --dynamic_image_size."""
        self._gear("dymhw", (int(h), int(w)))

    def set_dynamic_dims(self, dims):
        """"name:1,3,224,224;..." for a model of --dynamic_dims: one of its sizes."""
        self._gear("dymdims", self._shapes(dims))

    def set_dynamic_shape(self, shapes):
        """"name:1,3,224,224;..." for a model whose --input_shape has ranges."""
        self._mode, self._sizes = "dymshape", self._shapes(shapes)

    def set_custom_outsize(self, sizes):
        """Bytes for each output of a model of ranges; else the library finds the memory."""
        if len(sizes) != len(self._outputs):
            raise ValueError(f"{len(sizes)} sizes for {len(self._outputs)} outputs")
        self._custom = [int(s) for s in sizes]

    def _gear(self, mode, sizes):
        if self._choice is None:
            raise RuntimeError(f"{self.model_path} has one size, or ranges: {mode} needs a model of several sizes")
        self._mode, self._sizes = mode, sizes
        self._choose()

    def _shapes(self, text):
        """Shape of each input, in order, from "name:1,2;name:3,4"."""
        found = {}
        for part in text.strip().strip(";").split(";"):
            name, _, dims = part.strip().rpartition(":")
            try:
                found[name] = [int(d) for d in dims.split(",")] if dims else []
            except ValueError:
                raise ValueError(f"'{part}' is not name:1,2,3") from None
        missing = [t.name for t in self._inputs if t.name not in found]
        if missing or len(found) != len(self._inputs):
            raise ValueError(f"'{text}' must name the inputs {[t.name for t in self._inputs]}")
        return [found[t.name] for t in self._inputs]

    def _choose(self):
        """Tells the library the size to run in."""
        if self._choice is not None:
            buffer = acl.mdl.get_dataset_buffer(self._in, self._choice)
            acl.update_data_buffer(buffer, acl.util.numpy_to_ptr(self._room), self._room.nbytes)
        if self._mode == "dymbatch":
            check(acl.mdl.set_dynamic_batch_size(self._model, self._in, self._choice, self._sizes), f"batch {self._sizes}")
        elif self._mode == "dymhw":
            check(acl.mdl.set_dynamic_hw_size(self._model, self._in, self._choice, *self._sizes), f"height and width {self._sizes}")
        elif self._mode == "dymdims":
            flat = [d for shape in self._sizes for d in shape]
            check(acl.mdl.set_input_dynamic_dims(self._model, self._in, self._choice, {"name": "", "dimCount": len(flat), "dims": flat}),
                  f"dims {self._sizes}")
        elif self._mode == "dymshape":
            for i, (shape, tensor) in enumerate(zip(self._sizes, self._inputs)):
                kind = next(k for k, v in DTYPES.items() if v == tensor.datatype)
                desc = acl.create_tensor_desc(kind, shape, 2)
                code = acl.mdl.set_dataset_tensor_desc(self._in, desc, i)[1]
                acl.destroy_tensor_desc(desc)
                check(code, f"shape {shape} of input '{tensor.name}'")
        elif self._choice is not None:
            self._choose_largest()

    def _choose_largest(self):
        batches, sizes = acl.mdl.get_dynamic_batch(self._desc)[0], acl.mdl.get_dynamic_hw(self._desc, -1)[0]
        if batches.get("batch"):
            code = acl.mdl.set_dynamic_batch_size(self._model, self._in, self._choice, max(batches["batch"]))
        elif sizes.get("hw"):
            code = acl.mdl.set_dynamic_hw_size(self._model, self._in, self._choice, *max(sizes["hw"], key=lambda s: s[0] * s[1]))
        else:
            raise RuntimeError("a model of --dynamic_dims needs set_dynamic_dims or mode='dymdims'")
        check(code, "the largest size")

    # ---- Running ----

    def infer(self, feeds, mode="static", custom_sizes=100000, out_array=True):
        """Runs on a list of arrays, one an input, and returns a list of arrays (`out_array` False: of Tensor).
        Modes: "static" (or "fixed"), "dymbatch", "dymhw", "dymdims", "dymshape": the size is taken from the arrays' shapes.
        `custom_sizes`: bytes for outputs of "dymshape", a number for each or one for all; what does not fit is an error.
        The default leaves it to the library. Arrays go in as they are, byte for byte."""
        arrays = [_array(feed) for feed in feeds]
        self._enter(mode, arrays, custom_sizes)
        return self.run(arrays, out_array)

    def infer_pipeline(self, feeds_list, mode="static", custom_sizes=100000):
        """infer() for each of a list of feeds."""
        return [self.infer(feeds, mode, custom_sizes) for feeds in feeds_list]

    def _enter(self, mode, arrays, custom_sizes):
        if mode not in MODES:
            raise ValueError(f"mode '{mode}' is none of {', '.join(MODES)}")
        if len(arrays) != len(self._inputs):
            raise ValueError(f"{len(arrays)} arrays for {len(self._inputs)} inputs")
        shapes = ";".join(f"{t.name}:{','.join(map(str, a.shape))}" for t, a in zip(self._inputs, arrays))
        if mode in ("static", "fixed"):
            self.set_staticbatch()
        elif mode == "dymbatch":
            self.set_dynamic_batchsize(arrays[0].shape[0])
        elif mode == "dymhw":
            h, w = (1, 2) if self._inputs[0].format == "NHWC" else (2, 3)
            self.set_dynamic_hw(arrays[0].shape[w], arrays[0].shape[h])
        elif mode == "dymdims":
            self.set_dynamic_dims(shapes)
        else:
            self.set_dynamic_shape(shapes)
            if isinstance(custom_sizes, (list, tuple)):
                self.set_custom_outsize(custom_sizes)
            elif custom_sizes != 100000:
                self.set_custom_outsize([custom_sizes] * len(self._outputs))

    def input_bytes(self, i):
        """Bytes that input `i` needs in the size that was set."""
        tensor = self._inputs[i]
        if self._mode == "static":
            return tensor.size
        shape = list(tensor.shape)
        if self._mode == "dymbatch":
            shape = [self._sizes if d < 0 else d for d in shape]
        elif self._mode == "dymhw":
            sizes = iter(self._sizes)
            shape = [next(sizes) if d < 0 else d for d in shape]
        else:
            shape = self._sizes[i]
        return math.prod(shape) * np.dtype(tensor.datatype).itemsize

    def _bind_inputs(self, arrays):
        begin = time.perf_counter()
        if len(arrays) != len(self._inputs):
            raise ValueError(f"{len(arrays)} arrays for {len(self._inputs)} inputs")
        for i, array in enumerate(arrays):
            need = self.input_bytes(i)
            if array.nbytes != need:
                raise ValueError(f"input '{self._inputs[i].name}' has {array.nbytes} bytes ({array.dtype} {array.shape}) and needs {need}")
        places = [i for i in range(len(arrays) + (self._choice is not None)) if i != self._choice]
        for place, array in zip(places, arrays):
            acl.update_data_buffer(acl.mdl.get_dataset_buffer(self._in, place), acl.util.numpy_to_ptr(array), array.nbytes)
        self._choose()
        self._summary.h2d_time_list.append((time.perf_counter() - begin) * 1000)

    def _output_shape(self, i):
        if self._choice is None:
            return self._outputs[i].shape
        dims, code = acl.mdl.get_cur_output_dims(self._desc, i)
        check(code, "acl.mdl.get_cur_output_dims")
        return dims["dims"]

    def _bind_outputs(self):
        """Arrays that the run writes; None where the library finds the memory."""
        arrays = []
        for i, tensor in enumerate(self._outputs):
            buffer = acl.mdl.get_dataset_buffer(self._out, i)
            if self._mode == "dymshape":
                array = np.empty(self._custom[i], np.uint8) if self._custom else None
            else:
                array = np.empty(self._output_shape(i), tensor.datatype)
            # An empty array's address is not 0: the library must not look for memory then.
            acl.update_data_buffer(buffer, 0 if array is None else acl.util.numpy_to_ptr(array), 0 if array is None else array.nbytes)
            arrays.append(array)
        return arrays

    def _fetch(self, i, array):
        """The output as an array of its shape; memory of the library is given back."""
        if self._mode != "dymshape":
            return array
        desc = acl.mdl.get_dataset_tensor_desc(self._out, i)
        shape = [acl.get_tensor_desc_dim(desc, k) for k in range(acl.get_tensor_desc_num_dims(desc))]
        dtype = np.dtype(self._outputs[i].datatype)
        size = math.prod(shape) * dtype.itemsize
        if array is not None:
            return array[:size].view(dtype).reshape(shape)
        buffer = acl.mdl.get_dataset_buffer(self._out, i)
        memory = acl.get_data_buffer_addr(buffer)
        result = np.frombuffer(acl.util.ptr_to_bytes(memory, size), dtype).reshape(shape).copy()
        acl.update_data_buffer(buffer, 0, 0)
        check(acl.rt.free(memory), "acl.rt.free")
        return result

    def run(self, feeds, out_array=False):
        """Runs in the size that was set, `loop` times; returns Tensors, or arrays."""
        if not self._open:
            raise RuntimeError("the session is finalised")
        arrays = [_array(feed) for feed in feeds]
        self._bind_inputs(arrays)
        for k in range(self.loop):
            if k == 0 or self._mode == "dymshape":
                outputs = self._bind_outputs()
            begin = time.perf_counter()
            check(acl.mdl.execute(self._model, self._in, self._out), "acl.mdl.execute")
            self._summary.exec_time_list.append((time.perf_counter() - begin) * 1000)
            if self._mode == "dymshape":
                outputs = [self._fetch(i, array) for i, array in enumerate(outputs)]
        begin = time.perf_counter()
        results = outputs if out_array else [Tensor(array) for array in outputs]
        self._summary.d2h_time_list.append((time.perf_counter() - begin) * 1000)
        return results

    # ---- Tensors ----

    def create_tensor_from_arrays_to_device(self, array):
        """A Tensor with a copy of the array."""
        return Tensor(_array(array).copy())

    def convert_tensors_to_host(self, tensors):
        """Nothing to do: the memory is the host's."""
        for tensor in tensors:
            tensor.to_host()

    def convert_tensors_to_arrays(self, tensors):
        """Arrays of Tensors."""
        return [tensor.array for tensor in tensors]

    # ---- Times ----

    def sumary(self):
        """Times since the last reset, in milliseconds: exec_time_list, h2d_time_list, d2h_time_list."""
        return self._summary

    summary = sumary

    def reset_sumaryinfo(self):
        """Forgets the times."""
        self._summary = Summary()

    reset_summaryinfo = reset_sumaryinfo

    # ---- End ----

    def finalize(self):
        """Unloads the model. Again: nothing."""
        if not self._open:
            return
        self._open = False
        for made in (self._in, self._out):
            for i in range(acl.mdl.get_dataset_num_buffers(made)):
                acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(made, i))
            acl.mdl.destroy_dataset(made)
        acl.mdl.destroy_desc(self._desc)
        check(acl.mdl.unload(self._model), "acl.mdl.unload")
        acl.rt.reset_device(self.device_id)

    free_resource = finalize

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finalize()

    def __del__(self):
        try:
            self.finalize()
        except Exception:  # the interpreter ends
            pass
