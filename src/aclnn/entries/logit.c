/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_logit.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Logit[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Logit[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Log", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Less", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Less", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Min", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Logit[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Logit;
const jm_aclnn_row jm_aclnn_row_Logit = {
    "aclnnLogit", param_Logit, term_Logit, statement_Logit, 3, 1, false};

aclnnStatus aclnnLogitGetWorkspaceSize(const aclTensor *input, double eps, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.f = eps},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Logit, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogit(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Logit, workspace, workspaceSize, executor, stream);
}
