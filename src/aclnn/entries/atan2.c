/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_atan2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Atan2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Atan2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Atan2", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Atan2[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Atan2;
const jm_aclnn_row jm_aclnn_row_Atan2 = {
    "aclnnAtan2", param_Atan2, term_Atan2, statement_Atan2, 3, 1, false};

aclnnStatus aclnnAtan2GetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Atan2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAtan2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Atan2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAtan2[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceAtan2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Atan2", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAtan2[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAtan2;
const jm_aclnn_row jm_aclnn_row_InplaceAtan2 = {
    "aclnnInplaceAtan2", param_InplaceAtan2, term_InplaceAtan2, statement_InplaceAtan2, 2, 1, false};

aclnnStatus aclnnInplaceAtan2GetWorkspaceSize(aclTensor *selfRef, const aclTensor *other, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAtan2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAtan2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAtan2, workspace, workspaceSize, executor, stream);
}
