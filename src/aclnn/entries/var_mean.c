/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_var_mean.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_VarMean[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INTS, false, true, false},
    {"correction", JM_ACLNN_INT, false, true, false},
    {"keepdim", JM_ACLNN_BOOL, false, true, false},
    {"varOut", JM_ACLNN_TENSOR, false, false, true},
    {"meanOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_VarMean[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "ReduceVariance", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "correction", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceMean", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_VarMean[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
    {JM_RULE_PROMOTE, 9, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_VarMean;
const jm_aclnn_row jm_aclnn_row_VarMean = {
    "aclnnVarMean", param_VarMean, term_VarMean, statement_VarMean, 6, 2, false};

aclnnStatus aclnnVarMeanGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, int64_t correction,
    bool keepdim, aclTensor *varOut, aclTensor *meanOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = dim},
        {.i = correction},
        {.i = keepdim},
        {.tensor = varOut},
        {.tensor = meanOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_VarMean, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnVarMean(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_VarMean, workspace, workspaceSize, executor, stream);
}
