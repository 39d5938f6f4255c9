/* SPDX-License-Identifier: Apache-2.0
 *
 * Minus the log probability self of the target class, times the weight of the class, 0 where the target is
 * ignoreIndex; the sum (reduction 2), or the sum over totalWeightOut (1), which is the sum of the weights of all
 * targets, and 0 where several losses are not reduced.
 * - Shapes: self [N, C] or [C], target [N] or one element of rank 0, weight [C]. A target that is no class is the
 *   stream's error at its next synchronisation.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_NLL_LOSS_H
#define ACLNNOP_ACLNN_NLL_LOSS_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = nll(self, target, weight, reduction, ignoreIndex); totalWeightOut = nll_total(target, weight, reduction,
 * ignoreIndex). Types as the operator takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnNLLLossGetWorkspaceSize(const aclTensor *self, const aclTensor *target, const aclTensor *weight,
    int64_t reduction, int64_t ignoreIndex, aclTensor *out, aclTensor *totalWeightOut, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnNLLLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
