/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_threshold_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ThresholdBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"threshold", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ThresholdBackward[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "ThresholdGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "threshold", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ThresholdBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ThresholdBackward;
const jm_aclnn_row jm_aclnn_row_ThresholdBackward = {
    "aclnnThresholdBackward", param_ThresholdBackward, term_ThresholdBackward, statement_ThresholdBackward, 4, 1, false};

aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclScalar *threshold, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.scalar = threshold},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ThresholdBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnThresholdBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ThresholdBackward, workspace, workspaceSize, executor, stream);
}
