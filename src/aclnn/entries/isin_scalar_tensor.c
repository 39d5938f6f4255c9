/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_isin_scalar_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IsInScalarTensor[] = {
    {"element", JM_ACLNN_SCALAR, false, true, false},
    {"testElements", JM_ACLNN_TENSOR, false, true, false},
    {"assumeUnique", JM_ACLNN_BOOL, false, false, false},
    {"invert", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IsInScalarTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Xor", 0},
    {JM_TERM_CAST, 1, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_NODE, 1, 1, 0, 0, "ReduceMax", 0},
    {JM_TERM_CAST, 1, 0, 0, JM_U8, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_IsInScalarTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_IsInScalarTensor;
const jm_aclnn_row jm_aclnn_row_IsInScalarTensor = {
    "aclnnIsInScalarTensor", param_IsInScalarTensor, term_IsInScalarTensor, statement_IsInScalarTensor, 5, 1, false};

aclnnStatus aclnnIsInScalarTensorGetWorkspaceSize(const aclScalar *element, const aclTensor *testElements,
    bool assumeUnique, bool invert, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = element},
        {.tensor = testElements},
        {.i = assumeUnique},
        {.i = invert},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IsInScalarTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIsInScalarTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IsInScalarTensor, workspace, workspaceSize, executor, stream);
}
