/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_normal.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceNormal[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"mean", JM_ACLNN_FLOAT, false, true, false},
    {"std", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceNormal[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "normal", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "a", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "b", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceNormal[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceNormal;
const jm_aclnn_row jm_aclnn_row_InplaceNormal = {
    "aclnnInplaceNormal", param_InplaceNormal, term_InplaceNormal, statement_InplaceNormal, 5, 1, false};

aclnnStatus aclnnInplaceNormalGetWorkspaceSize(aclTensor *selfRef, float mean, float std, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.f = (double)mean},
        {.f = (double)std},
        {.i = seed},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceNormal, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNormal(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceNormal, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceNormalTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"mean", JM_ACLNN_FLOAT, false, true, false},
    {"std", JM_ACLNN_FLOAT, false, true, false},
    {"seedTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offsetTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceNormalTensor[] = {
    {JM_TERM_NODE, 3, 4, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "normal", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "a", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "b", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "more", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceNormalTensor[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceNormalTensor;
const jm_aclnn_row jm_aclnn_row_InplaceNormalTensor = {
    "aclnnInplaceNormalTensor", param_InplaceNormalTensor, term_InplaceNormalTensor, statement_InplaceNormalTensor, 6, 1, false};

aclnnStatus aclnnInplaceNormalTensorGetWorkspaceSize(aclTensor *selfRef, float mean, float std,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.f = (double)mean},
        {.f = (double)std},
        {.tensor = seedTensor},
        {.tensor = offsetTensor},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceNormalTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNormalTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceNormalTensor, workspace, workspaceSize, executor, stream);
}
