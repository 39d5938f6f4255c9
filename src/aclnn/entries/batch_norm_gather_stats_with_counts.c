/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm_gather_stats_with_counts.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNormGatherStatsWithCounts[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"invstd", JM_ACLNN_TENSOR, false, true, false},
    {"runningMean", JM_ACLNN_TENSOR, true, true, true},
    {"runningVar", JM_ACLNN_TENSOR, true, true, true},
    {"momentum", JM_ACLNN_FLOAT, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"counts", JM_ACLNN_TENSOR, false, true, false},
    {"meanAll", JM_ACLNN_TENSOR, false, false, true},
    {"invstdAll", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BatchNormGatherStatsWithCounts[] = {
    {JM_TERM_NODE, 6, 2, 0, 0, "BatchNormGatherStatistics", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "momentum", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BatchNormGatherStatsWithCounts[] = {
    {JM_RULE_KEEP, 0, 4, {8, 9, 3, 4}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNormGatherStatsWithCounts;
const jm_aclnn_row jm_aclnn_row_BatchNormGatherStatsWithCounts = {
    "aclnnBatchNormGatherStatsWithCounts", param_BatchNormGatherStatsWithCounts, term_BatchNormGatherStatsWithCounts, statement_BatchNormGatherStatsWithCounts, 10, 1, false};

aclnnStatus aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(const aclTensor *input, const aclTensor *mean,
    const aclTensor *invstd, aclTensor *runningMean, aclTensor *runningVar, double momentum, double eps,
    const aclTensor *counts, aclTensor *meanAll, aclTensor *invstdAll, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = mean},
        {.tensor = invstd},
        {.tensor = runningMean},
        {.tensor = runningVar},
        {.f = momentum},
        {.f = eps},
        {.tensor = counts},
        {.tensor = meanAll},
        {.tensor = invstdAll},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNormGatherStatsWithCounts, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormGatherStatsWithCounts(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNormGatherStatsWithCounts, workspace, workspaceSize, executor, stream);
}
