/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_isclose.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IsClose[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"rtol", JM_ACLNN_FLOAT, false, true, false},
    {"atol", JM_ACLNN_FLOAT, false, true, false},
    {"equalNan", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IsClose[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Or", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "And", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "And", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_BOOL, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "And", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Not", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsInf", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "LessOrEqual", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Abs", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Abs", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IsClose[] = {
    {JM_RULE_FLOAT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_IsClose;
const jm_aclnn_row jm_aclnn_row_IsClose = {
    "aclnnIsClose", param_IsClose, term_IsClose, statement_IsClose, 6, 1, false};

aclnnStatus aclnnIsCloseGetWorkspaceSize(const aclTensor *self, const aclTensor *other, double rtol, double atol,
    bool equalNan, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.f = rtol},
        {.f = atol},
        {.i = equalNan},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IsClose, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIsClose(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IsClose, workspace, workspaceSize, executor, stream);
}
