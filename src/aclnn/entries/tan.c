/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_tan.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Tan[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Tan[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Tan", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Tan[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Tan;
const jm_aclnn_row jm_aclnn_row_Tan = {
    "aclnnTan", param_Tan, term_Tan, statement_Tan, 2, 1, false};

aclnnStatus aclnnTanGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Tan, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTan(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Tan, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceTan[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceTan[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Tan", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceTan[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceTan;
const jm_aclnn_row jm_aclnn_row_InplaceTan = {
    "aclnnInplaceTan", param_InplaceTan, term_InplaceTan, statement_InplaceTan, 1, 1, false};

aclnnStatus aclnnInplaceTanGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceTan, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTan(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceTan, workspace, workspaceSize, executor, stream);
}
