/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_hardsigmoid_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_HardsigmoidBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_HardsigmoidBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "HardSigmoidGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_HardsigmoidBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_HardsigmoidBackward;
const jm_aclnn_row jm_aclnn_row_HardsigmoidBackward = {
    "aclnnHardsigmoidBackward", param_HardsigmoidBackward, term_HardsigmoidBackward, statement_HardsigmoidBackward, 3, 1, false};

aclnnStatus aclnnHardsigmoidBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_HardsigmoidBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoidBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_HardsigmoidBackward, workspace, workspaceSize, executor, stream);
}
