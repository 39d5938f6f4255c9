/* SPDX-License-Identifier: Apache-2.0
 *
 * Batch normalisation: (x - mean) / sqrt(var + eps) * weight + bias over all dimensions but the second.
 * - training true: with the mean and variance of the input, which are also stored: saveMean, and saveInvstd = 1 /
 *   sqrt(var + eps). Running statistics, where given, become (1 - momentum) times themselves plus momentum times the
 *   mean, or the variance with a divisor of one less than the count. training false: with the running statistics;
 *   saveMean and saveInvstd are not written and may have any shape.
 * - input [N, C, ...], float32, float16 or bfloat16; vectors of C elements, each of any of these types.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BATCH_NORM_H
#define ACLNNOP_ACLNN_BATCH_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* output = batch_norm(input, weight, bias, runningMean, runningVar, training, eps); saveMean = channel_mean(input) if
 * training else None; saveInvstd = channel_invstd(input, eps) if training else None; runningMean =
 * running(runningMean, channel_mean(input), momentum, training, input); runningVar = running(runningVar,
 * channel_var(input, 1), momentum, training, input). Types as the operator takes them. May be NULL: weight, bias,
 * runningMean, runningVar, saveMean, saveInvstd. Changed in place: runningMean, runningVar. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor *input, const aclTensor *weight, const aclTensor *bias,
    aclTensor *runningMean, aclTensor *runningVar, bool training, double momentum, double eps, aclTensor *output,
    aclTensor *saveMean, aclTensor *saveInvstd, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
