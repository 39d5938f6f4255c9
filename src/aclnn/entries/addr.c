/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_addr.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Addr[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"vec1", JM_ACLNN_TENSOR, false, true, false},
    {"vec2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, true, true, false},
    {"alpha", JM_ACLNN_SCALAR, true, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Addr[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_SHARE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_UNSQUEEZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Addr[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Addr;
const jm_aclnn_row jm_aclnn_row_Addr = {
    "aclnnAddr", param_Addr, term_Addr, statement_Addr, 6, 1, false};

aclnnStatus aclnnAddrGetWorkspaceSize(const aclTensor *self, const aclTensor *vec1, const aclTensor *vec2,
    const aclScalar *beta, const aclScalar *alpha, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = vec1},
        {.tensor = vec2},
        {.scalar = beta},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Addr, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddr(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Addr, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAddr[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"vec1", JM_ACLNN_TENSOR, false, true, false},
    {"vec2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, true, true, false},
    {"alpha", JM_ACLNN_SCALAR, true, true, false},
};
static const jm_aclnn_term term_InplaceAddr[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_SHARE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_UNSQUEEZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAddr[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAddr;
const jm_aclnn_row jm_aclnn_row_InplaceAddr = {
    "aclnnInplaceAddr", param_InplaceAddr, term_InplaceAddr, statement_InplaceAddr, 5, 1, false};

aclnnStatus aclnnInplaceAddrGetWorkspaceSize(aclTensor *selfRef, const aclTensor *vec1, const aclTensor *vec2,
    const aclScalar *beta, const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = vec1},
        {.tensor = vec2},
        {.scalar = beta},
        {.scalar = alpha},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAddr, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddr(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAddr, workspace, workspaceSize, executor, stream);
}
