/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_minimum_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachMinimumScalar[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMinimumScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMinimumScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMinimumScalar;
const jm_aclnn_row jm_aclnn_row_ForeachMinimumScalar = {
    "aclnnForeachMinimumScalar", param_ForeachMinimumScalar, term_ForeachMinimumScalar, statement_ForeachMinimumScalar, 3, 1, true};

aclnnStatus aclnnForeachMinimumScalarGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensor = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMinimumScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMinimumScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachMinimumScalarV2[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMinimumScalarV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMinimumScalarV2[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMinimumScalarV2;
const jm_aclnn_row jm_aclnn_row_ForeachMinimumScalarV2 = {
    "aclnnForeachMinimumScalarV2", param_ForeachMinimumScalarV2, term_ForeachMinimumScalarV2, statement_ForeachMinimumScalarV2, 3, 1, true};

aclnnStatus aclnnForeachMinimumScalarV2GetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalar = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMinimumScalarV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumScalarV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMinimumScalarV2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachMinimumScalarList[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalars", JM_ACLNN_SCALARS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMinimumScalarList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMinimumScalarList[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMinimumScalarList;
const jm_aclnn_row jm_aclnn_row_ForeachMinimumScalarList = {
    "aclnnForeachMinimumScalarList", param_ForeachMinimumScalarList, term_ForeachMinimumScalarList, statement_ForeachMinimumScalarList, 3, 1, true};

aclnnStatus aclnnForeachMinimumScalarListGetWorkspaceSize(const aclTensorList *x, const aclScalarList *scalars,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalars = scalars},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMinimumScalarList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumScalarList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMinimumScalarList, workspace, workspaceSize, executor, stream);
}
