/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_cos.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachCos[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachCos[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Cos", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachCos[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachCos;
const jm_aclnn_row jm_aclnn_row_ForeachCos = {
    "aclnnForeachCos", param_ForeachCos, term_ForeachCos, statement_ForeachCos, 2, 1, true};

aclnnStatus aclnnForeachCosGetWorkspaceSize(const aclTensorList *x, const aclTensorList *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachCos, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachCos(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachCos, workspace, workspaceSize, executor, stream);
}
