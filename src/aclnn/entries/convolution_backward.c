/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_convolution_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ConvolutionBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, false, true, false},
    {"biasSizes", JM_ACLNN_INTS, true, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"transposed", JM_ACLNN_BOOL, false, true, false},
    {"outputPadding", JM_ACLNN_INTS, false, true, false},
    {"groups", JM_ACLNN_INT, false, true, false},
    {"outputMask", JM_ACLNN_BOOLS, false, true, false},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
    {"gradWeight", JM_ACLNN_TENSOR, false, false, true},
    {"gradBias", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_ConvolutionBackward[] = {
    {JM_TERM_NODE, 3, 8, 0, 0, "ConvolutionBackward", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "transposed", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "output_padding", 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "groups", 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "output_mask", 0},
    {JM_TERM_PARAM, 0, 0, 10, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "bias_sizes", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ConvolutionBackward[] = {
    {JM_RULE_PROMOTE, 0, 3, {12, 13, 14}},
};
extern const jm_aclnn_row jm_aclnn_row_ConvolutionBackward;
const jm_aclnn_row jm_aclnn_row_ConvolutionBackward = {
    "aclnnConvolutionBackward", param_ConvolutionBackward, term_ConvolutionBackward, statement_ConvolutionBackward, 15, 1, false};

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *input,
    const aclTensor *weight, const aclIntArray *biasSizes, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool transposed, const aclIntArray *outputPadding, int32_t groups,
    const aclBoolArray *outputMask, int8_t cubeMathType, aclTensor *gradInput, aclTensor *gradWeight,
    aclTensor *gradBias, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = input},
        {.tensor = weight},
        {.ints = biasSizes},
        {.ints = stride},
        {.ints = padding},
        {.ints = dilation},
        {.i = transposed},
        {.ints = outputPadding},
        {.i = groups},
        {.bools = outputMask},
        {.i = cubeMathType},
        {.tensor = gradInput},
        {.tensor = gradWeight},
        {.tensor = gradBias},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ConvolutionBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnConvolutionBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ConvolutionBackward, workspace, workspaceSize, executor, stream);
}
