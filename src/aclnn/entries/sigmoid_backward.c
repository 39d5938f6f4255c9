/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sigmoid_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_SigmoidBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"output", JM_ACLNN_TENSOR, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_SigmoidBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "SigmoidGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_SigmoidBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_SigmoidBackward;
const jm_aclnn_row jm_aclnn_row_SigmoidBackward = {
    "aclnnSigmoidBackward", param_SigmoidBackward, term_SigmoidBackward, statement_SigmoidBackward, 3, 1, false};

aclnnStatus aclnnSigmoidBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *output,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = output},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SigmoidBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSigmoidBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SigmoidBackward, workspace, workspaceSize, executor, stream);
}
