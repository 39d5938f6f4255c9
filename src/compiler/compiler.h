/* SPDX-License-Identifier: Apache-2.0
 *
 * From an ONNX file to a graph that is ready to be written as .om. The pass list is in compiler.c, in one function.
 */
#ifndef JUMAR_COMPILER_COMPILER_H
#define JUMAR_COMPILER_COMPILER_H

#include "compiler/graph.h"

/* Input "name" has these dims. */
typedef struct jm_input_shape {
    const char *name;
    jm_shape shape;
} jm_input_shape;

typedef struct jm_compile_options {
    const jm_input_shape *input_shape; /* replaces dynamic or fixed dims of the model's inputs */
    size_t input_shapes;
    /* What the graph's outputs are instead of those of the model, in this order: names of tensors, or "<node>:<index of
     * its output>". Nothing else is imported than what they need. */
    const char *const *out_node;
    size_t out_nodes;
    const char *family;        /* preprocessing family or NULL: see vision/family.h; stored as metadata */
    const char *const *labels; /* class names or NULL: stored as metadata */
    size_t label_count;
    bool no_winograd; /* every convolution sums its own products: slower, for comparisons of rounding */
    /* Called for every ONNX node that is needed; `reason` says why it is not supported, or is NULL. May be NULL. */
    void (*node_report)(void *context, const char *name, const char *op, const char *reason);
    void *node_report_context;
    /* Called with 0..1 as work proceeds; may be NULL. */
    void (*progress)(void *context, double done, const char *what);
    void *progress_context;
} jm_compile_options;

/* onnx/import.c. Reads a model (and external data inside the model's folder). Unsupported nodes are all named in one
 * error. The graph holds the ONNX graph in our operators, with every shape known and what depends on constants only
 * computed, but otherwise as it stands. Weights are borrowed from the mapped file where possible; the graph keeps the
 * map open until destroyed. Metadata: "source" (the exporter), "onnx.<key>" for each of the model's, "output.<i>" and
 * "output.names": docs/om-format.md. `options` may be NULL. JM_NOT_FOUND, JM_IO: files. JM_CORRUPT: the file breaks its
 * format. JM_INVALID_ARGUMENT: the graph is wrong, or an input needs --input-shape. JM_UNSUPPORTED: operators, types,
 * ranks, opset below 7. */
JM_MUST_USE jm_status jm_onnx_import(const char *path, const jm_compile_options *options, jm_graph **out);
/* The same from memory (fuzzing, tests), which must outlive the graph: `folder` is where external data may lie, or NULL
 * to refuse it. */
JM_MUST_USE jm_status jm_onnx_import_memory(const void *data, size_t size, const char *folder,
                                            const jm_compile_options *options, jm_graph **out);

/* interface.c. Input (output) `index` has another type; a Cast stands behind (before) it. JM_INVALID_ARGUMENT: the
 * model has no such type there, or the types cannot be converted. */
JM_MUST_USE jm_status jm_graph_cast_input(jm_graph *graph, size_t index, jm_dtype dtype);
JM_MUST_USE jm_status jm_graph_cast_output(jm_graph *graph, size_t index, jm_dtype dtype);

/* compiler.c. Runs every pass: fold, infer, fuse, layout and forms, views, pack. Afterwards all shapes are known,
 * nodes are in execution order, constants are packed. Metadata: "family", "labels" (one per line). `options` may be
 * NULL. */
JM_MUST_USE jm_status jm_compile(jm_graph *graph, const jm_compile_options *options);

#endif
