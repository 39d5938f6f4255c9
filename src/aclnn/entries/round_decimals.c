/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_round_decimals.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_RoundDecimals[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"decimals", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RoundDecimals[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Round", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Neg", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Neg", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_RoundDecimals[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_RoundDecimals;
const jm_aclnn_row jm_aclnn_row_RoundDecimals = {
    "aclnnRoundDecimals", param_RoundDecimals, term_RoundDecimals, statement_RoundDecimals, 3, 1, false};

aclnnStatus aclnnRoundDecimalsGetWorkspaceSize(const aclTensor *self, int64_t decimals, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = decimals},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RoundDecimals, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRoundDecimals(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RoundDecimals, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRoundDecimals[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"decimals", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceRoundDecimals[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Round", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Neg", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Neg", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 10},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRoundDecimals[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRoundDecimals;
const jm_aclnn_row jm_aclnn_row_InplaceRoundDecimals = {
    "aclnnInplaceRoundDecimals", param_InplaceRoundDecimals, term_InplaceRoundDecimals, statement_InplaceRoundDecimals, 2, 1, false};

aclnnStatus aclnnInplaceRoundDecimalsGetWorkspaceSize(aclTensor *selfRef, int64_t decimals, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = decimals},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRoundDecimals, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRoundDecimals(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRoundDecimals, workspace, workspaceSize, executor, stream);
}
