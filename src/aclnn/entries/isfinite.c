/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_isfinite.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IsFinite[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IsFinite[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsInf", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IsFinite[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_IsFinite;
const jm_aclnn_row jm_aclnn_row_IsFinite = {
    "aclnnIsFinite", param_IsFinite, term_IsFinite, statement_IsFinite, 2, 1, false};

aclnnStatus aclnnIsFiniteGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IsFinite, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIsFinite(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IsFinite, workspace, workspaceSize, executor, stream);
}
