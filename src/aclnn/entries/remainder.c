/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_remainder.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_RemainderTensorTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RemainderTensorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_RemainderTensorTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_RemainderTensorTensor;
const jm_aclnn_row jm_aclnn_row_RemainderTensorTensor = {
    "aclnnRemainderTensorTensor", param_RemainderTensorTensor, term_RemainderTensorTensor, statement_RemainderTensorTensor, 3, 1, false};

aclnnStatus aclnnRemainderTensorTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RemainderTensorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRemainderTensorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RemainderTensorTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRemainderTensorTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceRemainderTensorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRemainderTensorTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRemainderTensorTensor;
const jm_aclnn_row jm_aclnn_row_InplaceRemainderTensorTensor = {
    "aclnnInplaceRemainderTensorTensor", param_InplaceRemainderTensorTensor, term_InplaceRemainderTensorTensor, statement_InplaceRemainderTensorTensor, 2, 1, false};

aclnnStatus aclnnInplaceRemainderTensorTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRemainderTensorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRemainderTensorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRemainderTensorTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_RemainderTensorScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RemainderTensorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_RemainderTensorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_RemainderTensorScalar;
const jm_aclnn_row jm_aclnn_row_RemainderTensorScalar = {
    "aclnnRemainderTensorScalar", param_RemainderTensorScalar, term_RemainderTensorScalar, statement_RemainderTensorScalar, 3, 1, false};

aclnnStatus aclnnRemainderTensorScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RemainderTensorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRemainderTensorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RemainderTensorScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRemainderTensorScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceRemainderTensorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRemainderTensorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRemainderTensorScalar;
const jm_aclnn_row jm_aclnn_row_InplaceRemainderTensorScalar = {
    "aclnnInplaceRemainderTensorScalar", param_InplaceRemainderTensorScalar, term_InplaceRemainderTensorScalar, statement_InplaceRemainderTensorScalar, 2, 1, false};

aclnnStatus aclnnInplaceRemainderTensorScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRemainderTensorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRemainderTensorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRemainderTensorScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_RemainderScalarTensor[] = {
    {"self", JM_ACLNN_SCALAR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RemainderScalarTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_RemainderScalarTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_RemainderScalarTensor;
const jm_aclnn_row jm_aclnn_row_RemainderScalarTensor = {
    "aclnnRemainderScalarTensor", param_RemainderScalarTensor, term_RemainderScalarTensor, statement_RemainderScalarTensor, 3, 1, false};

aclnnStatus aclnnRemainderScalarTensorGetWorkspaceSize(const aclScalar *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RemainderScalarTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRemainderScalarTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RemainderScalarTensor, workspace, workspaceSize, executor, stream);
}
