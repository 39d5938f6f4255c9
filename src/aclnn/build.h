/* SPDX-License-Identifier: Apache-2.0
 *
 * Phase one at work: what the files that read a row share.
 */
#ifndef JUMAR_ACLNN_BUILD_H
#define JUMAR_ACLNN_BUILD_H

#include "aclnn/executor.h"
#include "aclnn/meta.h"
#include "aclnn/row.h"
#include "ops/eager.h"

/* The tensors of one parameter; one, or those of a list. Entries are NULL where a tensor is absent. */
typedef struct jm_aclnn_argument {
    uint64_t count;
    jm_operand **in, **out; /* by its role as input and as output */
    jm_operand *shape;      /* int64 list that receives the shape of an output that depends on data; else NULL */
} jm_aclnn_argument;

typedef struct jm_aclnn_build {
    const jm_aclnn_row *row;
    const jm_aclnn_value *value;
    jm_eager *eager;
    jm_arena *arena; /* lives as long as phase one */
    jm_aclnn_argument argument[JM_ACLNN_MAX_PARAMS];
    uint64_t item, items; /* rows with `each`: the items that are taken, and how many there are */
    const char *absent;   /* a parameter that may be NULL in other calls than this one; NULL: none */
} jm_aclnn_build;

/* Adds the nodes of one statement. */
JM_MUST_USE jm_status jm_aclnn_add_statement(jm_aclnn_build *build, const jm_aclnn_statement *statement);

/* fractal.c. Whether a tensor lies in blocks of the format FRACTAL_NZ, and the operand that such an input is, row by
 * row, for a view of it. */
bool jm_aclnn_is_fractal(const aclTensor *tensor);
JM_MUST_USE jm_status jm_aclnn_fractal(jm_aclnn_build *build, const char *label, const aclTensor *tensor,
                                       const jm_tensor *view, unsigned slot, jm_operand **out);

#endif
