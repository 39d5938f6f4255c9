/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of one graph, or of one use of a graph inside of a node or of a function, and the order of its nodes.
 */
#ifndef JUMAR_COMPILER_ONNX_SCOPE_H
#define JUMAR_COMPILER_ONNX_SCOPE_H

#include "compiler/graph.h"
#include "compiler/onnx/proto.h"

/* Everything that one tensor name stands for. */
typedef struct onnx_name {
    const onnx_tensor *initializer;
    const onnx_value *input;
    const onnx_node *producer;
    jm_value *value; /* once it exists in the graph */
    bool absent;     /* an input of a function that the call leaves out */
    bool is_output;  /* of the model; seen already */
} onnx_name;

typedef struct onnx_scope {
    const onnx_graph *graph;
    const struct onnx_scope *outer; /* whose names are visible here; NULL for the model and for functions */
    jm_map names;                   /* text -> onnx_name */
    int64_t opset;                  /* of the domain "" */
    int depth;                      /* scopes around it */
} onnx_scope;

/* Name for messages: the node's, or its first output's. */
const char *onnx_node_text(const onnx_node *node);

/* Collects the names of a graph; opset and depth follow from `outer`. Close it even after a failure.
 * JM_INVALID_ARGUMENT: two things have one name. */
JM_MUST_USE jm_status onnx_scope_open(jm_arena *arena, const onnx_graph *graph, const onnx_scope *outer,
                                      onnx_scope *scope);
void onnx_scope_close(onnx_scope *scope);
/* The entry of a name here or in the scopes around; NULL when there is none. */
onnx_name *onnx_scope_find(const onnx_scope *scope, const char *text);
/* The node of this graph that makes the tensor of that name, or NULL. */
const onnx_node *onnx_scope_producer(const onnx_scope *scope, const char *text);
/* The nodes that the graph's outputs depend on, producers first; else as in the file. JM_INVALID_ARGUMENT: a cycle. */
JM_MUST_USE jm_status onnx_scope_order(jm_arena *arena, const onnx_scope *scope, const onnx_node ***order,
                                       size_t *count);

#endif
