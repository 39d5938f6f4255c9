/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights: from TensorProto to constants of the graph, inside the model's file or beside it.
 */
#ifndef JUMAR_COMPILER_ONNX_TENSOR_H
#define JUMAR_COMPILER_ONNX_TENSOR_H

#include "compiler/graph.h"
#include "compiler/onnx/proto.h"

/* Where data of external tensors may come from. */
typedef struct onnx_files {
    const char *folder;     /* NULL: external data are refused */
    struct onnx_file *file; /* maps opened so far; the graph owns them */
} onnx_files;

/* The dtype of an ONNX element type. JM_UNSUPPORTED (naming `what`) for strings, complex and 8-bit or 4-bit floats. */
JM_MUST_USE jm_status onnx_dtype(int64_t type, const char *what, jm_dtype *dtype);

/* A constant of the graph. Data are borrowed where they are aligned for their type, else copied; whoever owns the
 * memory behind tensor->message must keep it as long as the graph lives. JM_INVALID_ARGUMENT: external data outside
 * the folder. JM_CORRUPT: dims and data disagree. JM_UNSUPPORTED: type, rank. JM_NOT_FOUND, JM_IO: external file. */
JM_MUST_USE jm_status onnx_tensor_constant(jm_graph *graph, onnx_files *files, const onnx_tensor *tensor,
                                           const char *name, jm_value **out);

#endif
