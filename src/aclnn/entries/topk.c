/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_topk.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Topk[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"k", JM_ACLNN_INT, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"largest", JM_ACLNN_BOOL, false, true, false},
    {"sorted", JM_ACLNN_BOOL, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
    {"indicesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Topk[] = {
    {JM_TERM_NODE, 2, 3, 0, 0, "TopK", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "largest", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "sorted", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Topk[] = {
    {JM_RULE_KEEP, 0, 2, {5, 6}},
};
extern const jm_aclnn_row jm_aclnn_row_Topk;
const jm_aclnn_row jm_aclnn_row_Topk = {
    "aclnnTopk", param_Topk, term_Topk, statement_Topk, 7, 1, false};

aclnnStatus aclnnTopkGetWorkspaceSize(const aclTensor *self, int64_t k, int64_t dim, bool largest, bool sorted,
    aclTensor *valuesOut, aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = k},
        {.i = dim},
        {.i = largest},
        {.i = sorted},
        {.tensor = valuesOut},
        {.tensor = indicesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Topk, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTopk(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Topk, workspace, workspaceSize, executor, stream);
}
