/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_var.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_VarCorrection[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INTS, false, true, false},
    {"correction", JM_ACLNN_INT, false, true, false},
    {"keepdim", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_VarCorrection[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "ReduceVariance", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "correction", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_VarCorrection[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_VarCorrection;
const jm_aclnn_row jm_aclnn_row_VarCorrection = {
    "aclnnVarCorrection", param_VarCorrection, term_VarCorrection, statement_VarCorrection, 5, 1, false};

aclnnStatus aclnnVarCorrectionGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, int64_t correction,
    bool keepdim, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = dim},
        {.i = correction},
        {.i = keepdim},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_VarCorrection, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnVarCorrection(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_VarCorrection, workspace, workspaceSize, executor, stream);
}
