/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_log1p.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Log1p[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Log1p[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log1p", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Log1p[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Log1p;
const jm_aclnn_row jm_aclnn_row_Log1p = {
    "aclnnLog1p", param_Log1p, term_Log1p, statement_Log1p, 2, 1, false};

aclnnStatus aclnnLog1pGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Log1p, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLog1p(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Log1p, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLog1p[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceLog1p[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log1p", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLog1p[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLog1p;
const jm_aclnn_row jm_aclnn_row_InplaceLog1p = {
    "aclnnInplaceLog1p", param_InplaceLog1p, term_InplaceLog1p, statement_InplaceLog1p, 1, 1, false};

aclnnStatus aclnnInplaceLog1pGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLog1p, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog1p(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLog1p, workspace, workspaceSize, executor, stream);
}
