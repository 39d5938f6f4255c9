/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_eq_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_EqScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_EqScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_EqScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_EqScalar;
const jm_aclnn_row jm_aclnn_row_EqScalar = {
    "aclnnEqScalar", param_EqScalar, term_EqScalar, statement_EqScalar, 3, 1, false};

aclnnStatus aclnnEqScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_EqScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnEqScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_EqScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceEqScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceEqScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceEqScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceEqScalar;
const jm_aclnn_row jm_aclnn_row_InplaceEqScalar = {
    "aclnnInplaceEqScalar", param_InplaceEqScalar, term_InplaceEqScalar, statement_InplaceEqScalar, 2, 1, false};

aclnnStatus aclnnInplaceEqScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceEqScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceEqScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceEqScalar, workspace, workspaceSize, executor, stream);
}
