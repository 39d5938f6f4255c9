/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of AdamW in one pass: m and v are moved towards the gradient and its square, varRef by -lr (m / (1 -
 * beta1^t) / (sqrt(v / (1 - beta2^t)) + eps) + weightDecay varRef), where beta1Power = beta1^(t - 1) and beta2Power
 * likewise. With amsgrad the larger of v and maxGradNorm in the place of v; maxGradNorm stays as it is. varRef, mRef,
 * vRef, maxGradNorm and grad are float32, float16 or bfloat16 of one shape, computed in float32; the others have one
 * element.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_APPLY_ADAM_W_H
#define ACLNNOP_ACLNN_APPLY_ADAM_W_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* varRef = varRef * (1 - lr * weightDecay) - lr / (1 - beta1Power * beta1) * moved(mRef, beta1, upward(grad,
 * maximize)) / (sqrt(largest(moved(vRef, beta2, grad * grad), maxGradNorm, amsgrad) / (1 - beta2Power * beta2)) +
 * eps); mRef = moved(mRef, beta1, upward(grad, maximize)); vRef = moved(vRef, beta2, grad * grad). Types as the
 * operator takes and gives them. May be NULL: maxGradNorm. Changed in place: varRef, mRef, vRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnApplyAdamWGetWorkspaceSize(aclTensor *varRef, aclTensor *mRef, aclTensor *vRef,
    const aclTensor *beta1Power, const aclTensor *beta2Power, const aclTensor *lr, const aclTensor *weightDecay,
    const aclTensor *beta1, const aclTensor *beta2, const aclTensor *eps, const aclTensor *grad,
    const aclTensor *maxGradNorm, bool amsgrad, bool maximize, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnApplyAdamW(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
