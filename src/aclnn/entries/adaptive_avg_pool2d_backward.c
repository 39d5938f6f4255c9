/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_AdaptiveAvgPool2dBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AdaptiveAvgPool2dBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "AdaptiveAvgPool2dGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_AdaptiveAvgPool2dBackward[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_AdaptiveAvgPool2dBackward;
const jm_aclnn_row jm_aclnn_row_AdaptiveAvgPool2dBackward = {
    "aclnnAdaptiveAvgPool2dBackward", param_AdaptiveAvgPool2dBackward, term_AdaptiveAvgPool2dBackward, statement_AdaptiveAvgPool2dBackward, 3, 1, false};

aclnnStatus aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AdaptiveAvgPool2dBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAdaptiveAvgPool2dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AdaptiveAvgPool2dBackward, workspace, workspaceSize, executor, stream);
}
