/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_fmod_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_FmodScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_FmodScalar[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "fmod", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_FmodScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_FmodScalar;
const jm_aclnn_row jm_aclnn_row_FmodScalar = {
    "aclnnFmodScalar", param_FmodScalar, term_FmodScalar, statement_FmodScalar, 3, 1, false};

aclnnStatus aclnnFmodScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_FmodScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFmodScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_FmodScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceFmodScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceFmodScalar[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Mod", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "fmod", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_InplaceFmodScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceFmodScalar;
const jm_aclnn_row jm_aclnn_row_InplaceFmodScalar = {
    "aclnnInplaceFmodScalar", param_InplaceFmodScalar, term_InplaceFmodScalar, statement_InplaceFmodScalar, 2, 1, false};

aclnnStatus aclnnInplaceFmodScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceFmodScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFmodScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceFmodScalar, workspace, workspaceSize, executor, stream);
}
