/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_logical_or.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LogicalOr[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LogicalOr[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_LogicalOr[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LogicalOr;
const jm_aclnn_row jm_aclnn_row_LogicalOr = {
    "aclnnLogicalOr", param_LogicalOr, term_LogicalOr, statement_LogicalOr, 3, 1, false};

aclnnStatus aclnnLogicalOrGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LogicalOr, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogicalOr(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LogicalOr, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLogicalOr[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceLogicalOr[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLogicalOr[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLogicalOr;
const jm_aclnn_row jm_aclnn_row_InplaceLogicalOr = {
    "aclnnInplaceLogicalOr", param_InplaceLogicalOr, term_InplaceLogicalOr, statement_InplaceLogicalOr, 2, 1, false};

aclnnStatus aclnnInplaceLogicalOrGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLogicalOr, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalOr(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLogicalOr, workspace, workspaceSize, executor, stream);
}
