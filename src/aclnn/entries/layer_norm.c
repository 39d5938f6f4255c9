/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_layer_norm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LayerNorm[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"normalizedShape", JM_ACLNN_INTS, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"bias", JM_ACLNN_TENSOR, true, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"meanOut", JM_ACLNN_TENSOR, true, false, true},
    {"rstdOut", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_LayerNorm[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "LayerNormalization", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "normalized_shape", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LayerNorm[] = {
    {JM_RULE_KEEP, 0, 3, {5, 6, 7}},
};
extern const jm_aclnn_row jm_aclnn_row_LayerNorm;
const jm_aclnn_row jm_aclnn_row_LayerNorm = {
    "aclnnLayerNorm", param_LayerNorm, term_LayerNorm, statement_LayerNorm, 8, 1, false};

aclnnStatus aclnnLayerNormGetWorkspaceSize(const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *weight, const aclTensor *bias, double eps, aclTensor *out, aclTensor *meanOut,
    aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.ints = normalizedShape},
        {.tensor = weight},
        {.tensor = bias},
        {.f = eps},
        {.tensor = out},
        {.tensor = meanOut},
        {.tensor = rstdOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LayerNorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LayerNorm, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_FastLayerNorm[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"normalizedShape", JM_ACLNN_INTS, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"bias", JM_ACLNN_TENSOR, true, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"meanOut", JM_ACLNN_TENSOR, true, false, true},
    {"rstdOut", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_FastLayerNorm[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "LayerNormalization", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "normalized_shape", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_FastLayerNorm[] = {
    {JM_RULE_KEEP, 0, 3, {5, 6, 7}},
};
extern const jm_aclnn_row jm_aclnn_row_FastLayerNorm;
const jm_aclnn_row jm_aclnn_row_FastLayerNorm = {
    "aclnnFastLayerNorm", param_FastLayerNorm, term_FastLayerNorm, statement_FastLayerNorm, 8, 1, false};

aclnnStatus aclnnFastLayerNormGetWorkspaceSize(const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *weight, const aclTensor *bias, double eps, aclTensor *out, aclTensor *meanOut,
    aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.ints = normalizedShape},
        {.tensor = weight},
        {.tensor = bias},
        {.f = eps},
        {.tensor = out},
        {.tensor = meanOut},
        {.tensor = rstdOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_FastLayerNorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFastLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_FastLayerNorm, workspace, workspaceSize, executor, stream);
}
