/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_atanh.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Atanh[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Atanh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Atanh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Atanh[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Atanh;
const jm_aclnn_row jm_aclnn_row_Atanh = {
    "aclnnAtanh", param_Atanh, term_Atanh, statement_Atanh, 2, 1, false};

aclnnStatus aclnnAtanhGetWorkspaceSize(const aclTensor *input, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Atanh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAtanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Atanh, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAtanh[] = {
    {"inputRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceAtanh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Atanh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAtanh[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAtanh;
const jm_aclnn_row jm_aclnn_row_InplaceAtanh = {
    "aclnnInplaceAtanh", param_InplaceAtanh, term_InplaceAtanh, statement_InplaceAtanh, 1, 1, false};

aclnnStatus aclnnInplaceAtanhGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = inputRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAtanh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAtanh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAtanh, workspace, workspaceSize, executor, stream);
}
