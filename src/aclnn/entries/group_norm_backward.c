/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_group_norm_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_GroupNormBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"rstd", JM_ACLNN_TENSOR, false, true, false},
    {"gamma", JM_ACLNN_TENSOR, true, true, false},
    {"N", JM_ACLNN_INT, false, true, false},
    {"C", JM_ACLNN_INT, false, true, false},
    {"HxW", JM_ACLNN_INT, false, true, false},
    {"group", JM_ACLNN_INT, false, true, false},
    {"outputMask", JM_ACLNN_BOOLS, false, true, false},
    {"gradInput", JM_ACLNN_TENSOR, true, false, true},
    {"gradGammaOut", JM_ACLNN_TENSOR, true, false, true},
    {"gradBetaOut", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_GroupNormBackward[] = {
    {JM_TERM_NODE, 5, 5, 0, 0, "GroupNormGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "batch", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "channels", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "points", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "groups", 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "mask", 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_GroupNormBackward[] = {
    {JM_RULE_KEEP, 0, 3, {10, 11, 12}},
};
extern const jm_aclnn_row jm_aclnn_row_GroupNormBackward;
const jm_aclnn_row jm_aclnn_row_GroupNormBackward = {
    "aclnnGroupNormBackward", param_GroupNormBackward, term_GroupNormBackward, statement_GroupNormBackward, 13, 1, false};

aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclTensor *mean, const aclTensor *rstd, const aclTensor *gamma, int64_t N, int64_t C, int64_t HxW,
    int64_t group, const aclBoolArray *outputMask, aclTensor *gradInput, aclTensor *gradGammaOut,
    aclTensor *gradBetaOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.tensor = input},
        {.tensor = mean},
        {.tensor = rstd},
        {.tensor = gamma},
        {.i = N},
        {.i = C},
        {.i = HxW},
        {.i = group},
        {.bools = outputMask},
        {.tensor = gradInput},
        {.tensor = gradGammaOut},
        {.tensor = gradBetaOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_GroupNormBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_GroupNormBackward, workspace, workspaceSize, executor, stream);
}
