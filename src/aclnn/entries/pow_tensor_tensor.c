/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_pow_tensor_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_PowTensorTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"exponent", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_PowTensorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_PowTensorTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_PowTensorTensor;
const jm_aclnn_row jm_aclnn_row_PowTensorTensor = {
    "aclnnPowTensorTensor", param_PowTensorTensor, term_PowTensorTensor, statement_PowTensorTensor, 3, 1, false};

aclnnStatus aclnnPowTensorTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *exponent, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = exponent},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_PowTensorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnPowTensorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_PowTensorTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplacePowTensorTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, true},
    {"exponent", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplacePowTensorTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplacePowTensorTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplacePowTensorTensor;
const jm_aclnn_row jm_aclnn_row_InplacePowTensorTensor = {
    "aclnnInplacePowTensorTensor", param_InplacePowTensorTensor, term_InplacePowTensorTensor, statement_InplacePowTensorTensor, 2, 1, false};

aclnnStatus aclnnInplacePowTensorTensorGetWorkspaceSize(aclTensor *self, const aclTensor *exponent,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = exponent},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplacePowTensorTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplacePowTensorTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplacePowTensorTensor, workspace, workspaceSize, executor, stream);
}
