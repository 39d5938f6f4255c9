/* SPDX-License-Identifier: Apache-2.0
 *
 * The loss scale after a step: times backoffFactor where foundInf is not 0; times growthFactor where growthInterval
 * steps without that have passed, unless the product is not finite. The counter of such steps begins again after
 * either. Outputs may be the tensors of the inputs.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H
#define ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* updatedScale = where(foundInf != 0, currentScale * backoffFactor, where(growthTracker + 1 == growthInterval,
 * currentScale * growthFactor, currentScale)); updatedGrowthTracker = where(logical_or(foundInf != 0, growthTracker +
 * 1 == growthInterval), 0, growthTracker + 1). Inputs of any mix of types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAmpUpdateScaleGetWorkspaceSize(const aclTensor *currentScale, const aclTensor *growthTracker,
    const aclTensor *foundInf, double growthFactor, double backoffFactor, int64_t growthInterval,
    aclTensor *updatedScale, aclTensor *updatedGrowthTracker, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnAmpUpdateScale(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
