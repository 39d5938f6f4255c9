/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over each channel: sumDy = sum gradOut, sumDyXmu = sum gradOut (input - mean), gradWeight = sumDyXmu invstd,
 * gradBias = sumDy. What the flags leave out is not written and may be NULL.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H
#define ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* sumDy = channel_sum(gradOut) if inputG else None; sumDyXmu = channel_sum(gradOut * (input - column(mean))) if
 * inputG else None; gradWeight = channel_sum(gradOut * (input - column(mean))) * invstd if weightG else None;
 * gradBias = channel_sum(gradOut) if biasG else None. Types as the operator takes them. May be NULL: weight, sumDy,
 * sumDyXmu, gradWeight, gradBias. Without effect: weight. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *mean, const aclTensor *invstd, const aclTensor *weight, bool inputG, bool weightG, bool biasG,
    aclTensor *sumDy, aclTensor *sumDyXmu, aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormReduceBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
