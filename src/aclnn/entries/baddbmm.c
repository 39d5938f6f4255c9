/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_baddbmm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Baddbmm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"batch1", JM_ACLNN_TENSOR, false, true, false},
    {"batch2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_Baddbmm[] = {
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
static const jm_aclnn_statement statement_Baddbmm[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Baddbmm;
const jm_aclnn_row jm_aclnn_row_Baddbmm = {
    "aclnnBaddbmm", param_Baddbmm, term_Baddbmm, statement_Baddbmm, 7, 1, false};

aclnnStatus aclnnBaddbmmGetWorkspaceSize(const aclTensor *self, const aclTensor *batch1, const aclTensor *batch2,
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
    return jm_aclnn_prepare(&jm_aclnn_row_Baddbmm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBaddbmm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Baddbmm, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBaddbmm[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"batch1", JM_ACLNN_TENSOR, false, true, false},
    {"batch2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_InplaceBaddbmm[] = {
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
static const jm_aclnn_statement statement_InplaceBaddbmm[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBaddbmm;
const jm_aclnn_row jm_aclnn_row_InplaceBaddbmm = {
    "aclnnInplaceBaddbmm", param_InplaceBaddbmm, term_InplaceBaddbmm, statement_InplaceBaddbmm, 6, 1, false};

aclnnStatus aclnnInplaceBaddbmmGetWorkspaceSize(aclTensor *selfRef, const aclTensor *batch1, const aclTensor *batch2,
    const aclScalar *beta, const aclScalar *alpha, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = batch1},
        {.tensor = batch2},
        {.scalar = beta},
        {.scalar = alpha},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBaddbmm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBaddbmm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBaddbmm, workspace, workspaceSize, executor, stream);
}
