/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_gelu_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_GeluBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_GeluBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "GeluGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_GeluBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_GeluBackward;
const jm_aclnn_row jm_aclnn_row_GeluBackward = {
    "aclnnGeluBackward", param_GeluBackward, term_GeluBackward, statement_GeluBackward, 3, 1, false};

aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_GeluBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGeluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_GeluBackward, workspace, workspaceSize, executor, stream);
}
