/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_amp_update_scale.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_AmpUpdateScale[] = {
    {"currentScale", JM_ACLNN_TENSOR, false, true, false},
    {"growthTracker", JM_ACLNN_TENSOR, false, true, false},
    {"foundInf", JM_ACLNN_TENSOR, false, true, false},
    {"growthFactor", JM_ACLNN_FLOAT, false, true, false},
    {"backoffFactor", JM_ACLNN_FLOAT, false, true, false},
    {"growthInterval", JM_ACLNN_INT, false, true, false},
    {"updatedScale", JM_ACLNN_TENSOR, false, false, true},
    {"updatedGrowthTracker", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AmpUpdateScale[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_BOOL, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "And", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 5, JM_I64, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsInf", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_BOOL, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 5, JM_I64, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_AmpUpdateScale[] = {
    {JM_RULE_PROMOTE, 0, 1, {6}},
    {JM_RULE_PROMOTE, 27, 1, {7}},
};
extern const jm_aclnn_row jm_aclnn_row_AmpUpdateScale;
const jm_aclnn_row jm_aclnn_row_AmpUpdateScale = {
    "aclnnAmpUpdateScale", param_AmpUpdateScale, term_AmpUpdateScale, statement_AmpUpdateScale, 8, 2, false};

aclnnStatus aclnnAmpUpdateScaleGetWorkspaceSize(const aclTensor *currentScale, const aclTensor *growthTracker,
    const aclTensor *foundInf, double growthFactor, double backoffFactor, int64_t growthInterval,
    aclTensor *updatedScale, aclTensor *updatedGrowthTracker, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = currentScale},
        {.tensor = growthTracker},
        {.tensor = foundInf},
        {.f = growthFactor},
        {.f = backoffFactor},
        {.i = growthInterval},
        {.tensor = updatedScale},
        {.tensor = updatedGrowthTracker},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AmpUpdateScale, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAmpUpdateScale(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AmpUpdateScale, workspace, workspaceSize, executor, stream);
}
