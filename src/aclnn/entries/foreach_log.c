/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_log.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachLog[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachLog[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachLog[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachLog;
const jm_aclnn_row jm_aclnn_row_ForeachLog = {
    "aclnnForeachLog", param_ForeachLog, term_ForeachLog, statement_ForeachLog, 2, 1, true};

aclnnStatus aclnnForeachLogGetWorkspaceSize(const aclTensorList *x, const aclTensorList *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachLog, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachLog(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachLog, workspace, workspaceSize, executor, stream);
}
