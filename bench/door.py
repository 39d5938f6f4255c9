# SPDX-License-Identifier: Apache-2.0
"""Two-phase operators on PyTorch's CPU tensors, through ctypes, for benchmarks beside PyTorch."""
import ctypes

import torch

DTYPES = {torch.float32: 0, torch.float16: 1, torch.int8: 2, torch.int32: 3, torch.bfloat16: 27}


class Door:
    def __init__(self, path):
        self.acl = ctypes.CDLL(path)
        for name in "aclCreateTensor", "aclCreateIntArray", "aclCreateBoolArray", "aclCreateScalar":
            getattr(self.acl, name).restype = ctypes.c_void_p
        self.acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self.workspace = torch.empty(0, dtype=torch.uint8)
        self.check(self.acl.aclInit(None))
        self.check(self.acl.aclrtSetDevice(0))

    def check(self, code):
        if code:
            raise SystemExit(f"error {code}: {self.acl.aclGetRecentErrMsg()}")

    def tensor(self, t):
        """A view of the tensor, which must outlive it."""
        if t is None:
            return ctypes.c_void_p()
        shape, strides = ((ctypes.c_int64 * t.dim())(*values) for values in (t.shape, t.stride()))
        storage = (ctypes.c_int64 * 1)(t.untyped_storage().nbytes() // t.element_size())
        return ctypes.c_void_p(self.acl.aclCreateTensor(shape, ctypes.c_uint64(t.dim()), DTYPES[t.dtype], strides,
                                                        ctypes.c_int64(t.storage_offset()), 2, storage, ctypes.c_uint64(1),
                                                        ctypes.c_void_p(t.untyped_storage().data_ptr())))

    def ints(self, values):
        return ctypes.c_void_p(self.acl.aclCreateIntArray((ctypes.c_int64 * len(values))(*values),
                                                          ctypes.c_uint64(len(values))))

    def bools(self, values):
        return ctypes.c_void_p(self.acl.aclCreateBoolArray((ctypes.c_bool * len(values))(*values),
                                                           ctypes.c_uint64(len(values))))

    def phase_one(self, name, arguments):
        """Workspace size and executor."""
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        self.check(getattr(self.acl, name + "GetWorkspaceSize")(*arguments, ctypes.byref(size), ctypes.byref(executor)))
        return size.value, executor

    def call(self, name, arguments):
        """Both phases and a synchronise, with a workspace that is kept and grows, as a framework's allocator would."""
        size, executor = self.phase_one(name, arguments)
        if size > self.workspace.numel():
            self.workspace = torch.zeros(size + 64, dtype=torch.uint8)
        self.finish(name, self.workspace, size, executor)

    def finish(self, name, workspace, size, executor):
        address = ctypes.c_void_p((workspace.data_ptr() + 63) // 64 * 64 if size else None)
        self.check(getattr(self.acl, name)(address, ctypes.c_uint64(size), executor, None))
        self.check(self.acl.aclrtSynchronizeStream(None))
