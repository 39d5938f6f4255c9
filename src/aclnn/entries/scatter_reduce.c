/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_scatter_reduce.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ScatterReduce[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"src", JM_ACLNN_TENSOR, false, true, false},
    {"reduce", JM_ACLNN_INT, false, true, false},
    {"includeSelf", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ScatterReduce[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "ScatterReduce", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_CROP, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 7, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mul", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "max", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "min", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "include_self", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ScatterReduce[] = {
    {JM_RULE_OUTPUT, 0, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_ScatterReduce;
const jm_aclnn_row jm_aclnn_row_ScatterReduce = {
    "aclnnScatterReduce", param_ScatterReduce, term_ScatterReduce, statement_ScatterReduce, 7, 1, false};

aclnnStatus aclnnScatterReduceGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclTensor *src, int64_t reduce, bool includeSelf, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.tensor = src},
        {.i = reduce},
        {.i = includeSelf},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ScatterReduce, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnScatterReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ScatterReduce, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceScatterReduce[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"src", JM_ACLNN_TENSOR, false, true, false},
    {"reduce", JM_ACLNN_INT, false, true, false},
    {"includeSelf", JM_ACLNN_BOOL, false, true, false},
};
static const jm_aclnn_term term_InplaceScatterReduce[] = {
    {JM_TERM_NODE, 3, 3, 0, 0, "ScatterReduce", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_CROP, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 7, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mul", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "max", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "min", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "include_self", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceScatterReduce[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceScatterReduce;
const jm_aclnn_row jm_aclnn_row_InplaceScatterReduce = {
    "aclnnInplaceScatterReduce", param_InplaceScatterReduce, term_InplaceScatterReduce, statement_InplaceScatterReduce, 6, 1, false};

aclnnStatus aclnnInplaceScatterReduceGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclTensor *src, int64_t reduce, bool includeSelf, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.tensor = index},
        {.tensor = src},
        {.i = reduce},
        {.i = includeSelf},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceScatterReduce, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatterReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceScatterReduce, workspace, workspaceSize, executor, stream);
}
