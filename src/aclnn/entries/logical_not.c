/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_logical_not.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LogicalNot[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LogicalNot[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_LogicalNot[] = {
    {JM_RULE_KEEP, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_LogicalNot;
const jm_aclnn_row jm_aclnn_row_LogicalNot = {
    "aclnnLogicalNot", param_LogicalNot, term_LogicalNot, statement_LogicalNot, 2, 1, false};

aclnnStatus aclnnLogicalNotGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LogicalNot, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogicalNot(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LogicalNot, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLogicalNot[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceLogicalNot[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLogicalNot[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLogicalNot;
const jm_aclnn_row jm_aclnn_row_InplaceLogicalNot = {
    "aclnnInplaceLogicalNot", param_InplaceLogicalNot, term_InplaceLogicalNot, statement_InplaceLogicalNot, 1, 1, false};

aclnnStatus aclnnInplaceLogicalNotGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLogicalNot, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalNot(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLogicalNot, workspace, workspaceSize, executor, stream);
}
