/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_nan_median.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NanMedian[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NanMedian[] = {
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
    {JM_TERM_TEXT, 0, 0, 0, 0, "ignore", 0},
};
static const jm_aclnn_statement statement_NanMedian[] = {
    {JM_RULE_KEEP, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_NanMedian;
const jm_aclnn_row jm_aclnn_row_NanMedian = {
    "aclnnNanMedian", param_NanMedian, term_NanMedian, statement_NanMedian, 2, 1, false};

aclnnStatus aclnnNanMedianGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NanMedian, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNanMedian(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NanMedian, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_NanMedianDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"keepDim", JM_ACLNN_BOOL, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
    {"indicesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NanMedianDim[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "KthValue", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "nan", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "ignore", 0},
};
static const jm_aclnn_statement statement_NanMedianDim[] = {
    {JM_RULE_KEEP, 0, 2, {3, 4}},
};
extern const jm_aclnn_row jm_aclnn_row_NanMedianDim;
const jm_aclnn_row jm_aclnn_row_NanMedianDim = {
    "aclnnNanMedianDim", param_NanMedianDim, term_NanMedianDim, statement_NanMedianDim, 5, 1, false};

aclnnStatus aclnnNanMedianDimGetWorkspaceSize(const aclTensor *self, int64_t dim, bool keepDim, aclTensor *valuesOut,
    aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.i = keepDim},
        {.tensor = valuesOut},
        {.tensor = indicesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NanMedianDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNanMedianDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NanMedianDim, workspace, workspaceSize, executor, stream);
}
