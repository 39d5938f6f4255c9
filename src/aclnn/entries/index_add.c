/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index_add.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IndexAdd[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"source", JM_ACLNN_TENSOR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IndexAdd[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
};
static const jm_aclnn_statement statement_IndexAdd[] = {
    {JM_RULE_OUTPUT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_IndexAdd;
const jm_aclnn_row jm_aclnn_row_IndexAdd = {
    "aclnnIndexAdd", param_IndexAdd, term_IndexAdd, statement_IndexAdd, 6, 1, false};

aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclTensor *source, const aclScalar *alpha, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.tensor = source},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IndexAdd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndexAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IndexAdd, workspace, workspaceSize, executor, stream);
}
