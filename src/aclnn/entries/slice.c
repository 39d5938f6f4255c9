/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_slice.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Slice[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"start", JM_ACLNN_INT, false, true, false},
    {"end", JM_ACLNN_INT, false, true, false},
    {"step", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Slice[] = {
    {JM_TERM_NODE, 5, 0, 0, 0, "Slice", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Slice[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Slice;
const jm_aclnn_row jm_aclnn_row_Slice = {
    "aclnnSlice", param_Slice, term_Slice, statement_Slice, 6, 1, false};

aclnnStatus aclnnSliceGetWorkspaceSize(const aclTensor *self, int64_t dim, int64_t start, int64_t end, int64_t step,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.i = start},
        {.i = end},
        {.i = step},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Slice, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSlice(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Slice, workspace, workspaceSize, executor, stream);
}
