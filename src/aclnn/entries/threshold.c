/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_threshold.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Threshold[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"threshold", JM_ACLNN_SCALAR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Threshold[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Greater", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Threshold[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Threshold;
const jm_aclnn_row jm_aclnn_row_Threshold = {
    "aclnnThreshold", param_Threshold, term_Threshold, statement_Threshold, 4, 1, false};

aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor *self, const aclScalar *threshold, const aclScalar *value,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = threshold},
        {.scalar = value},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Threshold, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnThreshold(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Threshold, workspace, workspaceSize, executor, stream);
}
