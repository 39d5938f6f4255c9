/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNorm[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"bias", JM_ACLNN_TENSOR, true, true, false},
    {"runningMean", JM_ACLNN_TENSOR, true, true, true},
    {"runningVar", JM_ACLNN_TENSOR, true, true, true},
    {"training", JM_ACLNN_BOOL, false, true, false},
    {"momentum", JM_ACLNN_FLOAT, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"output", JM_ACLNN_TENSOR, false, false, true},
    {"saveMean", JM_ACLNN_TENSOR, true, false, true},
    {"saveInvstd", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_BatchNorm[] = {
    {JM_TERM_NODE, 5, 3, 0, 0, "BatchNorm", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "training", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "momentum", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BatchNorm[] = {
    {JM_RULE_KEEP, 0, 5, {8, 9, 10, 3, 4}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNorm;
const jm_aclnn_row jm_aclnn_row_BatchNorm = {
    "aclnnBatchNorm", param_BatchNorm, term_BatchNorm, statement_BatchNorm, 11, 1, false};

aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor *input, const aclTensor *weight, const aclTensor *bias,
    aclTensor *runningMean, aclTensor *runningVar, bool training, double momentum, double eps, aclTensor *output,
    aclTensor *saveMean, aclTensor *saveInvstd, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = weight},
        {.tensor = bias},
        {.tensor = runningMean},
        {.tensor = runningVar},
        {.i = training},
        {.f = momentum},
        {.f = eps},
        {.tensor = output},
        {.tensor = saveMean},
        {.tensor = saveInvstd},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNorm, workspace, workspaceSize, executor, stream);
}
