/* SPDX-License-Identifier: Apache-2.0
 *
 * NumPy's .npy files, versions 1 to 3 (format of numpy.lib.format). Files are untrusted.
 */
#ifndef JUMAR_TENSOR_NPY_H
#define JUMAR_TENSOR_NPY_H

#include "tensor/tensor.h"

/* Parses `size` bytes. *tensor is plain and row-major; its data points into `data`, which need not be aligned.
 * JM_CORRUPT: damaged or too short. JM_UNSUPPORTED: Fortran order of rank 2 or more, big-endian or an element type that
 * we do not have (objects, strings, complex). */
JM_MUST_USE jm_status jm_npy_parse(const void *data, size_t size, jm_tensor *tensor);

/* Writes a contiguous plain tensor, complete or not at all. bfloat16, which NumPy lacks, is written as uint16. */
JM_MUST_USE jm_status jm_npy_write(const char *path, const jm_tensor *tensor);

#endif
