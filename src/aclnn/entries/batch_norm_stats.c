/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm_stats.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNormStats[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"mean", JM_ACLNN_TENSOR, false, false, true},
    {"invstd", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BatchNormStats[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "BatchNormStatistics", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BatchNormStats[] = {
    {JM_RULE_KEEP, 0, 2, {2, 3}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNormStats;
const jm_aclnn_row jm_aclnn_row_BatchNormStats = {
    "aclnnBatchNormStats", param_BatchNormStats, term_BatchNormStats, statement_BatchNormStats, 4, 1, false};

aclnnStatus aclnnBatchNormStatsGetWorkspaceSize(const aclTensor *input, double eps, aclTensor *mean,
    aclTensor *invstd, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.f = eps},
        {.tensor = mean},
        {.tensor = invstd},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNormStats, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormStats(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNormStats, workspace, workspaceSize, executor, stream);
}
