/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_pow_list.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachPowList[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachPowList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachPowList[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachPowList;
const jm_aclnn_row jm_aclnn_row_ForeachPowList = {
    "aclnnForeachPowList", param_ForeachPowList, term_ForeachPowList, statement_ForeachPowList, 3, 1, true};

aclnnStatus aclnnForeachPowListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachPowList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachPowList, workspace, workspaceSize, executor, stream);
}
