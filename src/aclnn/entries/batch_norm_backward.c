/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNormBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"runningMean", JM_ACLNN_TENSOR, true, true, false},
    {"runningVar", JM_ACLNN_TENSOR, true, true, false},
    {"saveMean", JM_ACLNN_TENSOR, true, true, false},
    {"saveInvstd", JM_ACLNN_TENSOR, true, true, false},
    {"training", JM_ACLNN_BOOL, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"outputMask", JM_ACLNN_BOOLS, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, true, false, true},
    {"gradWeight", JM_ACLNN_TENSOR, true, false, true},
    {"gradBias", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_BatchNormBackward[] = {
    {JM_TERM_NODE, 7, 3, 0, 0, "BatchNormGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "training", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "mask", 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BatchNormBackward[] = {
    {JM_RULE_KEEP, 0, 3, {10, 11, 12}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNormBackward;
const jm_aclnn_row jm_aclnn_row_BatchNormBackward = {
    "aclnnBatchNormBackward", param_BatchNormBackward, term_BatchNormBackward, statement_BatchNormBackward, 13, 1, false};

aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *weight, const aclTensor *runningMean, const aclTensor *runningVar, const aclTensor *saveMean,
    const aclTensor *saveInvstd, bool training, double eps, const aclBoolArray *outputMask, aclTensor *gradInput,
    aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.tensor = input},
        {.tensor = weight},
        {.tensor = runningMean},
        {.tensor = runningVar},
        {.tensor = saveMean},
        {.tensor = saveInvstd},
        {.i = training},
        {.f = eps},
        {.bools = outputMask},
        {.tensor = gradInput},
        {.tensor = gradWeight},
        {.tensor = gradBias},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNormBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNormBackward, workspace, workspaceSize, executor, stream);
}
