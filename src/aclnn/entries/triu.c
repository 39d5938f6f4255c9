/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_triu.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Triu[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"diagonal", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Triu[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Trilu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "upper", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_Triu[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Triu;
const jm_aclnn_row jm_aclnn_row_Triu = {
    "aclnnTriu", param_Triu, term_Triu, statement_Triu, 3, 1, false};

aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor *self, int64_t diagonal, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = diagonal},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Triu, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTriu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Triu, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceTriu[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"diagonal", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceTriu[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Trilu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "upper", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_InplaceTriu[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceTriu;
const jm_aclnn_row jm_aclnn_row_InplaceTriu = {
    "aclnnInplaceTriu", param_InplaceTriu, term_InplaceTriu, statement_InplaceTriu, 2, 1, false};

aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor *selfRef, int64_t diagonal, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = diagonal},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceTriu, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTriu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceTriu, workspace, workspaceSize, executor, stream);
}
