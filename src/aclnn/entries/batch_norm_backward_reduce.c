/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm_backward_reduce.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNormReduceBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"invstd", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, false, false},
    {"inputG", JM_ACLNN_BOOL, false, true, false},
    {"weightG", JM_ACLNN_BOOL, false, true, false},
    {"biasG", JM_ACLNN_BOOL, false, true, false},
    {"sumDy", JM_ACLNN_TENSOR, true, false, true},
    {"sumDyXmu", JM_ACLNN_TENSOR, true, false, true},
    {"gradWeight", JM_ACLNN_TENSOR, true, false, true},
    {"gradBias", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_BatchNormReduceBackward[] = {
    {JM_TERM_NODE, 4, 3, 0, 0, "BatchNormGradSums", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "input_g", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "weight_g", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "bias_g", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BatchNormReduceBackward[] = {
    {JM_RULE_KEEP, 0, 4, {8, 9, 10, 11}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNormReduceBackward;
const jm_aclnn_row jm_aclnn_row_BatchNormReduceBackward = {
    "aclnnBatchNormReduceBackward", param_BatchNormReduceBackward, term_BatchNormReduceBackward, statement_BatchNormReduceBackward, 12, 1, false};

aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *mean, const aclTensor *invstd, const aclTensor *weight, bool inputG, bool weightG, bool biasG,
    aclTensor *sumDy, aclTensor *sumDyXmu, aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.tensor = input},
        {.tensor = mean},
        {.tensor = invstd},
        {.tensor = weight},
        {.i = inputG},
        {.i = weightG},
        {.i = biasG},
        {.tensor = sumDy},
        {.tensor = sumDyXmu},
        {.tensor = gradWeight},
        {.tensor = gradBias},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNormReduceBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormReduceBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNormReduceBackward, workspace, workspaceSize, executor, stream);
}
