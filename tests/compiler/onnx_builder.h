/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes small ONNX models in memory, also wrong ones. Texts of names are lists: "x,w,,b", where an empty entry is an
 * absent argument.
 *
 *     onnx_builder b = onnx_begin(13);
 *     onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 3));
 *     onnx_op(&b, "Relu", "x", "y");
 *     onnx_output(&b, "y");
 *     jm_graph *graph = onnx_import_ok(&b);
 */
#ifndef JUMAR_TESTS_COMPILER_ONNX_BUILDER_H
#define JUMAR_TESTS_COMPILER_ONNX_BUILDER_H

#include "base/wire.h"
#include "compiler/compiler.h"
#include "compiler/onnx/proto.h"

/* A rank and its dims: onnx_input(&b, "x", ONNX_FLOAT, DIMS(1, 3)). */
/* clang-format off */
#define DIMS(...) (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__}
/* clang-format on */
#define FLOATS(...)                                                                                                    \
    (float[])                                                                                                          \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

typedef struct onnx_builder {
    jm_wire_writer model;
    size_t graph;        /* the open GraphProto */
    uint32_t node_field; /* where nodes go: 0 is a graph */
    bool ended;
    const char *folder; /* given to the importer */
    jm_compile_options options;
} onnx_builder;

onnx_builder onnx_begin(int64_t opset);
/* A model without an opset and with an open graph. */
onnx_builder onnx_begin_bare(void);
void onnx_opset_of(onnx_builder *b, const char *domain, int64_t version);
void onnx_metadata(onnx_builder *b, const char *key, const char *text);

/* A dim of -1 is written as the name "n"; one of INT64_MIN as nothing. */
void onnx_input(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims);
void onnx_output(onnx_builder *b, const char *name);
void onnx_output_of(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims);

/* Initializers; raw data except where the name says otherwise. */
void onnx_raw(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims, const void *data,
              size_t size);
void onnx_f32(onnx_builder *b, const char *name, int rank, const int64_t *dims, const float *data);
void onnx_i64(onnx_builder *b, const char *name, int count, const int64_t *data); /* rank 1 */
void onnx_i64_scalar(onnx_builder *b, const char *name, int64_t value);
void onnx_f32_scalar(onnx_builder *b, const char *name, float value);
/* External data; NULL texts are left out. */
void onnx_external(onnx_builder *b, const char *name, int64_t type, int rank, const int64_t *dims, const char *location,
                   const char *offset, const char *length);
/* The fields of a TensorProto, for a caller that began the message. */
void onnx_tensor_head(jm_wire_writer *w, const char *name, int64_t type, int rank, const int64_t *dims);

/* A whole node, or one with attributes between begin and end. The name is that of the first output. */
void onnx_op(onnx_builder *b, const char *op, const char *inputs, const char *outputs);
size_t onnx_op_begin(onnx_builder *b, const char *domain, const char *op, const char *inputs, const char *outputs);
void onnx_op_end(onnx_builder *b, size_t begin);
void onnx_set_int(onnx_builder *b, const char *name, int64_t value);
void onnx_set_float(onnx_builder *b, const char *name, float value);
void onnx_set_text(onnx_builder *b, const char *name, const char *text);
void onnx_set_ints(onnx_builder *b, const char *name, int count, const int64_t *values);
void onnx_set_floats(onnx_builder *b, const char *name, int count, const float *values);

/* A graph inside of a node, as an attribute; nodes, initializers, inputs and outputs go into it until it ends. */
typedef struct onnx_nest {
    size_t attr, graph;
} onnx_nest;
onnx_nest onnx_graph_begin(onnx_builder *b, const char *name);
void onnx_graph_end(onnx_builder *b, onnx_nest nest);
/* A function, after everything that belongs to the model's graph. Nodes go into it until it ends. */
size_t onnx_function_begin(onnx_builder *b, const char *domain, const char *name, const char *inputs,
                           const char *outputs);
void onnx_function_end(onnx_builder *b, size_t begin);
/* In a function: the value of attribute `name` is that of the function's attribute `from`. */
void onnx_set_reference(onnx_builder *b, const char *name, onnx_attr_type type, const char *from);

/* Closes the graph; the message stays in b->model. */
void onnx_end(onnx_builder *b);
void onnx_clear(onnx_builder *b);
/* Ends the model and writes it into a file. */
void onnx_write(onnx_builder *b, const char *path);
/* Ends, imports and checks the graph; the test fails when the import does. The builder must live as long as the graph,
 * which borrows weights. */
jm_graph *onnx_import_ok(onnx_builder *b);
/* Ends, imports with the builder's options and folder, and returns the status; *graph may be NULL. Clears nothing. */
jm_status onnx_import_status(onnx_builder *b, jm_graph **graph);
/* The import fails with this code and these words; clears the builder. */
void onnx_import_fails(onnx_builder *b, jm_status code, const char *words);

/* Value of a graph output that depends on constants only: input of the Identity in front of it. NULL if it is not. */
const jm_tensor *onnx_folded(const jm_graph *graph, const char *output);
/* This output is a constant of float32 with these dims and, to 1e-6, these elements. */
void onnx_check_f32(const jm_graph *graph, const char *output, int rank, const int64_t *dims, const float *want);
/* Ends a test that imported a graph. */
void onnx_finish(onnx_builder *b, jm_graph *graph);

#endif
