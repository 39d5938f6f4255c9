/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_upsample_nearest_2d_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_UpsampleNearest2dBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INTS, false, true, false},
    {"inputSize", JM_ACLNN_INTS, false, true, false},
    {"scalesH", JM_ACLNN_FLOAT, false, true, false},
    {"scalesW", JM_ACLNN_FLOAT, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_UpsampleNearest2dBackward[] = {
    {JM_TERM_NODE, 1, 4, 0, 0, "Upsample2dGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "output_size", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "input_size", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_h", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_w", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_UpsampleNearest2dBackward[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_UpsampleNearest2dBackward;
const jm_aclnn_row jm_aclnn_row_UpsampleNearest2dBackward = {
    "aclnnUpsampleNearest2dBackward", param_UpsampleNearest2dBackward, term_UpsampleNearest2dBackward, statement_UpsampleNearest2dBackward, 6, 1, false};

aclnnStatus aclnnUpsampleNearest2dBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclIntArray *outputSize,
    const aclIntArray *inputSize, double scalesH, double scalesW, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.ints = outputSize},
        {.ints = inputSize},
        {.f = scalesH},
        {.f = scalesW},
        {.tensor = gradInput},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_UpsampleNearest2dBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest2dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_UpsampleNearest2dBackward, workspace, workspaceSize, executor, stream);
}
