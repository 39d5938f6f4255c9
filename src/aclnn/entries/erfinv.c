/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_erfinv.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Erfinv[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Erfinv[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Erfinv", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Erfinv[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Erfinv;
const jm_aclnn_row jm_aclnn_row_Erfinv = {
    "aclnnErfinv", param_Erfinv, term_Erfinv, statement_Erfinv, 2, 1, false};

aclnnStatus aclnnErfinvGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Erfinv, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnErfinv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Erfinv, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceErfinv[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceErfinv[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Erfinv", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceErfinv[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceErfinv;
const jm_aclnn_row jm_aclnn_row_InplaceErfinv = {
    "aclnnInplaceErfinv", param_InplaceErfinv, term_InplaceErfinv, statement_InplaceErfinv, 1, 1, false};

aclnnStatus aclnnInplaceErfinvGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceErfinv, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceErfinv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceErfinv, workspace, workspaceSize, executor, stream);
}
