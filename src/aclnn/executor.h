/* SPDX-License-Identifier: Apache-2.0
 *
 * An executor: planned calls and the addresses of the tensors that they work on.
 */
#ifndef JUMAR_ACLNN_EXECUTOR_H
#define JUMAR_ACLNN_EXECUTOR_H

#include "aclnn/row.h"
#include "ops/eager.h"

/* A tensor argument. */
typedef struct jm_aclnn_slot {
    const char *name;  /* of the parameter */
    void *address;     /* of its storage */
    bool used;         /* it has elements, so it needs an address */
    int input, output; /* position among the tensor parameters of that kind; -1: it is none */
    int position;      /* among all tensor parameters */
    uint64_t item;     /* of a list */
} jm_aclnn_slot;

/* An output whose shape the run decides: the aclTensor gets it when the run is over. */
typedef struct jm_aclnn_result_shape {
    aclTensor *tensor; /* the executor keeps a reference */
    unsigned slot;     /* whose address is a place of the submission for `rank` numbers */
    int rank;
    bool dense; /* the tensor has no gaps, and has none in its new shape either; else it keeps its strides */
} jm_aclnn_result_shape;

/* Takes `eager` (finished) over, and copies the slots and shapes. *out is NULL on failure, and `eager` is then
 * destroyed too. `name` is static. `workspace` is what jm_eager_finish said. `threads` of the machine that it was
 * planned for. */
JM_MUST_USE jm_status jm_aclnn_executor_create(const char *name, jm_eager *eager, size_t workspace, unsigned threads,
                                               const jm_aclnn_slot *slot, unsigned slots,
                                               const jm_aclnn_result_shape *shape, unsigned shapes,
                                               aclOpExecutor **out);
/* Bytes that phase two wants. */
uint64_t jm_aclnn_executor_workspace(const aclOpExecutor *executor);

#endif
