/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_scatter.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Scatter[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"src", JM_ACLNN_TENSOR, false, true, false},
    {"reduce", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Scatter[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_CROP, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mul", 0},
};
static const jm_aclnn_statement statement_Scatter[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Scatter;
const jm_aclnn_row jm_aclnn_row_Scatter = {
    "aclnnScatter", param_Scatter, term_Scatter, statement_Scatter, 6, 1, false};

aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclTensor *src, int64_t reduce, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.tensor = src},
        {.i = reduce},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Scatter, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnScatter(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Scatter, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceScatter[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"src", JM_ACLNN_TENSOR, false, true, false},
    {"reduce", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceScatter[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_CROP, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mul", 0},
};
static const jm_aclnn_statement statement_InplaceScatter[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceScatter;
const jm_aclnn_row jm_aclnn_row_InplaceScatter = {
    "aclnnInplaceScatter", param_InplaceScatter, term_InplaceScatter, statement_InplaceScatter, 5, 1, false};

aclnnStatus aclnnInplaceScatterGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclTensor *src, int64_t reduce, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.tensor = index},
        {.tensor = src},
        {.i = reduce},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceScatter, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatter(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceScatter, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_ScatterValue[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"reduce", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ScatterValue[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mul", 0},
};
static const jm_aclnn_statement statement_ScatterValue[] = {
    {JM_RULE_OUTPUT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_ScatterValue;
const jm_aclnn_row jm_aclnn_row_ScatterValue = {
    "aclnnScatterValue", param_ScatterValue, term_ScatterValue, statement_ScatterValue, 6, 1, false};

aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclScalar *value, int64_t reduce, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.scalar = value},
        {.i = reduce},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ScatterValue, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnScatterValue(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ScatterValue, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceScatterValue[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"reduce", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceScatterValue[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mul", 0},
};
static const jm_aclnn_statement statement_InplaceScatterValue[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceScatterValue;
const jm_aclnn_row jm_aclnn_row_InplaceScatterValue = {
    "aclnnInplaceScatterValue", param_InplaceScatterValue, term_InplaceScatterValue, statement_InplaceScatterValue, 5, 1, false};

aclnnStatus aclnnInplaceScatterValueGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclScalar *value, int64_t reduce, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.tensor = index},
        {.scalar = value},
        {.i = reduce},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceScatterValue, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatterValue(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceScatterValue, workspace, workspaceSize, executor, stream);
}
