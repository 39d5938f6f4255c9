/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_scatter_add.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ScatterAdd[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"src", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ScatterAdd[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
};
static const jm_aclnn_statement statement_ScatterAdd[] = {
    {JM_RULE_KEEP, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_ScatterAdd;
const jm_aclnn_row jm_aclnn_row_ScatterAdd = {
    "aclnnScatterAdd", param_ScatterAdd, term_ScatterAdd, statement_ScatterAdd, 5, 1, false};

aclnnStatus aclnnScatterAddGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclTensor *src, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.tensor = src},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ScatterAdd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnScatterAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ScatterAdd, workspace, workspaceSize, executor, stream);
}
