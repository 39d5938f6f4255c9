/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_softmax_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_SoftmaxBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"output", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_SoftmaxBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceSum", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_SoftmaxBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_SoftmaxBackward;
const jm_aclnn_row jm_aclnn_row_SoftmaxBackward = {
    "aclnnSoftmaxBackward", param_SoftmaxBackward, term_SoftmaxBackward, statement_SoftmaxBackward, 4, 1, false};

aclnnStatus aclnnSoftmaxBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *output, int64_t dim,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = output},
        {.i = dim},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SoftmaxBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSoftmaxBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SoftmaxBackward, workspace, workspaceSize, executor, stream);
}
