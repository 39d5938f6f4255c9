/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_MaxPool2dWithIndicesBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"indices", JM_ACLNN_TENSOR, false, true, false},
    {"kernelSize", JM_ACLNN_INTS, false, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"ceilMode", JM_ACLNN_BOOL, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MaxPool2dWithIndicesBackward[] = {
    {JM_TERM_NODE, 3, 5, 0, 0, "MaxPool2dIndicesGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kernel", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ceil_mode", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MaxPool2dWithIndicesBackward[] = {
    {JM_RULE_KEEP, 0, 1, {8}},
};
extern const jm_aclnn_row jm_aclnn_row_MaxPool2dWithIndicesBackward;
const jm_aclnn_row jm_aclnn_row_MaxPool2dWithIndicesBackward = {
    "aclnnMaxPool2dWithIndicesBackward", param_MaxPool2dWithIndicesBackward, term_MaxPool2dWithIndicesBackward, statement_MaxPool2dWithIndicesBackward, 9, 1, false};

aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclTensor *indices, const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = indices},
        {.ints = kernelSize},
        {.ints = stride},
        {.ints = padding},
        {.ints = dilation},
        {.i = ceilMode},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MaxPool2dWithIndicesBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool2dWithIndicesBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MaxPool2dWithIndicesBackward, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_MaxPool2dWithMaskBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"indices", JM_ACLNN_TENSOR, false, true, false},
    {"kernelSize", JM_ACLNN_INTS, false, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"ceilMode", JM_ACLNN_BOOL, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MaxPool2dWithMaskBackward[] = {
    {JM_TERM_NODE, 3, 5, 0, 0, "MaxPool2dMaskGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kernel", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ceil_mode", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MaxPool2dWithMaskBackward[] = {
    {JM_RULE_KEEP, 0, 1, {8}},
};
extern const jm_aclnn_row jm_aclnn_row_MaxPool2dWithMaskBackward;
const jm_aclnn_row jm_aclnn_row_MaxPool2dWithMaskBackward = {
    "aclnnMaxPool2dWithMaskBackward", param_MaxPool2dWithMaskBackward, term_MaxPool2dWithMaskBackward, statement_MaxPool2dWithMaskBackward, 9, 1, false};

aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
    const aclTensor *indices, const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = indices},
        {.ints = kernelSize},
        {.ints = stride},
        {.ints = padding},
        {.ints = dilation},
        {.i = ceilMode},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MaxPool2dWithMaskBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool2dWithMaskBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MaxPool2dWithMaskBackward, workspace, workspaceSize, executor, stream);
}
