/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_ceil.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Ceil[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Ceil[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Ceil", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Ceil[] = {
    {JM_RULE_PROMOTE, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Ceil;
const jm_aclnn_row jm_aclnn_row_Ceil = {
    "aclnnCeil", param_Ceil, term_Ceil, statement_Ceil, 2, 1, false};

aclnnStatus aclnnCeilGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Ceil, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCeil(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Ceil, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceCeil[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceCeil[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Ceil", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceCeil[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceCeil;
const jm_aclnn_row jm_aclnn_row_InplaceCeil = {
    "aclnnInplaceCeil", param_InplaceCeil, term_InplaceCeil, statement_InplaceCeil, 1, 1, false};

aclnnStatus aclnnInplaceCeilGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceCeil, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCeil(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceCeil, workspace, workspaceSize, executor, stream);
}
