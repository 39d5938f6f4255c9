/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_nan_to_num.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NanToNum[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"nan", JM_ACLNN_FLOAT, false, true, false},
    {"posinf", JM_ACLNN_FLOAT, false, true, false},
    {"neginf", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NanToNum[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 1, 0, 0, "IsInf", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "detect_negative", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsInf", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_NanToNum[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_NanToNum;
const jm_aclnn_row jm_aclnn_row_NanToNum = {
    "aclnnNanToNum", param_NanToNum, term_NanToNum, statement_NanToNum, 5, 1, false};

aclnnStatus aclnnNanToNumGetWorkspaceSize(const aclTensor *self, float nan, float posinf, float neginf,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.f = (double)nan},
        {.f = (double)posinf},
        {.f = (double)neginf},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NanToNum, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNanToNum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NanToNum, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceNanToNum[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"nan", JM_ACLNN_FLOAT, false, true, false},
    {"posinf", JM_ACLNN_FLOAT, false, true, false},
    {"neginf", JM_ACLNN_FLOAT, false, true, false},
};
static const jm_aclnn_term term_InplaceNanToNum[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsNaN", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 1, 0, 0, "IsInf", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "detect_negative", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "IsInf", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceNanToNum[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceNanToNum;
const jm_aclnn_row jm_aclnn_row_InplaceNanToNum = {
    "aclnnInplaceNanToNum", param_InplaceNanToNum, term_InplaceNanToNum, statement_InplaceNanToNum, 4, 1, false};

aclnnStatus aclnnInplaceNanToNumGetWorkspaceSize(aclTensor *selfRef, float nan, float posinf, float neginf,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.f = (double)nan},
        {.f = (double)posinf},
        {.f = (double)neginf},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceNanToNum, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNanToNum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceNanToNum, workspace, workspaceSize, executor, stream);
}
