/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_norm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Norm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"pScalar", JM_ACLNN_SCALAR, true, true, false},
    {"dim", JM_ACLNN_INTS, false, true, false},
    {"keepdim", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Norm[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "VectorNorm", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ord", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Norm[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Norm;
const jm_aclnn_row jm_aclnn_row_Norm = {
    "aclnnNorm", param_Norm, term_Norm, statement_Norm, 5, 1, false};

aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor *self, const aclScalar *pScalar, const aclIntArray *dim,
    bool keepdim, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = pScalar},
        {.ints = dim},
        {.i = keepdim},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Norm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Norm, workspace, workspaceSize, executor, stream);
}
