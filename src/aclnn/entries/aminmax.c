/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_aminmax.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Aminmax[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INTS, false, true, false},
    {"keepDim", JM_ACLNN_BOOL, false, true, false},
    {"minOut", JM_ACLNN_TENSOR, false, false, true},
    {"maxOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Aminmax[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceMin", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceMax", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Aminmax[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
    {JM_RULE_PROMOTE, 7, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Aminmax;
const jm_aclnn_row jm_aclnn_row_Aminmax = {
    "aclnnAminmax", param_Aminmax, term_Aminmax, statement_Aminmax, 5, 2, false};

aclnnStatus aclnnAminmaxGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, bool keepDim,
    aclTensor *minOut, aclTensor *maxOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = dim},
        {.i = keepDim},
        {.tensor = minOut},
        {.tensor = maxOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Aminmax, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAminmax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Aminmax, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_AminmaxAll[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"minOut", JM_ACLNN_TENSOR, false, false, true},
    {"maxOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AminmaxAll[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "ReduceMin", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 1, 1, 0, 0, "ReduceMax", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_AminmaxAll[] = {
    {JM_RULE_PROMOTE, 0, 1, {1}},
    {JM_RULE_PROMOTE, 4, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_AminmaxAll;
const jm_aclnn_row jm_aclnn_row_AminmaxAll = {
    "aclnnAminmaxAll", param_AminmaxAll, term_AminmaxAll, statement_AminmaxAll, 3, 2, false};

aclnnStatus aclnnAminmaxAllGetWorkspaceSize(const aclTensor *self, aclTensor *minOut, aclTensor *maxOut,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = minOut},
        {.tensor = maxOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AminmaxAll, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAminmaxAll(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AminmaxAll, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_AminmaxDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"keepDim", JM_ACLNN_BOOL, false, true, false},
    {"minOut", JM_ACLNN_TENSOR, false, false, true},
    {"maxOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AminmaxDim[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceMin", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceMax", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_AminmaxDim[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
    {JM_RULE_PROMOTE, 6, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_AminmaxDim;
const jm_aclnn_row jm_aclnn_row_AminmaxDim = {
    "aclnnAminmaxDim", param_AminmaxDim, term_AminmaxDim, statement_AminmaxDim, 5, 2, false};

aclnnStatus aclnnAminmaxDimGetWorkspaceSize(const aclTensor *self, int64_t dim, bool keepDim, aclTensor *minOut,
    aclTensor *maxOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.i = keepDim},
        {.tensor = minOut},
        {.tensor = maxOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AminmaxDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAminmaxDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AminmaxDim, workspace, workspaceSize, executor, stream);
}
