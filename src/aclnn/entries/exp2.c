/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_exp2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Exp2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Exp2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 2},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Exp2[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Exp2;
const jm_aclnn_row jm_aclnn_row_Exp2 = {
    "aclnnExp2", param_Exp2, term_Exp2, statement_Exp2, 2, 1, false};

aclnnStatus aclnnExp2GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Exp2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnExp2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Exp2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceExp2[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceExp2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 2},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceExp2[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceExp2;
const jm_aclnn_row jm_aclnn_row_InplaceExp2 = {
    "aclnnInplaceExp2", param_InplaceExp2, term_InplaceExp2, statement_InplaceExp2, 1, 1, false};

aclnnStatus aclnnInplaceExp2GetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceExp2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExp2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceExp2, workspace, workspaceSize, executor, stream);
}
