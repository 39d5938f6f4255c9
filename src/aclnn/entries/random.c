/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_random.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceRandom[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"from", JM_ACLNN_INT, false, true, false},
    {"to", JM_ACLNN_INT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceRandom[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "integer", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "from", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "to", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRandom[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRandom;
const jm_aclnn_row jm_aclnn_row_InplaceRandom = {
    "aclnnInplaceRandom", param_InplaceRandom, term_InplaceRandom, statement_InplaceRandom, 5, 1, false};

aclnnStatus aclnnInplaceRandomGetWorkspaceSize(aclTensor *selfRef, int64_t from, int64_t to, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = from},
        {.i = to},
        {.i = seed},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRandom, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRandom(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRandom, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRandomTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"from", JM_ACLNN_INT, false, true, false},
    {"to", JM_ACLNN_INT, false, true, false},
    {"seedTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offsetTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceRandomTensor[] = {
    {JM_TERM_NODE, 3, 4, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "integer", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "from", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "to", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "more", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRandomTensor[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRandomTensor;
const jm_aclnn_row jm_aclnn_row_InplaceRandomTensor = {
    "aclnnInplaceRandomTensor", param_InplaceRandomTensor, term_InplaceRandomTensor, statement_InplaceRandomTensor, 6, 1, false};

aclnnStatus aclnnInplaceRandomTensorGetWorkspaceSize(aclTensor *selfRef, int64_t from, int64_t to,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = from},
        {.i = to},
        {.tensor = seedTensor},
        {.tensor = offsetTensor},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRandomTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRandomTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRandomTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRandomWithoutFromTo[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceRandomWithoutFromTo[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "full", 0},
};
static const jm_aclnn_statement statement_InplaceRandomWithoutFromTo[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRandomWithoutFromTo;
const jm_aclnn_row jm_aclnn_row_InplaceRandomWithoutFromTo = {
    "aclnnInplaceRandomWithoutFromTo", param_InplaceRandomWithoutFromTo, term_InplaceRandomWithoutFromTo, statement_InplaceRandomWithoutFromTo, 3, 1, false};

aclnnStatus aclnnInplaceRandomWithoutFromToGetWorkspaceSize(aclTensor *selfRef, int64_t seed, int64_t offset,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = seed},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRandomWithoutFromTo, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRandomWithoutFromTo(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRandomWithoutFromTo, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRandomWithoutFromToTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"seedTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offsetTensor", JM_ACLNN_TENSOR, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceRandomWithoutFromToTensor[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "full", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "more", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRandomWithoutFromToTensor[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRandomWithoutFromToTensor;
const jm_aclnn_row jm_aclnn_row_InplaceRandomWithoutFromToTensor = {
    "aclnnInplaceRandomWithoutFromToTensor", param_InplaceRandomWithoutFromToTensor, term_InplaceRandomWithoutFromToTensor, statement_InplaceRandomWithoutFromToTensor, 4, 1, false};

aclnnStatus aclnnInplaceRandomWithoutFromToTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *seedTensor,
    const aclTensor *offsetTensor, int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = seedTensor},
        {.tensor = offsetTensor},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRandomWithoutFromToTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRandomWithoutFromToTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRandomWithoutFromToTensor, workspace, workspaceSize, executor, stream);
}
