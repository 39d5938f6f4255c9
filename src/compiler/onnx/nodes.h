/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of a scope, one after the other, into the graph. Graphs inside of nodes and functions of the model are
 * inlined: the graph stays flat.
 */
#ifndef JUMAR_COMPILER_ONNX_NODES_H
#define JUMAR_COMPILER_ONNX_NODES_H

#include "compiler/compiler.h"
#include "compiler/onnx/convert.h"
#include "compiler/onnx/scope.h"
#include "compiler/onnx/unsupported.h"

/* One import. */
typedef struct onnx_import {
    jm_arena *scratch; /* the parsed model and tables */
    jm_graph *graph;
    const jm_compile_options *options;
    onnx_model model;
    onnx_files files;
    onnx_unsupported unsupported;
    size_t inlined; /* nodes that came from inner graphs so far: bounds hostile loops */
} onnx_import;

/* The value of a name; *out is NULL when its producer was not supported. Initializers come into being when read.
 * `node` reads it, for messages. JM_INVALID_ARGUMENT: nothing produces it. */
JM_MUST_USE jm_status onnx_value_of(onnx_import *import, const onnx_scope *scope, const onnx_node *node,
                                    const char *text, jm_value **out);
/* All nodes that the scope's outputs depend on. Unsupported ones are noted in the import; their values stay NULL. */
JM_MUST_USE jm_status onnx_import_nodes(onnx_import *import, const onnx_scope *scope);

#endif
