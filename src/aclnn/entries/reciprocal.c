/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_reciprocal.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Reciprocal[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Reciprocal[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Reciprocal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Reciprocal[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Reciprocal;
const jm_aclnn_row jm_aclnn_row_Reciprocal = {
    "aclnnReciprocal", param_Reciprocal, term_Reciprocal, statement_Reciprocal, 2, 1, false};

aclnnStatus aclnnReciprocalGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Reciprocal, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnReciprocal(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Reciprocal, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceReciprocal[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceReciprocal[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Reciprocal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceReciprocal[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceReciprocal;
const jm_aclnn_row jm_aclnn_row_InplaceReciprocal = {
    "aclnnInplaceReciprocal", param_InplaceReciprocal, term_InplaceReciprocal, statement_InplaceReciprocal, 1, 1, false};

aclnnStatus aclnnInplaceReciprocalGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceReciprocal, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceReciprocal(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceReciprocal, workspace, workspaceSize, executor, stream);
}
