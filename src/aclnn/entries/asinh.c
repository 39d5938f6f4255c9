/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_asinh.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Asinh[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Asinh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Asinh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Asinh[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Asinh;
const jm_aclnn_row jm_aclnn_row_Asinh = {
    "aclnnAsinh", param_Asinh, term_Asinh, statement_Asinh, 2, 1, false};

aclnnStatus aclnnAsinhGetWorkspaceSize(const aclTensor *input, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Asinh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAsinh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Asinh, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAsinh[] = {
    {"inputRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceAsinh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Asinh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAsinh[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAsinh;
const jm_aclnn_row jm_aclnn_row_InplaceAsinh = {
    "aclnnInplaceAsinh", param_InplaceAsinh, term_InplaceAsinh, statement_InplaceAsinh, 1, 1, false};

aclnnStatus aclnnInplaceAsinhGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = inputRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAsinh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAsinh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAsinh, workspace, workspaceSize, executor, stream);
}
