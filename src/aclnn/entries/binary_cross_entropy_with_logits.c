/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BinaryCrossEntropyWithLogits[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"weightOptional", JM_ACLNN_TENSOR, true, true, false},
    {"posWeightOptional", JM_ACLNN_TENSOR, true, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BinaryCrossEntropyWithLogits[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "LossReduction", 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "BinaryCrossEntropyWithLogits", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "BinaryCrossEntropyWithLogits", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
};
static const jm_aclnn_statement statement_BinaryCrossEntropyWithLogits[] = {
    {JM_RULE_FLOAT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_BinaryCrossEntropyWithLogits;
const jm_aclnn_row jm_aclnn_row_BinaryCrossEntropyWithLogits = {
    "aclnnBinaryCrossEntropyWithLogits", param_BinaryCrossEntropyWithLogits, term_BinaryCrossEntropyWithLogits, statement_BinaryCrossEntropyWithLogits, 6, 1, false};

aclnnStatus aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
    const aclTensor *weightOptional, const aclTensor *posWeightOptional, int64_t reduction, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = target},
        {.tensor = weightOptional},
        {.tensor = posWeightOptional},
        {.i = reduction},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BinaryCrossEntropyWithLogits, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogits(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BinaryCrossEntropyWithLogits, workspace, workspaceSize, executor, stream);
}
