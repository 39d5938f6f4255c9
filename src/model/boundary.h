/* SPDX-License-Identifier: Apache-2.0
 *
 * Which outputs a compiled model has, and the types of its inputs and outputs, in the words of atc.
 */
#ifndef JUMAR_MODEL_BOUNDARY_H
#define JUMAR_MODEL_BOUNDARY_H

#include "compiler/compiler.h"

/* The texts of the compile options; NULL: as the model has it. Borrowed. */
typedef struct jm_boundary {
    const char *out_nodes, *output_type, *fp16_inputs;
    const char *aipp; /* text of an AIPP configuration */
} jm_boundary;

/* jm_onnx_import (and jm_onnx_import_memory, without a folder), and then outputs and types as the boundary says.
 * JM_INVALID_ARGUMENT besides: E10016 no such name in the model; E10001 a wrong text or type. */
JM_MUST_USE jm_status jm_boundary_import(const char *path, const jm_boundary *boundary,
                                         const jm_compile_options *options, jm_graph **out);
JM_MUST_USE jm_status jm_boundary_import_memory(const void *data, size_t size, const jm_boundary *boundary,
                                                const jm_compile_options *options, jm_graph **out);

/* As metadata "boundary.*", for models that are compiled again in another shape. */
JM_MUST_USE jm_status jm_boundary_store(const jm_boundary *boundary, jm_graph *graph);
/* The texts are the graph's. */
void jm_boundary_load(const jm_graph *graph, jm_boundary *out);

#endif
