/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bitwise_and_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BitwiseAndTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BitwiseAndTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseAnd", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BitwiseAndTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BitwiseAndTensor;
const jm_aclnn_row jm_aclnn_row_BitwiseAndTensor = {
    "aclnnBitwiseAndTensor", param_BitwiseAndTensor, term_BitwiseAndTensor, statement_BitwiseAndTensor, 3, 1, false};

aclnnStatus aclnnBitwiseAndTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BitwiseAndTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseAndTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BitwiseAndTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBitwiseAndTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceBitwiseAndTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "BitwiseAnd", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBitwiseAndTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBitwiseAndTensor;
const jm_aclnn_row jm_aclnn_row_InplaceBitwiseAndTensor = {
    "aclnnInplaceBitwiseAndTensor", param_InplaceBitwiseAndTensor, term_InplaceBitwiseAndTensor, statement_InplaceBitwiseAndTensor, 2, 1, false};

aclnnStatus aclnnInplaceBitwiseAndTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBitwiseAndTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseAndTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBitwiseAndTensor, workspace, workspaceSize, executor, stream);
}
