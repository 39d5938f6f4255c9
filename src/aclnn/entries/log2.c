/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_log2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Log2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Log2[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log2", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Log2[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Log2;
const jm_aclnn_row jm_aclnn_row_Log2 = {
    "aclnnLog2", param_Log2, term_Log2, statement_Log2, 2, 1, false};

aclnnStatus aclnnLog2GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Log2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLog2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Log2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLog2[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceLog2[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log2", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLog2[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLog2;
const jm_aclnn_row jm_aclnn_row_InplaceLog2 = {
    "aclnnInplaceLog2", param_InplaceLog2, term_InplaceLog2, statement_InplaceLog2, 1, 1, false};

aclnnStatus aclnnInplaceLog2GetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLog2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLog2, workspace, workspaceSize, executor, stream);
}
