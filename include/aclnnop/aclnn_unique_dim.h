/* SPDX-License-Identifier: Apache-2.0
 *
 * Each slice along a dimension once, in ascending order of its elements, whatever sorted says.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_UNIQUE_DIM_H
#define ACLNNOP_ACLNN_UNIQUE_DIM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* valueOut, inverseOut, countsOut, shape(valueOut), shape(countsOut) = FindUnique(self, axis=dim,
 * return_inverse=returnInverse). Types as the operator takes them. The shape depends on data: valueOut, countsOut.
 * The first phase takes the largest shape; when the stream is synchronised, aclGetViewShape tells the real one, in
 * which the elements lie without gaps (a tensor with gaps keeps its strides). Such a tensor has the type of the
 * result, and shares no memory with an input. Without effect: sorted. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnUniqueDimGetWorkspaceSize(const aclTensor *self, bool sorted, bool returnInverse, int64_t dim,
    aclTensor *valueOut, aclTensor *inverseOut, aclTensor *countsOut, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnUniqueDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
