/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_logsoftmax_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LogSoftmaxBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"output", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LogSoftmaxBackward[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Exp", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceSum", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_LogSoftmaxBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_LogSoftmaxBackward;
const jm_aclnn_row jm_aclnn_row_LogSoftmaxBackward = {
    "aclnnLogSoftmaxBackward", param_LogSoftmaxBackward, term_LogSoftmaxBackward, statement_LogSoftmaxBackward, 4, 1, false};

aclnnStatus aclnnLogSoftmaxBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *output, int64_t dim,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = output},
        {.i = dim},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LogSoftmaxBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogSoftmaxBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LogSoftmaxBackward, workspace, workspaceSize, executor, stream);
}
