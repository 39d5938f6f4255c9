/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_sub_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachSubScalar[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachSubScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachSubScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachSubScalar;
const jm_aclnn_row jm_aclnn_row_ForeachSubScalar = {
    "aclnnForeachSubScalar", param_ForeachSubScalar, term_ForeachSubScalar, statement_ForeachSubScalar, 3, 1, true};

aclnnStatus aclnnForeachSubScalarGetWorkspaceSize(const aclTensorList *x, const aclTensor *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.tensor = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachSubScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachSubScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachSubScalarV2[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachSubScalarV2[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachSubScalarV2[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachSubScalarV2;
const jm_aclnn_row jm_aclnn_row_ForeachSubScalarV2 = {
    "aclnnForeachSubScalarV2", param_ForeachSubScalarV2, term_ForeachSubScalarV2, statement_ForeachSubScalarV2, 3, 1, true};

aclnnStatus aclnnForeachSubScalarV2GetWorkspaceSize(const aclTensorList *x, const aclScalar *scalar,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalar = scalar},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachSubScalarV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubScalarV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachSubScalarV2, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ForeachSubScalarList[] = {
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"scalars", JM_ACLNN_SCALARS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachSubScalarList[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachSubScalarList[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachSubScalarList;
const jm_aclnn_row jm_aclnn_row_ForeachSubScalarList = {
    "aclnnForeachSubScalarList", param_ForeachSubScalarList, term_ForeachSubScalarList, statement_ForeachSubScalarList, 3, 1, true};

aclnnStatus aclnnForeachSubScalarListGetWorkspaceSize(const aclTensorList *x, const aclScalarList *scalars,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
        {.scalars = scalars},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachSubScalarList, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubScalarList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachSubScalarList, workspace, workspaceSize, executor, stream);
}
