/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_logical_and.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LogicalAnd[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LogicalAnd[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "And", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_LogicalAnd[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LogicalAnd;
const jm_aclnn_row jm_aclnn_row_LogicalAnd = {
    "aclnnLogicalAnd", param_LogicalAnd, term_LogicalAnd, statement_LogicalAnd, 3, 1, false};

aclnnStatus aclnnLogicalAndGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LogicalAnd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogicalAnd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LogicalAnd, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLogicalAnd[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceLogicalAnd[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "And", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLogicalAnd[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLogicalAnd;
const jm_aclnn_row jm_aclnn_row_InplaceLogicalAnd = {
    "aclnnInplaceLogicalAnd", param_InplaceLogicalAnd, term_InplaceLogicalAnd, statement_InplaceLogicalAnd, 2, 1, false};

aclnnStatus aclnnInplaceLogicalAndGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLogicalAnd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalAnd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLogicalAnd, workspace, workspaceSize, executor, stream);
}
