/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_gelu_backward_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_GeluBackwardV2[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"approximate", JM_ACLNN_STRING, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_GeluBackwardV2[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "GeluGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "approximate", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_GeluBackwardV2[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_GeluBackwardV2;
const jm_aclnn_row jm_aclnn_row_GeluBackwardV2 = {
    "aclnnGeluBackwardV2", param_GeluBackwardV2, term_GeluBackwardV2, statement_GeluBackwardV2, 4, 1, false};

aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const char *approximate, aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.string = approximate},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_GeluBackwardV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGeluBackwardV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_GeluBackwardV2, workspace, workspaceSize, executor, stream);
}
