/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of LeakyRelu. self is its input or, with selfIsResult, its result, which says the same because
 * negativeSlope is then not negative.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_LEAKY_RELU_BACKWARD_H
#define ACLNNOP_ACLNN_LEAKY_RELU_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = where(self > 0, gradOutput, negativeSlope * gradOutput). Inputs of any mix of types are computed in their
 * common floating-point type, float32 for integers. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclScalar *negativeSlope, bool selfIsResult, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnLeakyReluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
