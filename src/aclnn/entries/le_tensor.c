/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_le_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LeTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LeTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "LessOrEqual", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LeTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LeTensor;
const jm_aclnn_row jm_aclnn_row_LeTensor = {
    "aclnnLeTensor", param_LeTensor, term_LeTensor, statement_LeTensor, 3, 1, false};

aclnnStatus aclnnLeTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LeTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLeTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LeTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLeTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceLeTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "LessOrEqual", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLeTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLeTensor;
const jm_aclnn_row jm_aclnn_row_InplaceLeTensor = {
    "aclnnInplaceLeTensor", param_InplaceLeTensor, term_InplaceLeTensor, statement_InplaceLeTensor, 2, 1, false};

aclnnStatus aclnnInplaceLeTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLeTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLeTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLeTensor, workspace, workspaceSize, executor, stream);
}
