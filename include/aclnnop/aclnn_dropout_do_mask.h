/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements whose bit is 1 over 1 - prob, and 0 for the others. The mask is one of DropoutGenMask or DropoutV3, of any
 * shape; with prob 0 the elements stay as they are, with 1 all are 0.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_DROPOUT_DO_MASK_H
#define ACLNNOP_ACLNN_DROPOUT_DO_MASK_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = DropoutApply(self, mask, prob=prob). Types as the operator takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutDoMaskGetWorkspaceSize(const aclTensor *self, const aclTensor *mask, double prob,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutDoMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
