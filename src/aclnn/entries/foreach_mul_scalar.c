/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_mul_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachMulScalar[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMulScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMulScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMulScalar;
const jm_aclnn_row jm_aclnn_row_ForeachMulScalar = {
    "aclnnForeachMulScalar", param_ForeachMulScalar, term_ForeachMulScalar, statement_ForeachMulScalar, 3, 1, true};

aclnnStatus aclnnForeachMulScalarGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensor = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMulScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMulScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachMulScalarV2[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMulScalarV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMulScalarV2[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMulScalarV2;
const jm_aclnn_row jm_aclnn_row_ForeachMulScalarV2 = {
    "aclnnForeachMulScalarV2", param_ForeachMulScalarV2, term_ForeachMulScalarV2, statement_ForeachMulScalarV2, 3, 1, true};

aclnnStatus aclnnForeachMulScalarV2GetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalar = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMulScalarV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulScalarV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMulScalarV2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachMulScalarList[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalars", JM_ACLNN_SCALARS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachMulScalarList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachMulScalarList[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachMulScalarList;
const jm_aclnn_row jm_aclnn_row_ForeachMulScalarList = {
    "aclnnForeachMulScalarList", param_ForeachMulScalarList, term_ForeachMulScalarList, statement_ForeachMulScalarList, 3, 1, true};

aclnnStatus aclnnForeachMulScalarListGetWorkspaceSize(const aclTensorList *x, const aclScalarList *scalars,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalars = scalars},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachMulScalarList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulScalarList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachMulScalarList, workspace, workspaceSize, executor, stream);
}
