/* SPDX-License-Identifier: Apache-2.0
 *
 * (x - mean) / sqrt(var + eps) * gamma + beta over the channels of a group; self is [N, C, ...] with HxW elements in
 * a channel. gamma NULL is 1, beta NULL is 0; meanOut and rstdOut = 1 / sqrt(var + eps) are [N, group].
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_GROUP_NORM_H
#define ACLNNOP_ACLNN_GROUP_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = group_norm(self, gamma, beta, group, eps); meanOut = groups(self, group).mean(axis=2); rstdOut = 1 /
 * sqrt(groups(self, group).var(axis=2) + eps). Types as the operator takes them. May be NULL: gamma, beta, meanOut,
 * rstdOut. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor *self, const aclTensor *gamma, const aclTensor *beta,
    int64_t N, int64_t C, int64_t HxW, int64_t group, double eps, aclTensor *out, aclTensor *meanOut,
    aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
