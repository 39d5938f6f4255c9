/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_swish.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Swish[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, true, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Swish[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Exp", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Neg", 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_Swish[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Swish;
const jm_aclnn_row jm_aclnn_row_Swish = {
    "aclnnSwish", param_Swish, term_Swish, statement_Swish, 3, 1, false};

aclnnStatus aclnnSwishGetWorkspaceSize(const aclTensor *self, const aclScalar *beta, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = beta},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Swish, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSwish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Swish, workspace, workspaceSize, executor, stream);
}
