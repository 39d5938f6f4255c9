/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_sin.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachSin[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachSin[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sin", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachSin[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachSin;
const jm_aclnn_row jm_aclnn_row_ForeachSin = {
    "aclnnForeachSin", param_ForeachSin, term_ForeachSin, statement_ForeachSin, 2, 1, true};

aclnnStatus aclnnForeachSinGetWorkspaceSize(const aclTensorList *x, const aclTensorList *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachSin, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachSin(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachSin, workspace, workspaceSize, executor, stream);
}
