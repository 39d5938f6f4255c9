/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BatchNormElemtBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"invstd", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"sumDy", JM_ACLNN_TENSOR, false, true, false},
    {"sumDyXmu", JM_ACLNN_TENSOR, false, true, false},
    {"counter", JM_ACLNN_TENSOR, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BatchNormElemtBackward[] = {
    {JM_TERM_NODE, 8, 0, 0, 0, "BatchNormGradInput", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
};
static const jm_aclnn_statement statement_BatchNormElemtBackward[] = {
    {JM_RULE_KEEP, 0, 1, {8}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchNormElemtBackward;
const jm_aclnn_row jm_aclnn_row_BatchNormElemtBackward = {
    "aclnnBatchNormElemtBackward", param_BatchNormElemtBackward, term_BatchNormElemtBackward, statement_BatchNormElemtBackward, 9, 1, false};

aclnnStatus aclnnBatchNormElemtBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *mean, const aclTensor *invstd, const aclTensor *weight, const aclTensor *sumDy,
    const aclTensor *sumDyXmu, const aclTensor *counter, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.tensor = input},
        {.tensor = mean},
        {.tensor = invstd},
        {.tensor = weight},
        {.tensor = sumDy},
        {.tensor = sumDyXmu},
        {.tensor = counter},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchNormElemtBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormElemtBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchNormElemtBackward, workspace, workspaceSize, executor, stream);
}
