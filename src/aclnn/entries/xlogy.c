/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_xlogy.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_XLogYTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_XLogYTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "XLogY", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_XLogYTensor[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_XLogYTensor;
const jm_aclnn_row jm_aclnn_row_XLogYTensor = {
    "aclnnXLogYTensor", param_XLogYTensor, term_XLogYTensor, statement_XLogYTensor, 3, 1, false};

aclnnStatus aclnnXLogYTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_XLogYTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnXLogYTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_XLogYTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_XLogYScalarOther[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_XLogYScalarOther[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "XLogY", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_XLogYScalarOther[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_XLogYScalarOther;
const jm_aclnn_row jm_aclnn_row_XLogYScalarOther = {
    "aclnnXLogYScalarOther", param_XLogYScalarOther, term_XLogYScalarOther, statement_XLogYScalarOther, 3, 1, false};

aclnnStatus aclnnXLogYScalarOtherGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_XLogYScalarOther, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnXLogYScalarOther(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_XLogYScalarOther, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceXLogYScalarOther[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceXLogYScalarOther[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "XLogY", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceXLogYScalarOther[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceXLogYScalarOther;
const jm_aclnn_row jm_aclnn_row_InplaceXLogYScalarOther = {
    "aclnnInplaceXLogYScalarOther", param_InplaceXLogYScalarOther, term_InplaceXLogYScalarOther, statement_InplaceXLogYScalarOther, 2, 1, false};

aclnnStatus aclnnInplaceXLogYScalarOtherGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceXLogYScalarOther, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceXLogYScalarOther(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceXLogYScalarOther, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_XLogYScalarSelf[] = {
    {"self", JM_ACLNN_SCALAR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_XLogYScalarSelf[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "XLogY", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_XLogYScalarSelf[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_XLogYScalarSelf;
const jm_aclnn_row jm_aclnn_row_XLogYScalarSelf = {
    "aclnnXLogYScalarSelf", param_XLogYScalarSelf, term_XLogYScalarSelf, statement_XLogYScalarSelf, 3, 1, false};

aclnnStatus aclnnXLogYScalarSelfGetWorkspaceSize(const aclScalar *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_XLogYScalarSelf, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnXLogYScalarSelf(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_XLogYScalarSelf, workspace, workspaceSize, executor, stream);
}
