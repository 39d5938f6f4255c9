/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_ger.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Ger[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"vec2", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Ger[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_UNSQUEEZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Ger[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Ger;
const jm_aclnn_row jm_aclnn_row_Ger = {
    "aclnnGer", param_Ger, term_Ger, statement_Ger, 3, 1, false};

aclnnStatus aclnnGerGetWorkspaceSize(const aclTensor *self, const aclTensor *vec2, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = vec2},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Ger, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGer(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Ger, workspace, workspaceSize, executor, stream);
}
