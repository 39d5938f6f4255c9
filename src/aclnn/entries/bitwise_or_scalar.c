/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bitwise_or_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BitwiseOrScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BitwiseOrScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseOr", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BitwiseOrScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BitwiseOrScalar;
const jm_aclnn_row jm_aclnn_row_BitwiseOrScalar = {
    "aclnnBitwiseOrScalar", param_BitwiseOrScalar, term_BitwiseOrScalar, statement_BitwiseOrScalar, 3, 1, false};

aclnnStatus aclnnBitwiseOrScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BitwiseOrScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseOrScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BitwiseOrScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBitwiseOrScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceBitwiseOrScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseOr", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBitwiseOrScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBitwiseOrScalar;
const jm_aclnn_row jm_aclnn_row_InplaceBitwiseOrScalar = {
    "aclnnInplaceBitwiseOrScalar", param_InplaceBitwiseOrScalar, term_InplaceBitwiseOrScalar, statement_InplaceBitwiseOrScalar, 2, 1, false};

aclnnStatus aclnnInplaceBitwiseOrScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBitwiseOrScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseOrScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBitwiseOrScalar, workspace, workspaceSize, executor, stream);
}
