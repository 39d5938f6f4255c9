/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sqrt.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Sqrt[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Sqrt[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sqrt", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Sqrt[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Sqrt;
const jm_aclnn_row jm_aclnn_row_Sqrt = {
    "aclnnSqrt", param_Sqrt, term_Sqrt, statement_Sqrt, 2, 1, false};

aclnnStatus aclnnSqrtGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Sqrt, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSqrt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Sqrt, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceSqrt[] = {
    {"self", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceSqrt[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sqrt", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceSqrt[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceSqrt;
const jm_aclnn_row jm_aclnn_row_InplaceSqrt = {
    "aclnnInplaceSqrt", param_InplaceSqrt, term_InplaceSqrt, statement_InplaceSqrt, 1, 1, false};

aclnnStatus aclnnInplaceSqrtGetWorkspaceSize(aclTensor *self, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceSqrt, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSqrt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceSqrt, workspace, workspaceSize, executor, stream);
}
