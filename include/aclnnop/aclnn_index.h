/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements or slabs at tuples of indices: out = self[indices[0], indices[1], ...].
 * - One index for each dimension of self from the first on: int32 or int64 in [-d, d), or bool of the shape of the
 *   dimensions that it masks. A tensor of shape [0] that is no integer, or has the type of self, stands for the whole
 *   dimension. Indices broadcast to each other. Their dimensions take the place of those that they index where these
 *   are neighbours, else they come first.
 * - An index out of range writes nothing, and is the stream's error at its next synchronisation.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_INDEX_H
#define ACLNNOP_ACLNN_INDEX_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = IndexGet(self, shape(out), indices). Types as the operator takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor *self, const aclTensorList *indices, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnIndex(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
