/* SPDX-License-Identifier: Apache-2.0
 *
 * Each element once, in ascending order, whatever sorted says; where each is among them; how often each is there.
 * - NaN is above all numbers and equals nothing. inverseOut and countsOut are int64, and left alone where they are
 *   not wanted.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_UNIQUE2_H
#define ACLNNOP_ACLNN_UNIQUE2_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* valueOut, inverseOut, countsOut, shape(valueOut), shape(countsOut) = FindUnique(self, return_inverse=returnInverse,
 * return_counts=returnCounts). Types as the operator takes them. The shape depends on data: valueOut, countsOut. The
 * first phase takes the largest shape; when the stream is synchronised, aclGetViewShape tells the real one, in which
 * the elements lie without gaps (a tensor with gaps keeps its strides). Such a tensor has the type of the result, and
 * shares no memory with an input. Without effect: sorted. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnUnique2GetWorkspaceSize(const aclTensor *self, bool sorted, bool returnInverse, bool returnCounts,
    aclTensor *valueOut, aclTensor *inverseOut, aclTensor *countsOut, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnUnique2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
