/* SPDX-License-Identifier: Apache-2.0
 *
 * Gradients of group normalisation; outputMask says which are wanted, others may be NULL.
 * - With xhat = (input - mean) rstd and g = gradOut gamma: gradInput = rstd (g - mean g - xhat mean(g xhat)), means
 *   over a group; gradGammaOut = sum gradOut xhat, gradBetaOut = sum gradOut over images and points. float64 too.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H
#define ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* gradInput = group_norm_grad(gradOut, input, mean, rstd, gamma) if outputMask[0] else None; gradGammaOut =
 * channel_sum(gradOut * group_norm_hat(input, mean, rstd)) if outputMask[1] else None; gradBetaOut =
 * channel_sum(gradOut) if outputMask[2] else None. Types as the operator takes them. May be NULL: gamma, gradInput,
 * gradGammaOut, gradBetaOut. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *mean, const aclTensor *rstd, const aclTensor *gamma, int64_t N, int64_t C, int64_t HxW,
    int64_t group, const aclBoolArray *outputMask, aclTensor *gradInput, aclTensor *gradGammaOut,
    aclTensor *gradBetaOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
