/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_reduce_nansum.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ReduceNansum[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INTS, false, true, false},
    {"keepDim", JM_ACLNN_BOOL, false, true, false},
    {"dtype", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ReduceNansum[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceSum", 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ReduceNansum[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_ReduceNansum;
const jm_aclnn_row jm_aclnn_row_ReduceNansum = {
    "aclnnReduceNansum", param_ReduceNansum, term_ReduceNansum, statement_ReduceNansum, 5, 1, false};

aclnnStatus aclnnReduceNansumGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, bool keepDim,
    aclDataType dtype, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = dim},
        {.i = keepDim},
        {.i = (int64_t)dtype},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ReduceNansum, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnReduceNansum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ReduceNansum, workspace, workspaceSize, executor, stream);
}
