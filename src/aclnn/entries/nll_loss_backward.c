/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_nll_loss_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NLLLossBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, false, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"ignoreIndex", JM_ACLNN_INT, false, true, false},
    {"totalWeight", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NLLLossBackward[] = {
    {JM_TERM_NODE, 5, 2, 0, 0, "NegativeLogLikelihoodLossGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ignore_index", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
};
static const jm_aclnn_statement statement_NLLLossBackward[] = {
    {JM_RULE_KEEP, 0, 1, {7}},
};
extern const jm_aclnn_row jm_aclnn_row_NLLLossBackward;
const jm_aclnn_row jm_aclnn_row_NLLLossBackward = {
    "aclnnNLLLossBackward", param_NLLLossBackward, term_NLLLossBackward, statement_NLLLossBackward, 8, 1, false};

aclnnStatus aclnnNLLLossBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclTensor *target, const aclTensor *weight, int64_t reduction, int64_t ignoreIndex,
    const aclTensor *totalWeight, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = target},
        {.tensor = weight},
        {.i = reduction},
        {.i = ignoreIndex},
        {.tensor = totalWeight},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NLLLossBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNLLLossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NLLLossBackward, workspace, workspaceSize, executor, stream);
}
