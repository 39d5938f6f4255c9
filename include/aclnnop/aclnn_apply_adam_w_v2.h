/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of PyTorch's AdamW in one pass; t = step + 1: step counts the steps before this one, one int64 or float32.
 * With amsgrad maxGradNormOptionalRef keeps the largest v so far, which takes the place of v. varRef, mRef, vRef,
 * maxGradNormOptionalRef and grad are float32, float16 or bfloat16 of one shape, computed in float32.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_APPLY_ADAM_W_V2_H
#define ACLNNOP_ACLNN_APPLY_ADAM_W_V2_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* varRef = varRef * (1 - lr * weightDecay) - lr / (1 - beta1 ** (step + 1)) * moved(mRef, beta1, upward(grad,
 * maximize)) / (sqrt(largest(moved(vRef, beta2, grad * grad), maxGradNormOptionalRef, amsgrad)) / sqrt(1 - beta2 **
 * (step + 1)) + eps); mRef = moved(mRef, beta1, upward(grad, maximize)); vRef = moved(vRef, beta2, grad * grad);
 * maxGradNormOptionalRef = largest(moved(vRef, beta2, grad * grad), maxGradNormOptionalRef, amsgrad) if amsgrad else
 * maxGradNormOptionalRef. Types as the operator takes and gives them. May be NULL: maxGradNormOptionalRef. Changed in
 * place: varRef, mRef, vRef, maxGradNormOptionalRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnApplyAdamWV2GetWorkspaceSize(aclTensor *varRef, aclTensor *mRef, aclTensor *vRef,
    aclTensor *maxGradNormOptionalRef, const aclTensor *grad, const aclTensor *step, float lr, float beta1,
    float beta2, float weightDecay, float eps, bool amsgrad, bool maximize, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnApplyAdamWV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
