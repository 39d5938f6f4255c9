/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_uniform.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceUniform[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"from", JM_ACLNN_FLOAT, false, true, false},
    {"to", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceUniform[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "uniform", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "a", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "b", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceUniform[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceUniform;
const jm_aclnn_row jm_aclnn_row_InplaceUniform = {
    "aclnnInplaceUniform", param_InplaceUniform, term_InplaceUniform, statement_InplaceUniform, 5, 1, false};

aclnnStatus aclnnInplaceUniformGetWorkspaceSize(aclTensor *selfRef, double from, double to, uint64_t seed,
    uint64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.f = from},
        {.f = to},
        {.i = (int64_t)seed},
        {.i = (int64_t)offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceUniform, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceUniform(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceUniform, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceUniformTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"from", JM_ACLNN_FLOAT, false, true, false},
    {"to", JM_ACLNN_FLOAT, false, true, false},
    {"seedTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offsetTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceUniformTensor[] = {
    {JM_TERM_NODE, 3, 4, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "uniform", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "a", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "b", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "more", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceUniformTensor[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceUniformTensor;
const jm_aclnn_row jm_aclnn_row_InplaceUniformTensor = {
    "aclnnInplaceUniformTensor", param_InplaceUniformTensor, term_InplaceUniformTensor, statement_InplaceUniformTensor, 6, 1, false};

aclnnStatus aclnnInplaceUniformTensorGetWorkspaceSize(aclTensor *selfRef, double from, double to,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, uint64_t offset, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.f = from},
        {.f = to},
        {.tensor = seedTensor},
        {.tensor = offsetTensor},
        {.i = (int64_t)offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceUniformTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceUniformTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceUniformTensor, workspace, workspaceSize, executor, stream);
}
