/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of PyTorch's SGD in one pass for each tensor: the gradient is divided by gradScale, if any, and stored so;
 * with g its sum with weightDecay times the parameter, the momentum becomes momentum times itself plus (1 -
 * dampening) g, or g at the first step; the parameter moves by -lr times the momentum, with nesterov -lr (g +
 * momentum times that), and without momentums -lr g. Lists without momentums are NULL or empty, and momentum is then
 * 0. Tensors are float32, float16 or bfloat16.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_FUSED_SGD_H
#define ACLNNOP_ACLNN_FUSED_SGD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each item of the lists: paramsRef = paramsRef - lr * descent(paramsRef, gradsRef,
 * momentumBufferListOptionalRef, gradScale, weightDecay, momentum, dampening, nesterov, maximize, isFirstStep)[0];
 * gradsRef = gradsRef if gradScale is None else gradsRef / gradScale; momentumBufferListOptionalRef =
 * descent(paramsRef, gradsRef, momentumBufferListOptionalRef, gradScale, weightDecay, momentum, dampening, nesterov,
 * maximize, isFirstStep)[1]. Types as the operator takes and gives them. May be NULL: momentumBufferListOptionalRef,
 * gradScale. Changed in place: paramsRef, gradsRef, momentumBufferListOptionalRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFusedSgdGetWorkspaceSize(const aclTensorList *paramsRef, const aclTensorList *gradsRef,
    const aclTensorList *momentumBufferListOptionalRef, const aclTensor *gradScale, float weightDecay, float momentum,
    float lr, float dampening, bool nesterov, bool maximize, bool isFirstStep, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFusedSgd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
