/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_addbmm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Addbmm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"batch1", JM_ACLNN_TENSOR, false, true, false},
    {"batch2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_Addbmm[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_SHARE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 1, 2, 0, 0, "ReduceSum", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Addbmm[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Addbmm;
const jm_aclnn_row jm_aclnn_row_Addbmm = {
    "aclnnAddbmm", param_Addbmm, term_Addbmm, statement_Addbmm, 7, 1, false};

aclnnStatus aclnnAddbmmGetWorkspaceSize(const aclTensor *self, const aclTensor *batch1, const aclTensor *batch2,
    const aclScalar *beta, const aclScalar *alpha, aclTensor *out, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = batch1},
        {.tensor = batch2},
        {.scalar = beta},
        {.scalar = alpha},
        {.tensor = out},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Addbmm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddbmm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Addbmm, workspace, workspaceSize, executor, stream);
}
