/* SPDX-License-Identifier: Apache-2.0
 *
 * Gradients of layer normalisation; outputMask says which are wanted, others may be NULL.
 * - With xhat = (input - mean) rstd and g = gradOut weight: gradInputOut = rstd (g - mean g - xhat mean(g xhat)),
 *   means over the last dimensions; gradWeightOut = sum gradOut xhat and gradBiasOut = sum gradOut over the others.
 *   float64 too.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H
#define ACLNNOP_ACLNN_LAYER_NORM_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* gradInputOut = layer_norm_grad(gradOut, input, mean, rstd, weight) if outputMask[0] else None; gradWeightOut =
 * (gradOut * (input - mean) * rstd).sum(axis=0) if outputMask[1] else None; gradBiasOut = gradOut.sum(axis=0) if
 * outputMask[2] else None. Types as the operator takes them. May be NULL: weight, bias, gradInputOut, gradWeightOut,
 * gradBiasOut. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclIntArray *normalizedShape, const aclTensor *mean, const aclTensor *rstd, const aclTensor *weight,
    const aclTensor *bias, const aclBoolArray *outputMask, aclTensor *gradInputOut, aclTensor *gradWeightOut,
    aclTensor *gradBiasOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnLayerNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
