/* SPDX-License-Identifier: Apache-2.0
 *
 * Gradients of batch normalisation by its input, weight and bias; outputMask says which are wanted.
 * - With invstd = saveInvstd and mean = saveMean: gradWeight = sum gradOut (input - mean) invstd, gradBias = sum
 *   gradOut, gradInput = weight invstd (gradOut - gradBias / n - (input - mean) invstd gradWeight / n). training
 *   false: mean and invstd are those of the running statistics, gradInput = weight invstd gradOut; saved statistics
 *   are not read and may have any shape.
 * - gradOut and input have the same type and shape. What outputMask leaves out is not written and may be NULL.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_H
#define ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* gradInput = batch_norm_grad(gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training, eps)
 * if outputMask[0] else None; gradWeight = batch_norm_grad_weight(gradOut, input, runningMean, runningVar, saveMean,
 * saveInvstd, training, eps) if outputMask[1] else None; gradBias = batch_norm_grad_bias(gradOut, runningMean,
 * runningVar, saveMean, saveInvstd, training) if outputMask[2] else None. Types as the operator takes them. May be
 * NULL: weight, runningMean, runningVar, saveMean, saveInvstd, gradInput, gradWeight, gradBias. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *weight, const aclTensor *runningMean, const aclTensor *runningVar, const aclTensor *saveMean,
    const aclTensor *saveInvstd, bool training, double eps, const aclBoolArray *outputMask, aclTensor *gradInput,
    aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
