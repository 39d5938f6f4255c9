/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_hardswish.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Hardswish[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Hardswish[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "HardSwish", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Hardswish[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Hardswish;
const jm_aclnn_row jm_aclnn_row_Hardswish = {
    "aclnnHardswish", param_Hardswish, term_Hardswish, statement_Hardswish, 2, 1, false};

aclnnStatus aclnnHardswishGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Hardswish, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnHardswish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Hardswish, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceHardswish[] = {
    {"self", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceHardswish[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "HardSwish", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceHardswish[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceHardswish;
const jm_aclnn_row jm_aclnn_row_InplaceHardswish = {
    "aclnnInplaceHardswish", param_InplaceHardswish, term_InplaceHardswish, statement_InplaceHardswish, 1, 1, false};

aclnnStatus aclnnInplaceHardswishGetWorkspaceSize(aclTensor *self, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceHardswish, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardswish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceHardswish, workspace, workspaceSize, executor, stream);
}
