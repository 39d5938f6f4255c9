/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_ne_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NeTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NeTensor[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_NeTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_NeTensor;
const jm_aclnn_row jm_aclnn_row_NeTensor = {
    "aclnnNeTensor", param_NeTensor, term_NeTensor, statement_NeTensor, 3, 1, false};

aclnnStatus aclnnNeTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NeTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNeTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NeTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceNeTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceNeTensor[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceNeTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceNeTensor;
const jm_aclnn_row jm_aclnn_row_InplaceNeTensor = {
    "aclnnInplaceNeTensor", param_InplaceNeTensor, term_InplaceNeTensor, statement_InplaceNeTensor, 2, 1, false};

aclnnStatus aclnnInplaceNeTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceNeTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNeTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceNeTensor, workspace, workspaceSize, executor, stream);
}
