/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_trunc.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Trunc[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Trunc[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Trunc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Trunc[] = {
    {JM_RULE_PROMOTE, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Trunc;
const jm_aclnn_row jm_aclnn_row_Trunc = {
    "aclnnTrunc", param_Trunc, term_Trunc, statement_Trunc, 2, 1, false};

aclnnStatus aclnnTruncGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Trunc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTrunc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Trunc, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceTrunc[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceTrunc[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Trunc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceTrunc[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceTrunc;
const jm_aclnn_row jm_aclnn_row_InplaceTrunc = {
    "aclnnInplaceTrunc", param_InplaceTrunc, term_InplaceTrunc, statement_InplaceTrunc, 1, 1, false};

aclnnStatus aclnnInplaceTruncGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceTrunc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTrunc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceTrunc, workspace, workspaceSize, executor, stream);
}
