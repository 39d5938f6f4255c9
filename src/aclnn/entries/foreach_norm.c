/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_norm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachNorm[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachNorm[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "VectorNorm", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ord", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachNorm[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachNorm;
const jm_aclnn_row jm_aclnn_row_ForeachNorm = {
    "aclnnForeachNorm", param_ForeachNorm, term_ForeachNorm, statement_ForeachNorm, 3, 1, true};

aclnnStatus aclnnForeachNormGetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalar = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachNorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachNorm, workspace, workspaceSize, executor, stream);
}
