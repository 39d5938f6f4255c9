/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_div_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachDivScalar[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachDivScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachDivScalar[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachDivScalar;
const jm_aclnn_row jm_aclnn_row_ForeachDivScalar = {
    "aclnnForeachDivScalar", param_ForeachDivScalar, term_ForeachDivScalar, statement_ForeachDivScalar, 3, 1, true};

aclnnStatus aclnnForeachDivScalarGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensor = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachDivScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachDivScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachDivScalarV2[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachDivScalarV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachDivScalarV2[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachDivScalarV2;
const jm_aclnn_row jm_aclnn_row_ForeachDivScalarV2 = {
    "aclnnForeachDivScalarV2", param_ForeachDivScalarV2, term_ForeachDivScalarV2, statement_ForeachDivScalarV2, 3, 1, true};

aclnnStatus aclnnForeachDivScalarV2GetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalar = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachDivScalarV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivScalarV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachDivScalarV2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachDivScalarList[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalars", JM_ACLNN_SCALARS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachDivScalarList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachDivScalarList[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachDivScalarList;
const jm_aclnn_row jm_aclnn_row_ForeachDivScalarList = {
    "aclnnForeachDivScalarList", param_ForeachDivScalarList, term_ForeachDivScalarList, statement_ForeachDivScalarList, 3, 1, true};

aclnnStatus aclnnForeachDivScalarListGetWorkspaceSize(const aclTensorList *x, const aclScalarList *scalars,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalars = scalars},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachDivScalarList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivScalarList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachDivScalarList, workspace, workspaceSize, executor, stream);
}
