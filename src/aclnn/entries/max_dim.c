/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_max_dim.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_MaxDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"keepdim", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"indices", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MaxDim[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceMax", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ArgMax", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MaxDim[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
    {JM_RULE_PROMOTE, 6, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_MaxDim;
const jm_aclnn_row jm_aclnn_row_MaxDim = {
    "aclnnMaxDim", param_MaxDim, term_MaxDim, statement_MaxDim, 5, 2, false};

aclnnStatus aclnnMaxDimGetWorkspaceSize(const aclTensor *self, int64_t dim, bool keepdim, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.i = keepdim},
        {.tensor = out},
        {.tensor = indices},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MaxDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMaxDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MaxDim, workspace, workspaceSize, executor, stream);
}
