/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_UpsampleBilinear2dBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INTS, false, true, false},
    {"inputSize", JM_ACLNN_INTS, false, true, false},
    {"alignCorners", JM_ACLNN_BOOL, false, true, false},
    {"scalesH", JM_ACLNN_FLOAT, false, true, false},
    {"scalesW", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_UpsampleBilinear2dBackward[] = {
    {JM_TERM_NODE, 1, 6, 0, 0, "Upsample2dGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "output_size", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "input_size", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "mode", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "linear", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "align_corners", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_h", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_w", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_UpsampleBilinear2dBackward[] = {
    {JM_RULE_KEEP, 0, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_UpsampleBilinear2dBackward;
const jm_aclnn_row jm_aclnn_row_UpsampleBilinear2dBackward = {
    "aclnnUpsampleBilinear2dBackward", param_UpsampleBilinear2dBackward, term_UpsampleBilinear2dBackward, statement_UpsampleBilinear2dBackward, 7, 1, false};

aclnnStatus aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclIntArray *outputSize,
    const aclIntArray *inputSize, bool alignCorners, double scalesH, double scalesW, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.ints = outputSize},
        {.ints = inputSize},
        {.i = alignCorners},
        {.f = scalesH},
        {.f = scalesW},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_UpsampleBilinear2dBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleBilinear2dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_UpsampleBilinear2dBackward, workspace, workspaceSize, executor, stream);
}
