/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements where the mask is true, in row-major order. self and mask broadcast to each other.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_MASKED_SELECT_H
#define ACLNNOP_ACLNN_MASKED_SELECT_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out, shape(out) = MaskedSelect(self, mask:bool). Types as the operator takes them. The shape depends on data: out.
 * The first phase takes the largest shape; when the stream is synchronised, aclGetViewShape tells the real one, in
 * which the elements lie without gaps (a tensor with gaps keeps its strides). Such a tensor has the type of the
 * result, and shares no memory with an input. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor *self, const aclTensor *mask, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaskedSelect(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
