/* SPDX-License-Identifier: Apache-2.0
 *
 * An ONNX file as plain structs: what the wire says, not yet what it means. Names are copied into the arena, weights
 * are views of the file. Graphs inside of nodes are read too, to a depth of ONNX_MOST_DEPTH.
 * Field and type numbers: onnx/onnx.proto.
 */
#ifndef JUMAR_COMPILER_ONNX_PROTO_H
#define JUMAR_COMPILER_ONNX_PROTO_H

#include "base/alloc.h"
#include "base/status.h"
#include "base/wire.h"

#define ONNX_MOST_DEPTH 16 /* graphs inside of each other */

/* TensorProto.DataType */
typedef enum onnx_type {
    ONNX_UNDEFINED = 0,
    ONNX_FLOAT = 1,
    ONNX_UINT8 = 2,
    ONNX_INT8 = 3,
    ONNX_UINT16 = 4,
    ONNX_INT16 = 5,
    ONNX_INT32 = 6,
    ONNX_INT64 = 7,
    ONNX_STRING = 8,
    ONNX_BOOL = 9,
    ONNX_FLOAT16 = 10,
    ONNX_DOUBLE = 11,
    ONNX_UINT32 = 12,
    ONNX_UINT64 = 13,
    ONNX_BFLOAT16 = 16,
} onnx_type;

typedef struct onnx_text_pair {
    const char *key, *text;
} onnx_text_pair;

/* TensorProto. The typed data fields stay in `message` until the tensor is wanted. */
typedef struct onnx_tensor {
    const char *name; /* "" when absent */
    int64_t *dim;
    size_t rank;
    int64_t type; /* onnx_type, unchecked */
    bool segmented;
    bool external; /* the data lie in another file, described by `pair` */
    onnx_text_pair *pair;
    size_t pairs;
    const unsigned char *raw; /* raw_data, or NULL when the tensor has none */
    size_t raw_size;
    jm_wire message;
} onnx_tensor;

/* AttributeProto.AttributeType */
typedef enum onnx_attr_type {
    ONNX_ATTR_NONE = 0,
    ONNX_ATTR_FLOAT = 1,
    ONNX_ATTR_INT = 2,
    ONNX_ATTR_STRING = 3,
    ONNX_ATTR_TENSOR = 4,
    ONNX_ATTR_GRAPH = 5,
    ONNX_ATTR_FLOATS = 6,
    ONNX_ATTR_INTS = 7,
    ONNX_ATTR_STRINGS = 8,
    ONNX_ATTR_OTHER, /* sparse tensors, types, lists of tensors or graphs: nothing that we support has them */
} onnx_attr_type;

typedef struct onnx_attr {
    const char *name;
    const char *reference; /* in a function: the attribute of the function that gives the value; else NULL */
    onnx_attr_type type;
    size_t count; /* of ints, floats or strings; 1 otherwise */
    union {
        double f;
        int64_t i;
        const char *s;
        const onnx_tensor *tensor;
        const struct onnx_graph *graph;
        const double *floats;
        const int64_t *ints;
        const char *const *strings;
    };
} onnx_attr;

typedef struct onnx_node {
    const char *op, *domain, *name; /* "" when absent; the domain "ai.onnx" is "" too */
    const char **input, **output;   /* "" entries: absent optional ones */
    size_t inputs, outputs;
    onnx_attr *attr;
    size_t attrs;
    const char **read; /* the inputs, and what graphs inside of the node take from outside; "" entries too */
    size_t reads;
} onnx_node;

/* ValueInfoProto of a graph input or output. */
typedef struct onnx_value {
    const char *name;
    bool is_tensor;
    bool has_shape;
    int64_t type;
    int64_t *dim;       /* -1 where the model gives a name or nothing */
    const char **param; /* the name of such a dim, or NULL */
    size_t rank;
} onnx_value;

typedef struct onnx_opset {
    const char *domain;
    int64_t version;
} onnx_opset;

/* GraphProto, or the body of a function, whose inputs and outputs have names only. */
typedef struct onnx_graph {
    const char *name;
    onnx_node *node;
    size_t nodes;
    onnx_tensor *initializer;
    size_t initializers;
    size_t sparse_initializers;
    onnx_value *input, *output;
    size_t inputs, outputs;
    const char **captured; /* names that it reads and does not define, each once */
    size_t captures;
} onnx_graph;

/* FunctionProto: an operator that the model defines. */
typedef struct onnx_function {
    const char *name, *domain;
    onnx_graph body;
    onnx_attr *fallback; /* values of attributes that a call leaves out */
    size_t fallbacks;
    onnx_opset *opset;
    size_t opsets;
} onnx_function;

typedef struct onnx_model {
    int64_t ir_version;
    const char *producer, *producer_version;
    onnx_opset *opset;
    size_t opsets;
    onnx_text_pair *meta;
    size_t metas;
    onnx_function *function;
    size_t functions;
    bool has_graph;
    onnx_graph graph;
} onnx_model;

/* Reads a model; everything in *model lies in the arena or in `data`. JM_CORRUPT names the message that is broken.
 * JM_UNSUPPORTED: graphs deeper than the limit. */
JM_MUST_USE jm_status onnx_model_read(jm_arena *arena, const void *data, size_t size, onnx_model *model);

#endif
