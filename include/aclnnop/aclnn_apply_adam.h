/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of Adam as TensorFlow has it, in one pass: m and v are moved towards the gradient and its square, varRef by
 * -lr sqrt(1 - beta2Power) / (1 - beta1Power) m / (sqrt(v) + epsilon), with useNesterov beta1 m + (1 - beta1) grad in
 * the place of m. varRef, m, v and grad are float32, float16 or bfloat16 of one shape, computed in float32; the
 * others have one element.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_APPLY_ADAM_H
#define ACLNNOP_ACLNN_APPLY_ADAM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* varRef = varRef - lr * sqrt(1 - beta2Power) / (1 - beta1Power) * ahead(moved(m, beta1, grad), grad, beta1,
 * useNesterov) / (sqrt(moved(v, beta2, grad * grad)) + epsilon); m = moved(m, beta1, grad); v = moved(v, beta2, grad
 * * grad). Types as the operator takes and gives them. Changed in place: varRef, m, v. Without effect: useLocking. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnApplyAdamGetWorkspaceSize(aclTensor *varRef, aclTensor *m, aclTensor *v, const aclTensor *beta1Power,
    const aclTensor *beta2Power, const aclTensor *lr, const aclTensor *beta1, const aclTensor *beta2,
    const aclTensor *epsilon, const aclTensor *grad, bool useLocking, bool useNesterov, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnApplyAdam(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
