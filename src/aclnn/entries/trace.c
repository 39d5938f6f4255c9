/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_trace.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Trace[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Trace[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "ReduceSum", 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_CAST, 1, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "EyeLike", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_Trace[] = {
    {JM_RULE_OUTPUT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Trace;
const jm_aclnn_row jm_aclnn_row_Trace = {
    "aclnnTrace", param_Trace, term_Trace, statement_Trace, 2, 1, false};

aclnnStatus aclnnTraceGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Trace, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTrace(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Trace, workspace, workspaceSize, executor, stream);
}
