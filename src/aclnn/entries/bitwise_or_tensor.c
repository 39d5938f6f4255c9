/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bitwise_or_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BitwiseOrTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BitwiseOrTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseOr", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BitwiseOrTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BitwiseOrTensor;
const jm_aclnn_row jm_aclnn_row_BitwiseOrTensor = {
    "aclnnBitwiseOrTensor", param_BitwiseOrTensor, term_BitwiseOrTensor, statement_BitwiseOrTensor, 3, 1, false};

aclnnStatus aclnnBitwiseOrTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BitwiseOrTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseOrTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BitwiseOrTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBitwiseOrTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceBitwiseOrTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseOr", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBitwiseOrTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBitwiseOrTensor;
const jm_aclnn_row jm_aclnn_row_InplaceBitwiseOrTensor = {
    "aclnnInplaceBitwiseOrTensor", param_InplaceBitwiseOrTensor, term_InplaceBitwiseOrTensor, statement_InplaceBitwiseOrTensor, 2, 1, false};

aclnnStatus aclnnInplaceBitwiseOrTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBitwiseOrTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseOrTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBitwiseOrTensor, workspace, workspaceSize, executor, stream);
}
