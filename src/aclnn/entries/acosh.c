/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_acosh.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Acosh[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Acosh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Acosh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Acosh[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Acosh;
const jm_aclnn_row jm_aclnn_row_Acosh = {
    "aclnnAcosh", param_Acosh, term_Acosh, statement_Acosh, 2, 1, false};

aclnnStatus aclnnAcoshGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Acosh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAcosh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Acosh, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAcosh[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceAcosh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Acosh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAcosh[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAcosh;
const jm_aclnn_row jm_aclnn_row_InplaceAcosh = {
    "aclnnInplaceAcosh", param_InplaceAcosh, term_InplaceAcosh, statement_InplaceAcosh, 1, 1, false};

aclnnStatus aclnnInplaceAcoshGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAcosh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAcosh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAcosh, workspace, workspaceSize, executor, stream);
}
