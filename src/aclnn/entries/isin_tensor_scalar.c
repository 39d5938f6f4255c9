/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_isin_tensor_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IsInTensorScalar[] = {
    {"element", JM_ACLNN_TENSOR, false, true, false},
    {"testElement", JM_ACLNN_SCALAR, false, true, false},
    {"assumeUnique", JM_ACLNN_BOOL, false, false, false},
    {"invert", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IsInTensorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Xor", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Equal", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_IsInTensorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_IsInTensorScalar;
const jm_aclnn_row jm_aclnn_row_IsInTensorScalar = {
    "aclnnIsInTensorScalar", param_IsInTensorScalar, term_IsInTensorScalar, statement_IsInTensorScalar, 5, 1, false};

aclnnStatus aclnnIsInTensorScalarGetWorkspaceSize(const aclTensor *element, const aclScalar *testElement,
    bool assumeUnique, bool invert, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = element},
        {.scalar = testElement},
        {.i = assumeUnique},
        {.i = invert},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IsInTensorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIsInTensorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IsInTensorScalar, workspace, workspaceSize, executor, stream);
}
