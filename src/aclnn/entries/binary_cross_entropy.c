/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_binary_cross_entropy.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_BinaryCrossEntropy[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"target", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, true, true, false},
    {"reduction", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_BinaryCrossEntropy[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "LossReduction", 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "BinaryCrossEntropy", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "BinaryCrossEntropy", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "mean", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "sum", 0},
};
static const jm_aclnn_statement statement_BinaryCrossEntropy[] = {
    {JM_RULE_FLOAT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_BinaryCrossEntropy;
const jm_aclnn_row jm_aclnn_row_BinaryCrossEntropy = {
    "aclnnBinaryCrossEntropy", param_BinaryCrossEntropy, term_BinaryCrossEntropy, statement_BinaryCrossEntropy, 5, 1, false};

aclnnStatus aclnnBinaryCrossEntropyGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
    const aclTensor *weight, int64_t reduction, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = target},
        {.tensor = weight},
        {.i = reduction},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BinaryCrossEntropy, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BinaryCrossEntropy, workspace, workspaceSize, executor, stream);
}
