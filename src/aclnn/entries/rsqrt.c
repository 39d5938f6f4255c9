/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_rsqrt.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Rsqrt[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Rsqrt[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Reciprocal", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Sqrt", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Rsqrt[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Rsqrt;
const jm_aclnn_row jm_aclnn_row_Rsqrt = {
    "aclnnRsqrt", param_Rsqrt, term_Rsqrt, statement_Rsqrt, 2, 1, false};

aclnnStatus aclnnRsqrtGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Rsqrt, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRsqrt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Rsqrt, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRsqrt[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceRsqrt[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Reciprocal", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Sqrt", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRsqrt[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRsqrt;
const jm_aclnn_row jm_aclnn_row_InplaceRsqrt = {
    "aclnnInplaceRsqrt", param_InplaceRsqrt, term_InplaceRsqrt, statement_InplaceRsqrt, 1, 1, false};

aclnnStatus aclnnInplaceRsqrtGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRsqrt, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRsqrt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRsqrt, workspace, workspaceSize, executor, stream);
}
