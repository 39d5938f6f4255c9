/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_addmv.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Addmv[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mat", JM_ACLNN_TENSOR, false, true, false},
    {"vec", JM_ACLNN_TENSOR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_Addmv[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_SHARE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Addmv[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Addmv;
const jm_aclnn_row jm_aclnn_row_Addmv = {
    "aclnnAddmv", param_Addmv, term_Addmv, statement_Addmv, 7, 1, false};

aclnnStatus aclnnAddmvGetWorkspaceSize(const aclTensor *self, const aclTensor *mat, const aclTensor *vec,
    const aclScalar *alpha, const aclScalar *beta, aclTensor *out, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = mat},
        {.tensor = vec},
        {.scalar = alpha},
        {.scalar = beta},
        {.tensor = out},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Addmv, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddmv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Addmv, workspace, workspaceSize, executor, stream);
}
