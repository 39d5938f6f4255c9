/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_addcmul.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Addcmul[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"tensor1", JM_ACLNN_TENSOR, false, true, false},
    {"tensor2", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Addcmul[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Addcmul[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Addcmul;
const jm_aclnn_row jm_aclnn_row_Addcmul = {
    "aclnnAddcmul", param_Addcmul, term_Addcmul, statement_Addcmul, 5, 1, false};

aclnnStatus aclnnAddcmulGetWorkspaceSize(const aclTensor *self, const aclTensor *tensor1, const aclTensor *tensor2,
    const aclScalar *value, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = tensor1},
        {.tensor = tensor2},
        {.scalar = value},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Addcmul, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddcmul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Addcmul, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAddcmul[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"tensor1", JM_ACLNN_TENSOR, false, true, false},
    {"tensor2", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceAddcmul[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAddcmul[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAddcmul;
const jm_aclnn_row jm_aclnn_row_InplaceAddcmul = {
    "aclnnInplaceAddcmul", param_InplaceAddcmul, term_InplaceAddcmul, statement_InplaceAddcmul, 4, 1, false};

aclnnStatus aclnnInplaceAddcmulGetWorkspaceSize(aclTensor *selfRef, const aclTensor *tensor1,
    const aclTensor *tensor2, const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = tensor1},
        {.tensor = tensor2},
        {.scalar = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAddcmul, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddcmul(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAddcmul, workspace, workspaceSize, executor, stream);
}
