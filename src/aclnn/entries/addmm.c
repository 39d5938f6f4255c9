/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_addmm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Addmm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mat1", JM_ACLNN_TENSOR, false, true, false},
    {"mat2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_Addmm[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_SHARE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Addmm[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Addmm;
const jm_aclnn_row jm_aclnn_row_Addmm = {
    "aclnnAddmm", param_Addmm, term_Addmm, statement_Addmm, 7, 1, false};

aclnnStatus aclnnAddmmGetWorkspaceSize(const aclTensor *self, const aclTensor *mat1, const aclTensor *mat2,
    const aclScalar *beta, const aclScalar *alpha, aclTensor *out, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = mat1},
        {.tensor = mat2},
        {.scalar = beta},
        {.scalar = alpha},
        {.tensor = out},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Addmm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddmm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Addmm, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAddmm[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"mat1", JM_ACLNN_TENSOR, false, true, false},
    {"mat2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_InplaceAddmm[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_SHARE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAddmm[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAddmm;
const jm_aclnn_row jm_aclnn_row_InplaceAddmm = {
    "aclnnInplaceAddmm", param_InplaceAddmm, term_InplaceAddmm, statement_InplaceAddmm, 6, 1, false};

aclnnStatus aclnnInplaceAddmmGetWorkspaceSize(aclTensor *selfRef, const aclTensor *mat1, const aclTensor *mat2,
    const aclScalar *beta, const aclScalar *alpha, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = mat1},
        {.tensor = mat2},
        {.scalar = beta},
        {.scalar = alpha},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAddmm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddmm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAddmm, workspace, workspaceSize, executor, stream);
}
