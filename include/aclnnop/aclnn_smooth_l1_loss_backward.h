/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of SmoothL1Loss. That of the mean is divided by the number of elements of gradInput.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H
#define ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* gradInput = shared(gradOut * clip((self - target) / beta, -1, 1), reduction). Inputs of any mix of types are
 * computed in their common floating-point type, float32 for integers. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnSmoothL1LossBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *self,
    const aclTensor *target, int64_t reduction, float beta, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSmoothL1LossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
