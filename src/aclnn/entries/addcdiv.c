/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_addcdiv.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Addcdiv[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"tensor1", JM_ACLNN_TENSOR, false, true, false},
    {"tensor2", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Addcdiv[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Addcdiv[] = {
    {JM_RULE_FLOAT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Addcdiv;
const jm_aclnn_row jm_aclnn_row_Addcdiv = {
    "aclnnAddcdiv", param_Addcdiv, term_Addcdiv, statement_Addcdiv, 5, 1, false};

aclnnStatus aclnnAddcdivGetWorkspaceSize(const aclTensor *self, const aclTensor *tensor1, const aclTensor *tensor2,
    const aclScalar *value, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = tensor1},
        {.tensor = tensor2},
        {.scalar = value},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Addcdiv, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddcdiv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Addcdiv, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAddcdiv[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"tensor1", JM_ACLNN_TENSOR, false, true, false},
    {"tensor2", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceAddcdiv[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Div", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAddcdiv[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAddcdiv;
const jm_aclnn_row jm_aclnn_row_InplaceAddcdiv = {
    "aclnnInplaceAddcdiv", param_InplaceAddcdiv, term_InplaceAddcdiv, statement_InplaceAddcdiv, 4, 1, false};

aclnnStatus aclnnInplaceAddcdivGetWorkspaceSize(aclTensor *selfRef, const aclTensor *tensor1,
    const aclTensor *tensor2, const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = tensor1},
        {.tensor = tensor2},
        {.scalar = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAddcdiv, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddcdiv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAddcdiv, workspace, workspaceSize, executor, stream);
}
