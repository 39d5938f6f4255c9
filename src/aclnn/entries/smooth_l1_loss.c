/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_smooth_l1_loss.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_SmoothL1Loss[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"beta", JM_ACLNN_FLOAT, false, true, false},
    {"result", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_SmoothL1Loss[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "LossReduction", 0},
    {JM_TERM_NODE, 2, 1, 0, 0, "SmoothL1", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "beta", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
};
static const jm_aclnn_statement statement_SmoothL1Loss[] = {
    {JM_RULE_FLOAT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_SmoothL1Loss;
const jm_aclnn_row jm_aclnn_row_SmoothL1Loss = {
    "aclnnSmoothL1Loss", param_SmoothL1Loss, term_SmoothL1Loss, statement_SmoothL1Loss, 5, 1, false};

aclnnStatus aclnnSmoothL1LossGetWorkspaceSize(const aclTensor *self, const aclTensor *target, int64_t reduction,
    float beta, aclTensor *result, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = target},
        {.i = reduction},
        {.f = (double)beta},
        {.tensor = result},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SmoothL1Loss, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSmoothL1Loss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SmoothL1Loss, workspace, workspaceSize, executor, stream);
}
