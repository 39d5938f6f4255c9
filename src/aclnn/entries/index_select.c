/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index_select.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IndexSelect[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IndexSelect[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IndexSelect[] = {
    {JM_RULE_KEEP, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_IndexSelect;
const jm_aclnn_row jm_aclnn_row_IndexSelect = {
    "aclnnIndexSelect", param_IndexSelect, term_IndexSelect, statement_IndexSelect, 4, 1, false};

aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IndexSelect, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndexSelect(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IndexSelect, workspace, workspaceSize, executor, stream);
}
