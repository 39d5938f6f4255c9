/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of everything in a model that is not supported, so that one run tells all.
 */
#ifndef JUMAR_COMPILER_ONNX_UNSUPPORTED_H
#define JUMAR_COMPILER_ONNX_UNSUPPORTED_H

#include "base/alloc.h"
#include "base/status.h"

/* Nodes that share an operator and a reason. */
typedef struct onnx_kind {
    const char *text; /* "Loop (opset 16)", "Resize: cubic interpolation is not supported" */
    const char **name;
    size_t names, capacity;
    size_t count;
} onnx_kind;

/* Zero-initialise; texts lie in the arena. */
typedef struct onnx_unsupported {
    onnx_kind *kind;
    size_t kinds, capacity;
    size_t count;
    const char *latest; /* text of the node added last */
    jm_map index;       /* text -> 1 + position in kind */
} onnx_unsupported;

/* Adds a node; `text` and `name` are borrowed from the arena's lifetime. */
JM_MUST_USE jm_status onnx_unsupported_add(onnx_unsupported *list, const char *text, const char *name);
/* JM_OK when the list is empty, else JM_UNSUPPORTED with every kind, its count and as many node names as fit; the whole
 * list goes to the log. */
JM_MUST_USE jm_status onnx_unsupported_report(const onnx_unsupported *list);
void onnx_unsupported_clear(onnx_unsupported *list);

#endif
