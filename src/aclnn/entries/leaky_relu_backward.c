/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_leaky_relu_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LeakyReluBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"negativeSlope", JM_ACLNN_SCALAR, false, true, false},
    {"selfIsResult", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LeakyReluBackward[] = {
    {JM_TERM_NODE, 2, 2, 0, 0, "LeakyReluGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "result", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LeakyReluBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_LeakyReluBackward;
const jm_aclnn_row jm_aclnn_row_LeakyReluBackward = {
    "aclnnLeakyReluBackward", param_LeakyReluBackward, term_LeakyReluBackward, statement_LeakyReluBackward, 5, 1, false};

aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclScalar *negativeSlope, bool selfIsResult, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.scalar = negativeSlope},
        {.i = selfIsResult},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LeakyReluBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLeakyReluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LeakyReluBackward, workspace, workspaceSize, executor, stream);
}
