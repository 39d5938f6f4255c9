/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the model door share.
 */
#ifndef JUMAR_ACL_MDL_H
#define JUMAR_ACL_MDL_H

#include "acl/acl_mdl.h"
#include "acl/code.h"
#include "acl/error_codes/ge_error_codes.h"
#include "model/variants.h"

/* The number for a status of reading, planning or loading a model; the message stays as it is. */
aclError jm_mdl_load_code(jm_status status);

/* The table of loaded models. A model that was acquired is not unloaded until it is released. NULL, with a message,
 * when no model has this number: the code is 145003. */
jm_variants *jm_mdl_acquire(uint32_t id);
void jm_mdl_release(uint32_t id);

struct aclmdlDataset {
    aclDataBuffer **buffer; /* the caller's */
    size_t count, capacity;
    aclTensorDesc **desc; /* our own, by index; NULL entries where no shape was given */
    size_t descs;
    /* What a function such as aclmdlSetDynamicBatchSize chose, for this model; 0: nothing. */
    uint32_t chosen_for;
    size_t gear;
};

/* Buffers that a dataset of inputs has beside those of the graph: one that carries the choice of a gear. */
size_t jm_mdl_extra_inputs(const jm_gears *gears);
/* The model in the shape that a dataset of inputs chose: by a function, by the numbers in its last buffer, by tensor
 * descriptions, or the largest. Released with jm_variants_release. */
aclError jm_mdl_acquire_shape(jm_variants *variants, uint32_t id, const aclmdlDataset *input, jm_loaded **model);
/* Notes the shapes of a run's outputs in the dataset of a model of ranges. */
aclError jm_mdl_note_outputs(const jm_variants *variants, const jm_graph *graph, aclmdlDataset *output);

/* The model, acquired, when it has an input with this index (the choice of a gear counts); else NULL and a code. */
jm_variants *jm_mdl_acquire_input(const char *function, uint32_t id, size_t index, aclError *code);
/* *attached: the input that carries the parameters of a picture, or ACL_INVALID_NODE_INDEX. */
aclmdlInputAippType jm_mdl_aipp_type(const jm_graph *graph, size_t input, size_t *attached);
/* Bytes that a run reads of an input: those of its tensor, or those of the pictures that parameters describe. */
aclError jm_mdl_input_bytes(const jm_graph *graph, size_t index, const aclmdlDataset *input, size_t *bytes);

/* Bytes of work and weight memory that aclmdlQuerySize reports for a program. */
void jm_mdl_sizes(const jm_program_info *info, size_t *work, size_t *weight);

/* Reads a graph from a file, or from memory when `path` is NULL. */
JM_MUST_USE jm_status jm_mdl_read(const char *path, const void *model, size_t size, jm_graph **graph);

#endif
