/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_addcmul_scalar_list.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachAddcmulScalarList[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"x3", JM_ACLNN_TENSORS, false, true, false},
    {"scalars", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachAddcmulScalarList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ITEM, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachAddcmulScalarList[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachAddcmulScalarList;
const jm_aclnn_row jm_aclnn_row_ForeachAddcmulScalarList = {
    "aclnnForeachAddcmulScalarList", param_ForeachAddcmulScalarList, term_ForeachAddcmulScalarList, statement_ForeachAddcmulScalarList, 5, 1, true};

aclnnStatus aclnnForeachAddcmulScalarListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclTensorList *x3, const aclTensor *scalars, const aclTensorList *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.tensors = x3},
        {.tensor = scalars},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachAddcmulScalarList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcmulScalarList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachAddcmulScalarList, workspace, workspaceSize, executor, stream);
}
