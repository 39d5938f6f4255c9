/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_tanh.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Tanh[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Tanh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Tanh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Tanh[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Tanh;
const jm_aclnn_row jm_aclnn_row_Tanh = {
    "aclnnTanh", param_Tanh, term_Tanh, statement_Tanh, 2, 1, false};

aclnnStatus aclnnTanhGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Tanh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Tanh, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceTanh[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceTanh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Tanh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceTanh[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceTanh;
const jm_aclnn_row jm_aclnn_row_InplaceTanh = {
    "aclnnInplaceTanh", param_InplaceTanh, term_InplaceTanh, statement_InplaceTanh, 1, 1, false};

aclnnStatus aclnnInplaceTanhGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceTanh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceTanh, workspace, workspaceSize, executor, stream);
}
