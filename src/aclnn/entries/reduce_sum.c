/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_reduce_sum.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ReduceSum[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dims", JM_ACLNN_INTS, false, true, false},
    {"keepDims", JM_ACLNN_BOOL, false, true, false},
    {"dtype", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ReduceSum[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceSum", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ReduceSum[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_ReduceSum;
const jm_aclnn_row jm_aclnn_row_ReduceSum = {
    "aclnnReduceSum", param_ReduceSum, term_ReduceSum, statement_ReduceSum, 5, 1, false};

aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor *self, const aclIntArray *dims, bool keepDims,
    aclDataType dtype, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = dims},
        {.i = keepDims},
        {.i = (int64_t)dtype},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ReduceSum, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnReduceSum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ReduceSum, workspace, workspaceSize, executor, stream);
}
