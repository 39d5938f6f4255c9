/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_sub_list.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachSubList[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"alpha", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachSubList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachSubList[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachSubList;
const jm_aclnn_row jm_aclnn_row_ForeachSubList = {
    "aclnnForeachSubList", param_ForeachSubList, term_ForeachSubList, statement_ForeachSubList, 4, 1, true};

aclnnStatus aclnnForeachSubListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclTensor *alpha, const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.tensor = alpha},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachSubList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachSubList, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachSubListV2[] = {
    {"x1", JM_ACLNN_TENSORS, false, true, false},
    {"x2", JM_ACLNN_TENSORS, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachSubListV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachSubListV2[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachSubListV2;
const jm_aclnn_row jm_aclnn_row_ForeachSubListV2 = {
    "aclnnForeachSubListV2", param_ForeachSubListV2, term_ForeachSubListV2, statement_ForeachSubListV2, 4, 1, true};

aclnnStatus aclnnForeachSubListV2GetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclScalar *alpha, const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x1},
        {.tensors = x2},
        {.scalar = alpha},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachSubListV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubListV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachSubListV2, workspace, workspaceSize, executor, stream);
}
