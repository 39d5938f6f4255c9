/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_max_pool2d_with_indices.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_MaxPool2dWithIndices[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"kernelSize", JM_ACLNN_INTS, false, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"ceilMode", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"indices", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MaxPool2dWithIndices[] = {
    {JM_TERM_NODE, 1, 5, 0, 0, "MaxPool2dIndices", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kernel", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ceil_mode", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MaxPool2dWithIndices[] = {
    {JM_RULE_KEEP, 0, 2, {6, 7}},
};
extern const jm_aclnn_row jm_aclnn_row_MaxPool2dWithIndices;
const jm_aclnn_row jm_aclnn_row_MaxPool2dWithIndices = {
    "aclnnMaxPool2dWithIndices", param_MaxPool2dWithIndices, term_MaxPool2dWithIndices, statement_MaxPool2dWithIndices, 8, 1, false};

aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = kernelSize},
        {.ints = stride},
        {.ints = padding},
        {.ints = dilation},
        {.i = ceilMode},
        {.tensor = out},
        {.tensor = indices},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MaxPool2dWithIndices, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool2dWithIndices(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MaxPool2dWithIndices, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_MaxPool2dWithMask[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"kernelSize", JM_ACLNN_INTS, false, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"ceilMode", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"indices", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MaxPool2dWithMask[] = {
    {JM_TERM_NODE, 1, 5, 0, 0, "MaxPool2dMask", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kernel", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ceil_mode", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MaxPool2dWithMask[] = {
    {JM_RULE_KEEP, 0, 2, {6, 7}},
};
extern const jm_aclnn_row jm_aclnn_row_MaxPool2dWithMask;
const jm_aclnn_row jm_aclnn_row_MaxPool2dWithMask = {
    "aclnnMaxPool2dWithMask", param_MaxPool2dWithMask, term_MaxPool2dWithMask, statement_MaxPool2dWithMask, 8, 1, false};

aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = kernelSize},
        {.ints = stride},
        {.ints = padding},
        {.ints = dilation},
        {.i = ceilMode},
        {.tensor = out},
        {.tensor = indices},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MaxPool2dWithMask, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool2dWithMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MaxPool2dWithMask, workspace, workspaceSize, executor, stream);
}
