/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BinaryCrossEntropyWithLogitsBackward[] = {
    {"gradOutput", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"weightOptional", JM_ACLNN_TENSOR, true, true, false},
    {"posWeightOptional", JM_ACLNN_TENSOR, true, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BinaryCrossEntropyWithLogitsBackward[] = {
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "BinaryCrossEntropyWithLogitsSlope", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "BinaryCrossEntropyWithLogitsSlope", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BinaryCrossEntropyWithLogitsBackward[] = {
    {JM_RULE_FLOAT, 0, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_BinaryCrossEntropyWithLogitsBackward;
const jm_aclnn_row jm_aclnn_row_BinaryCrossEntropyWithLogitsBackward = {
    "aclnnBinaryCrossEntropyWithLogitsBackward", param_BinaryCrossEntropyWithLogitsBackward, term_BinaryCrossEntropyWithLogitsBackward, statement_BinaryCrossEntropyWithLogitsBackward, 7, 1, false};

aclnnStatus aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(const aclTensor *gradOutput,
    const aclTensor *self, const aclTensor *target, const aclTensor *weightOptional,
    const aclTensor *posWeightOptional, int64_t reduction, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = gradOutput},
        {.tensor = self},
        {.tensor = target},
        {.tensor = weightOptional},
        {.tensor = posWeightOptional},
        {.i = reduction},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BinaryCrossEntropyWithLogitsBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsBackward(void *workspace, uint64_t workspaceSize,
    aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BinaryCrossEntropyWithLogitsBackward, workspace, workspaceSize, executor, stream);
}
