/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sort.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Sort[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"stable", JM_ACLNN_BOOL, false, false, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"descending", JM_ACLNN_BOOL, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
    {"indicesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Sort[] = {
    {JM_TERM_NODE, 2, 2, 0, 0, "TopK", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SIZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "largest", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Sort[] = {
    {JM_RULE_KEEP, 0, 2, {4, 5}},
};
extern const jm_aclnn_row jm_aclnn_row_Sort;
const jm_aclnn_row jm_aclnn_row_Sort = {
    "aclnnSort", param_Sort, term_Sort, statement_Sort, 6, 1, false};

aclnnStatus aclnnSortGetWorkspaceSize(const aclTensor *self, bool stable, int64_t dim, bool descending,
    aclTensor *valuesOut, aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = stable},
        {.i = dim},
        {.i = descending},
        {.tensor = valuesOut},
        {.tensor = indicesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Sort, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSort(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Sort, workspace, workspaceSize, executor, stream);
}
