/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_repeat_interleave.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_RepeatInterleave[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"repeats", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RepeatInterleave[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_NODE, 2, 1, 0, 0, "SearchSorted", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "CumSum", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "right", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_RepeatInterleave[] = {
    {JM_RULE_KEEP, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_RepeatInterleave;
const jm_aclnn_row jm_aclnn_row_RepeatInterleave = {
    "aclnnRepeatInterleave", param_RepeatInterleave, term_RepeatInterleave, statement_RepeatInterleave, 4, 1, false};

aclnnStatus aclnnRepeatInterleaveGetWorkspaceSize(const aclTensor *self, const aclTensor *repeats, int64_t outputSize,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = repeats},
        {.i = outputSize},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RepeatInterleave, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleave(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RepeatInterleave, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_RepeatInterleaveInt[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"repeats", JM_ACLNN_INT, false, true, false},
    {"outputSize", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RepeatInterleaveInt[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_RepeatInterleaveInt[] = {
    {JM_RULE_KEEP, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_RepeatInterleaveInt;
const jm_aclnn_row jm_aclnn_row_RepeatInterleaveInt = {
    "aclnnRepeatInterleaveInt", param_RepeatInterleaveInt, term_RepeatInterleaveInt, statement_RepeatInterleaveInt, 4, 1, false};

aclnnStatus aclnnRepeatInterleaveIntGetWorkspaceSize(const aclTensor *self, int64_t repeats, int64_t outputSize,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = repeats},
        {.i = outputSize},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RepeatInterleaveInt, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveInt(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RepeatInterleaveInt, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_RepeatInterleaveIntWithDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"repeats", JM_ACLNN_INT, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"outputSize", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RepeatInterleaveIntWithDim[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_RepeatInterleaveIntWithDim[] = {
    {JM_RULE_KEEP, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_RepeatInterleaveIntWithDim;
const jm_aclnn_row jm_aclnn_row_RepeatInterleaveIntWithDim = {
    "aclnnRepeatInterleaveIntWithDim", param_RepeatInterleaveIntWithDim, term_RepeatInterleaveIntWithDim, statement_RepeatInterleaveIntWithDim, 5, 1, false};

aclnnStatus aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(const aclTensor *self, int64_t repeats, int64_t dim,
    int64_t outputSize, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = repeats},
        {.i = dim},
        {.i = outputSize},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RepeatInterleaveIntWithDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveIntWithDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RepeatInterleaveIntWithDim, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_RepeatInterleaveWithDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"repeats", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"outputSize", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RepeatInterleaveWithDim[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 1, 0, 0, "SearchSorted", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "CumSum", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_SIZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "right", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_RepeatInterleaveWithDim[] = {
    {JM_RULE_KEEP, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_RepeatInterleaveWithDim;
const jm_aclnn_row jm_aclnn_row_RepeatInterleaveWithDim = {
    "aclnnRepeatInterleaveWithDim", param_RepeatInterleaveWithDim, term_RepeatInterleaveWithDim, statement_RepeatInterleaveWithDim, 5, 1, false};

aclnnStatus aclnnRepeatInterleaveWithDimGetWorkspaceSize(const aclTensor *self, const aclTensor *repeats, int64_t dim,
    int64_t outputSize, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = repeats},
        {.i = dim},
        {.i = outputSize},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RepeatInterleaveWithDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveWithDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RepeatInterleaveWithDim, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_RepeatInterleaveTensor[] = {
    {"repeats", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RepeatInterleaveTensor[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "SearchSorted", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "CumSum", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_I64, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "right", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_RepeatInterleaveTensor[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_RepeatInterleaveTensor;
const jm_aclnn_row jm_aclnn_row_RepeatInterleaveTensor = {
    "aclnnRepeatInterleaveTensor", param_RepeatInterleaveTensor, term_RepeatInterleaveTensor, statement_RepeatInterleaveTensor, 3, 1, false};

aclnnStatus aclnnRepeatInterleaveTensorGetWorkspaceSize(const aclTensor *repeats, int64_t outputSize, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = repeats},
        {.i = outputSize},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RepeatInterleaveTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RepeatInterleaveTensor, workspace, workspaceSize, executor, stream);
}
