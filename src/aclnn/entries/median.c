/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_median.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Median[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Median[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "KthValue", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "nan", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "propagate", 0},
};
static const jm_aclnn_statement statement_Median[] = {
    {JM_RULE_KEEP, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Median;
const jm_aclnn_row jm_aclnn_row_Median = {
    "aclnnMedian", param_Median, term_Median, statement_Median, 2, 1, false};

aclnnStatus aclnnMedianGetWorkspaceSize(const aclTensor *self, aclTensor *valuesOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = valuesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Median, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMedian(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Median, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_MedianDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"keepDim", JM_ACLNN_BOOL, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
    {"indicesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MedianDim[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "KthValue", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "nan", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "propagate", 0},
};
static const jm_aclnn_statement statement_MedianDim[] = {
    {JM_RULE_KEEP, 0, 2, {3, 4}},
};
extern const jm_aclnn_row jm_aclnn_row_MedianDim;
const jm_aclnn_row jm_aclnn_row_MedianDim = {
    "aclnnMedianDim", param_MedianDim, term_MedianDim, statement_MedianDim, 5, 1, false};

aclnnStatus aclnnMedianDimGetWorkspaceSize(const aclTensor *self, int64_t dim, bool keepDim, aclTensor *valuesOut,
    aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.i = keepDim},
        {.tensor = valuesOut},
        {.tensor = indicesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MedianDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMedianDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MedianDim, workspace, workspaceSize, executor, stream);
}
