/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_mul_list.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachMulList[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMulList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMulList[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMulList;
const jm_aclnn_row jm_aclnn_row_ForeachMulList = {
    "aclnnForeachMulList", param_ForeachMulList, term_ForeachMulList, statement_ForeachMulList, 3, 1, true};

aclnnStatus aclnnForeachMulListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMulList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMulList, workspace, workspaceSize, executor, stream);
}
