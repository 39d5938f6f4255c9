/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of Hardswish; self is its input. At -3 it is 0 and at 3 that of the output, as PyTorch has it.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_HARDSWISH_BACKWARD_H
#define ACLNNOP_ACLNN_HARDSWISH_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = where(self <= -3, 0 * gradOutput, where(self < 3, gradOutput * (self / 3 + 0.5), gradOutput)). Inputs of any
 * mix of types are computed in their common floating-point type, float32 for integers. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnHardswishBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnHardswishBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
