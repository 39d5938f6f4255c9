/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of a whole batch from those of its parts, one row each in mean and invstd. Running statistics, where
 * given, move towards them as in training.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H
#define ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* meanAll = gathered_mean(mean, counts); invstdAll = 1 / sqrt(gathered_var(mean, invstd, counts, eps) + eps);
 * runningMean = running(runningMean, gathered_mean(mean, counts), momentum, 1, mean); runningVar =
 * running(runningVar, gathered_var(mean, invstd, counts, eps) * counts.sum() / (counts.sum() - 1), momentum, 1,
 * mean). Types as the operator takes them. May be NULL: runningMean, runningVar. Changed in place: runningMean,
 * runningVar. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(const aclTensor *input, const aclTensor *mean,
    const aclTensor *invstd, aclTensor *runningMean, aclTensor *runningVar, double momentum, double eps,
    const aclTensor *counts, aclTensor *meanAll, aclTensor *invstdAll, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchNormGatherStatsWithCounts(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
