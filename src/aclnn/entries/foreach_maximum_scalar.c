/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_maximum_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachMaximumScalar[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMaximumScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMaximumScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMaximumScalar;
const jm_aclnn_row jm_aclnn_row_ForeachMaximumScalar = {
    "aclnnForeachMaximumScalar", param_ForeachMaximumScalar, term_ForeachMaximumScalar, statement_ForeachMaximumScalar, 3, 1, true};

aclnnStatus aclnnForeachMaximumScalarGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensor = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMaximumScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMaximumScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachMaximumScalarV2[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMaximumScalarV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMaximumScalarV2[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMaximumScalarV2;
const jm_aclnn_row jm_aclnn_row_ForeachMaximumScalarV2 = {
    "aclnnForeachMaximumScalarV2", param_ForeachMaximumScalarV2, term_ForeachMaximumScalarV2, statement_ForeachMaximumScalarV2, 3, 1, true};

aclnnStatus aclnnForeachMaximumScalarV2GetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalar = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMaximumScalarV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumScalarV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMaximumScalarV2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachMaximumScalarList[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalars", JM_ACLNN_SCALARS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMaximumScalarList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMaximumScalarList[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMaximumScalarList;
const jm_aclnn_row jm_aclnn_row_ForeachMaximumScalarList = {
    "aclnnForeachMaximumScalarList", param_ForeachMaximumScalarList, term_ForeachMaximumScalarList, statement_ForeachMaximumScalarList, 3, 1, true};

aclnnStatus aclnnForeachMaximumScalarListGetWorkspaceSize(const aclTensorList *x, const aclScalarList *scalars,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalars = scalars},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMaximumScalarList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumScalarList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMaximumScalarList, workspace, workspaceSize, executor, stream);
}
