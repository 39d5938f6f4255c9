/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_convolution.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Convolution[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, false, true, false},
    {"bias", JM_ACLNN_TENSOR, true, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"transposed", JM_ACLNN_BOOL, false, true, false},
    {"outputPadding", JM_ACLNN_INTS, false, true, false},
    {"groups", JM_ACLNN_INT, false, true, false},
    {"output", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_Convolution[] = {
    {JM_TERM_NODE, 3, 6, 0, 0, "Convolution", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "transposed", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "output_padding", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "groups", 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Convolution[] = {
    {JM_RULE_PROMOTE, 0, 1, {9}},
};
extern const jm_aclnn_row jm_aclnn_row_Convolution;
const jm_aclnn_row jm_aclnn_row_Convolution = {
    "aclnnConvolution", param_Convolution, term_Convolution, statement_Convolution, 11, 1, false};

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor *input, const aclTensor *weight, const aclTensor *bias,
    const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool transposed,
    const aclIntArray *outputPadding, int64_t groups, aclTensor *output, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = weight},
        {.tensor = bias},
        {.ints = stride},
        {.ints = padding},
        {.ints = dilation},
        {.i = transposed},
        {.ints = outputPadding},
        {.i = groups},
        {.tensor = output},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Convolution, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnConvolution(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Convolution, workspace, workspaceSize, executor, stream);
}
