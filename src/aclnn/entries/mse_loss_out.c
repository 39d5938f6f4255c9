/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_mse_loss_out.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_MseLossOut[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MseLossOut[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "LossReduction", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "SquaredError", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
};
static const jm_aclnn_statement statement_MseLossOut[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_MseLossOut;
const jm_aclnn_row jm_aclnn_row_MseLossOut = {
    "aclnnMseLossOut", param_MseLossOut, term_MseLossOut, statement_MseLossOut, 4, 1, false};

aclnnStatus aclnnMseLossOutGetWorkspaceSize(const aclTensor *self, const aclTensor *target, int64_t reduction,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = target},
        {.i = reduction},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MseLossOut, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMseLossOut(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MseLossOut, workspace, workspaceSize, executor, stream);
}
