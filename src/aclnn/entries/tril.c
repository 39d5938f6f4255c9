/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_tril.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Tril[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"diagonal", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Tril[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Trilu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "upper", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_Tril[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Tril;
const jm_aclnn_row jm_aclnn_row_Tril = {
    "aclnnTril", param_Tril, term_Tril, statement_Tril, 3, 1, false};

aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor *self, int64_t diagonal, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = diagonal},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Tril, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTril(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Tril, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceTril[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"diagonal", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceTril[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Trilu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "upper", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceTril[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceTril;
const jm_aclnn_row jm_aclnn_row_InplaceTril = {
    "aclnnInplaceTril", param_InplaceTril, term_InplaceTril, statement_InplaceTril, 2, 1, false};

aclnnStatus aclnnInplaceTrilGetWorkspaceSize(aclTensor *selfRef, int64_t diagonal, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = diagonal},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceTril, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTril(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceTril, workspace, workspaceSize, executor, stream);
}
