/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_dot.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Dot[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"tensor", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Dot[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Dot[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Dot;
const jm_aclnn_row jm_aclnn_row_Dot = {
    "aclnnDot", param_Dot, term_Dot, statement_Dot, 3, 1, false};

aclnnStatus aclnnDotGetWorkspaceSize(const aclTensor *self, const aclTensor *tensor, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = tensor},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Dot, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDot(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Dot, workspace, workspaceSize, executor, stream);
}
