/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_tanh_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_TanhBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"output", JM_ACLNN_TENSOR, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_TanhBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "TanhGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_TanhBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_TanhBackward;
const jm_aclnn_row jm_aclnn_row_TanhBackward = {
    "aclnnTanhBackward", param_TanhBackward, term_TanhBackward, statement_TanhBackward, 3, 1, false};

aclnnStatus aclnnTanhBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *output,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = output},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_TanhBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTanhBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_TanhBackward, workspace, workspaceSize, executor, stream);
}
