/* SPDX-License-Identifier: Apache-2.0
 *
 * Each element once, in ascending order, whatever sorted says. NaN is above all numbers and equals nothing.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_UNIQUE_H
#define ACLNNOP_ACLNN_UNIQUE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* valueOut, inverseOut, -, shape(valueOut) = FindUnique(self, return_inverse=returnInverse, return_counts=0). Types
 * as the operator takes them. The shape depends on data: valueOut. The first phase takes the largest shape; when the
 * stream is synchronised, aclGetViewShape tells the real one, in which the elements lie without gaps (a tensor with
 * gaps keeps its strides). Such a tensor has the type of the result, and shares no memory with an input. Without
 * effect: sorted. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnUniqueGetWorkspaceSize(const aclTensor *self, bool sorted, bool returnInverse, aclTensor *valueOut,
    aclTensor *inverseOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnUnique(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
