/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of NLLLoss: minus gradOutput times the weight of the class (of the mean, over totalWeight) at the
 * target class, 0 elsewhere and where the target is ignored. gradOutput has the shape of NLLLoss's result.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_NLL_LOSS_BACKWARD_H
#define ACLNNOP_ACLNN_NLL_LOSS_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = nll_gradient(gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight). Types as the operator
 * takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnNLLLossBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclTensor *target, const aclTensor *weight, int64_t reduction, int64_t ignoreIndex,
    const aclTensor *totalWeight, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnNLLLossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
