/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bitwise_xor_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BitwiseXorScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BitwiseXorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseXor", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BitwiseXorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BitwiseXorScalar;
const jm_aclnn_row jm_aclnn_row_BitwiseXorScalar = {
    "aclnnBitwiseXorScalar", param_BitwiseXorScalar, term_BitwiseXorScalar, statement_BitwiseXorScalar, 3, 1, false};

aclnnStatus aclnnBitwiseXorScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BitwiseXorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseXorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BitwiseXorScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBitwiseXorScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceBitwiseXorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseXor", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBitwiseXorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBitwiseXorScalar;
const jm_aclnn_row jm_aclnn_row_InplaceBitwiseXorScalar = {
    "aclnnInplaceBitwiseXorScalar", param_InplaceBitwiseXorScalar, term_InplaceBitwiseXorScalar, statement_InplaceBitwiseXorScalar, 2, 1, false};

aclnnStatus aclnnInplaceBitwiseXorScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBitwiseXorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseXorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBitwiseXorScalar, workspace, workspaceSize, executor, stream);
}
