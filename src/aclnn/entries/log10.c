/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_log10.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Log10[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Log10[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log10", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Log10[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Log10;
const jm_aclnn_row jm_aclnn_row_Log10 = {
    "aclnnLog10", param_Log10, term_Log10, statement_Log10, 2, 1, false};

aclnnStatus aclnnLog10GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Log10, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLog10(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Log10, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLog10[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceLog10[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log10", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLog10[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLog10;
const jm_aclnn_row jm_aclnn_row_InplaceLog10 = {
    "aclnnInplaceLog10", param_InplaceLog10, term_InplaceLog10, statement_InplaceLog10, 1, 1, false};

aclnnStatus aclnnInplaceLog10GetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLog10, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog10(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLog10, workspace, workspaceSize, executor, stream);
}
