/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradient of BinaryCrossEntropy. That of the mean is divided by the number of elements of out.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_BACKWARD_H
#define ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = shared(weighted(gradOutput * (self - target) / (self * (1 - self)), weight), reduction). Inputs of any mix of
 * types are computed in their common floating-point type, float32 for integers. May be NULL: weight. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclTensor *target, const aclTensor *weight, int64_t reduction, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBinaryCrossEntropyBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
