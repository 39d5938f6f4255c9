/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bitwise_xor_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BitwiseXorTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BitwiseXorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseXor", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BitwiseXorTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BitwiseXorTensor;
const jm_aclnn_row jm_aclnn_row_BitwiseXorTensor = {
    "aclnnBitwiseXorTensor", param_BitwiseXorTensor, term_BitwiseXorTensor, statement_BitwiseXorTensor, 3, 1, false};

aclnnStatus aclnnBitwiseXorTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BitwiseXorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseXorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BitwiseXorTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBitwiseXorTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceBitwiseXorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseXor", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBitwiseXorTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBitwiseXorTensor;
const jm_aclnn_row jm_aclnn_row_InplaceBitwiseXorTensor = {
    "aclnnInplaceBitwiseXorTensor", param_InplaceBitwiseXorTensor, term_InplaceBitwiseXorTensor, statement_InplaceBitwiseXorTensor, 2, 1, false};

aclnnStatus aclnnInplaceBitwiseXorTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBitwiseXorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseXorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBitwiseXorTensor, workspace, workspaceSize, executor, stream);
}
