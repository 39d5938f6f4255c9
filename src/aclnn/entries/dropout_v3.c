/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_dropout_v3.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_DropoutV3[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"optionalNoiseShape", JM_ACLNN_TENSOR, true, false, false},
    {"p", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"maskOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DropoutV3[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "Dropout", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "prob", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_DropoutV3[] = {
    {JM_RULE_KEEP, 0, 2, {5, 6}},
};
extern const jm_aclnn_row jm_aclnn_row_DropoutV3;
const jm_aclnn_row jm_aclnn_row_DropoutV3 = {
    "aclnnDropoutV3", param_DropoutV3, term_DropoutV3, statement_DropoutV3, 7, 1, false};

aclnnStatus aclnnDropoutV3GetWorkspaceSize(const aclTensor *input, const aclTensor *optionalNoiseShape, double p,
    int64_t seed, int64_t offset, aclTensor *out, aclTensor *maskOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = optionalNoiseShape},
        {.f = p},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
        {.tensor = maskOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DropoutV3, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDropoutV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DropoutV3, workspace, workspaceSize, executor, stream);
}
