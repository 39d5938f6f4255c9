/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bitwise_and_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BitwiseAndScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BitwiseAndScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseAnd", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BitwiseAndScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BitwiseAndScalar;
const jm_aclnn_row jm_aclnn_row_BitwiseAndScalar = {
    "aclnnBitwiseAndScalar", param_BitwiseAndScalar, term_BitwiseAndScalar, statement_BitwiseAndScalar, 3, 1, false};

aclnnStatus aclnnBitwiseAndScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BitwiseAndScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseAndScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BitwiseAndScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBitwiseAndScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceBitwiseAndScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseAnd", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBitwiseAndScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBitwiseAndScalar;
const jm_aclnn_row jm_aclnn_row_InplaceBitwiseAndScalar = {
    "aclnnInplaceBitwiseAndScalar", param_InplaceBitwiseAndScalar, term_InplaceBitwiseAndScalar, statement_InplaceBitwiseAndScalar, 2, 1, false};

aclnnStatus aclnnInplaceBitwiseAndScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBitwiseAndScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseAndScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBitwiseAndScalar, workspace, workspaceSize, executor, stream);
}
