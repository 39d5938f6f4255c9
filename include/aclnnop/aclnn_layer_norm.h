/* SPDX-License-Identifier: Apache-2.0
 *
 * (x - mean) / sqrt(var + eps) * weight + bias over the last dimensions, which normalizedShape repeats; meanOut and
 * rstdOut = 1 / sqrt(var + eps) have 1 in their place. weight NULL is 1, bias NULL is 0.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_LAYER_NORM_H
#define ACLNNOP_ACLNN_LAYER_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = layer_norm(input, normalizedShape, weight, bias, eps); meanOut = row_mean(input, normalizedShape); rstdOut =
 * 1 / sqrt(row_var(input, normalizedShape) + eps). Types as the operator takes them. May be NULL: weight, bias,
 * meanOut, rstdOut. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnLayerNormGetWorkspaceSize(const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *weight, const aclTensor *bias, double eps, aclTensor *out, aclTensor *meanOut,
    aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/* out = layer_norm(input, normalizedShape, weight, bias, eps); meanOut = row_mean(input, normalizedShape); rstdOut =
 * 1 / sqrt(row_var(input, normalizedShape) + eps). Types as the operator takes them. May be NULL: weight, bias,
 * meanOut, rstdOut. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFastLayerNormGetWorkspaceSize(const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *weight, const aclTensor *bias, double eps, aclTensor *out, aclTensor *meanOut,
    aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFastLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
