/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_normal_out.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NormalFloatFloat[] = {
    {"mean", JM_ACLNN_FLOAT, false, true, false},
    {"std", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NormalFloatFloat[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "Random", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "normal", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "a", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "b", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_NormalFloatFloat[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_NormalFloatFloat;
const jm_aclnn_row jm_aclnn_row_NormalFloatFloat = {
    "aclnnNormalFloatFloat", param_NormalFloatFloat, term_NormalFloatFloat, statement_NormalFloatFloat, 5, 1, false};

aclnnStatus aclnnNormalFloatFloatGetWorkspaceSize(float mean, float std, int64_t seed, int64_t offset, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.f = (double)mean},
        {.f = (double)std},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NormalFloatFloat, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNormalFloatFloat(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NormalFloatFloat, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_NormalFloatTensor[] = {
    {"mean", JM_ACLNN_FLOAT, false, true, false},
    {"std", JM_ACLNN_TENSOR, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NormalFloatTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "Random", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "normal", 0},
};
static const jm_aclnn_statement statement_NormalFloatTensor[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_NormalFloatTensor;
const jm_aclnn_row jm_aclnn_row_NormalFloatTensor = {
    "aclnnNormalFloatTensor", param_NormalFloatTensor, term_NormalFloatTensor, statement_NormalFloatTensor, 5, 1, false};

aclnnStatus aclnnNormalFloatTensorGetWorkspaceSize(float mean, const aclTensor *std, int64_t seed, int64_t offset,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.f = (double)mean},
        {.tensor = std},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NormalFloatTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNormalFloatTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NormalFloatTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_NormalTensorFloat[] = {
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"std", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NormalTensorFloat[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "Random", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "normal", 0},
};
static const jm_aclnn_statement statement_NormalTensorFloat[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_NormalTensorFloat;
const jm_aclnn_row jm_aclnn_row_NormalTensorFloat = {
    "aclnnNormalTensorFloat", param_NormalTensorFloat, term_NormalTensorFloat, statement_NormalTensorFloat, 5, 1, false};

aclnnStatus aclnnNormalTensorFloatGetWorkspaceSize(const aclTensor *mean, float std, int64_t seed, int64_t offset,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = mean},
        {.f = (double)std},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NormalTensorFloat, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNormalTensorFloat(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NormalTensorFloat, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_NormalTensorTensor[] = {
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"std", JM_ACLNN_TENSOR, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NormalTensorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "Random", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "normal", 0},
};
static const jm_aclnn_statement statement_NormalTensorTensor[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_NormalTensorTensor;
const jm_aclnn_row jm_aclnn_row_NormalTensorTensor = {
    "aclnnNormalTensorTensor", param_NormalTensorTensor, term_NormalTensorTensor, statement_NormalTensorTensor, 5, 1, false};

aclnnStatus aclnnNormalTensorTensorGetWorkspaceSize(const aclTensor *mean, const aclTensor *std, int64_t seed,
    int64_t offset, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = mean},
        {.tensor = std},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NormalTensorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNormalTensorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NormalTensorTensor, workspace, workspaceSize, executor, stream);
}
