/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_nll_loss.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NLLLoss[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, false, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"ignoreIndex", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"totalWeightOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NLLLoss[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "NegativeLogLikelihoodLoss", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ignore_index", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
};
static const jm_aclnn_statement statement_NLLLoss[] = {
    {JM_RULE_KEEP, 0, 2, {5, 6}},
};
extern const jm_aclnn_row jm_aclnn_row_NLLLoss;
const jm_aclnn_row jm_aclnn_row_NLLLoss = {
    "aclnnNLLLoss", param_NLLLoss, term_NLLLoss, statement_NLLLoss, 7, 1, false};

aclnnStatus aclnnNLLLossGetWorkspaceSize(const aclTensor *self, const aclTensor *target, const aclTensor *weight,
    int64_t reduction, int64_t ignoreIndex, aclTensor *out, aclTensor *totalWeightOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = target},
        {.tensor = weight},
        {.i = reduction},
        {.i = ignoreIndex},
        {.tensor = out},
        {.tensor = totalWeightOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NLLLoss, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNLLLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NLLLoss, workspace, workspaceSize, executor, stream);
}
