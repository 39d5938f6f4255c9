/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_atan.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Atan[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Atan[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Atan", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Atan[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Atan;
const jm_aclnn_row jm_aclnn_row_Atan = {
    "aclnnAtan", param_Atan, term_Atan, statement_Atan, 2, 1, false};

aclnnStatus aclnnAtanGetWorkspaceSize(const aclTensor *input, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Atan, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAtan(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Atan, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAtan[] = {
    {"inputRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceAtan[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Atan", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAtan[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAtan;
const jm_aclnn_row jm_aclnn_row_InplaceAtan = {
    "aclnnInplaceAtan", param_InplaceAtan, term_InplaceAtan, statement_InplaceAtan, 1, 1, false};

aclnnStatus aclnnInplaceAtanGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = inputRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAtan, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAtan(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAtan, workspace, workspaceSize, executor, stream);
}
