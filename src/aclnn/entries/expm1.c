/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_expm1.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Expm1[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Expm1[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Expm1", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Expm1[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Expm1;
const jm_aclnn_row jm_aclnn_row_Expm1 = {
    "aclnnExpm1", param_Expm1, term_Expm1, statement_Expm1, 2, 1, false};

aclnnStatus aclnnExpm1GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Expm1, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnExpm1(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Expm1, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceExpm1[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceExpm1[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Expm1", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceExpm1[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceExpm1;
const jm_aclnn_row jm_aclnn_row_InplaceExpm1 = {
    "aclnnInplaceExpm1", param_InplaceExpm1, term_InplaceExpm1, statement_InplaceExpm1, 1, 1, false};

aclnnStatus aclnnInplaceExpm1GetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceExpm1, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExpm1(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceExpm1, workspace, workspaceSize, executor, stream);
}
