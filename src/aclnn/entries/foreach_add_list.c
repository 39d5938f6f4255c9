/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_add_list.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachAddList[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"alpha", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachAddList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachAddList[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachAddList;
const jm_aclnn_row jm_aclnn_row_ForeachAddList = {
    "aclnnForeachAddList", param_ForeachAddList, term_ForeachAddList, statement_ForeachAddList, 4, 1, true};

aclnnStatus aclnnForeachAddListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclTensor *alpha, const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.tensor = alpha},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachAddList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachAddList, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachAddListV2[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachAddListV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachAddListV2[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachAddListV2;
const jm_aclnn_row jm_aclnn_row_ForeachAddListV2 = {
    "aclnnForeachAddListV2", param_ForeachAddListV2, term_ForeachAddListV2, statement_ForeachAddListV2, 4, 1, true};

aclnnStatus aclnnForeachAddListV2GetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclScalar *alpha, const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.scalar = alpha},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachAddListV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddListV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachAddListV2, workspace, workspaceSize, executor, stream);
}
