/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_layer_norm_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LayerNormBackward[] = {
    {"gradOut", JM_ACLNN_TENSOR, false, true, false},
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"normalizedShape", JM_ACLNN_INTS, false, true, false},
    {"mean", JM_ACLNN_TENSOR, false, true, false},
    {"rstd", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"bias", JM_ACLNN_TENSOR, true, true, false},
    {"outputMask", JM_ACLNN_BOOLS, false, true, false},
    {"gradInputOut", JM_ACLNN_TENSOR, true, false, true},
    {"gradWeightOut", JM_ACLNN_TENSOR, true, false, true},
    {"gradBiasOut", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_LayerNormBackward[] = {
    {JM_TERM_NODE, 6, 2, 0, 0, "LayerNormGrad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "normalized_shape", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "mask", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LayerNormBackward[] = {
    {JM_RULE_KEEP, 0, 3, {8, 9, 10}},
};
extern const jm_aclnn_row jm_aclnn_row_LayerNormBackward;
const jm_aclnn_row jm_aclnn_row_LayerNormBackward = {
    "aclnnLayerNormBackward", param_LayerNormBackward, term_LayerNormBackward, statement_LayerNormBackward, 11, 1, false};

aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(const aclTensor *gradOut, const aclTensor *input,
    const aclIntArray *normalizedShape, const aclTensor *mean, const aclTensor *rstd, const aclTensor *weight,
    const aclTensor *bias, const aclBoolArray *outputMask, aclTensor *gradInputOut, aclTensor *gradWeightOut,
    aclTensor *gradBiasOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOut},
        {.tensor = input},
        {.ints = normalizedShape},
        {.tensor = mean},
        {.tensor = rstd},
        {.tensor = weight},
        {.tensor = bias},
        {.bools = outputMask},
        {.tensor = gradInputOut},
        {.tensor = gradWeightOut},
        {.tensor = gradBiasOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LayerNormBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLayerNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LayerNormBackward, workspace, workspaceSize, executor, stream);
}
