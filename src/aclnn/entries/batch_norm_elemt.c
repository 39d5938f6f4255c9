/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm_elemt.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNormElemt[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"bias", JM_ACLNN_TENSOR, true, true, false},
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"invstd", JM_ACLNN_TENSOR, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, false, false},
    {"output", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BatchNormElemt[] = {
    {JM_TERM_NODE, 5, 1, 0, 0, "BatchNormalization", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "inverse", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_BatchNormElemt[] = {
    {JM_RULE_KEEP, 0, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNormElemt;
const jm_aclnn_row jm_aclnn_row_BatchNormElemt = {
    "aclnnBatchNormElemt", param_BatchNormElemt, term_BatchNormElemt, statement_BatchNormElemt, 7, 1, false};

aclnnStatus aclnnBatchNormElemtGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
    const aclTensor *bias, const aclTensor *mean, const aclTensor *invstd, double eps, aclTensor *output,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = weight},
        {.tensor = bias},
        {.tensor = mean},
        {.tensor = invstd},
        {.f = eps},
        {.tensor = output},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNormElemt, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormElemt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNormElemt, workspace, workspaceSize, executor, stream);
}
