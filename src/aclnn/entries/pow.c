/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_pow.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_PowTensorScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"exponent", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_PowTensorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_PowTensorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_PowTensorScalar;
const jm_aclnn_row jm_aclnn_row_PowTensorScalar = {
    "aclnnPowTensorScalar", param_PowTensorScalar, term_PowTensorScalar, statement_PowTensorScalar, 3, 1, false};

aclnnStatus aclnnPowTensorScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *exponent, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = exponent},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_PowTensorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnPowTensorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_PowTensorScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplacePowTensorScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, true},
    {"exponent", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplacePowTensorScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplacePowTensorScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplacePowTensorScalar;
const jm_aclnn_row jm_aclnn_row_InplacePowTensorScalar = {
    "aclnnInplacePowTensorScalar", param_InplacePowTensorScalar, term_InplacePowTensorScalar, statement_InplacePowTensorScalar, 2, 1, false};

aclnnStatus aclnnInplacePowTensorScalarGetWorkspaceSize(aclTensor *self, const aclScalar *exponent,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = exponent},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplacePowTensorScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplacePowTensorScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplacePowTensorScalar, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_PowScalarTensor[] = {
    {"self", JM_ACLNN_SCALAR, false, true, false},
    {"exponent", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_PowScalarTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_PowScalarTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_PowScalarTensor;
const jm_aclnn_row jm_aclnn_row_PowScalarTensor = {
    "aclnnPowScalarTensor", param_PowScalarTensor, term_PowScalarTensor, statement_PowScalarTensor, 3, 1, false};

aclnnStatus aclnnPowScalarTensorGetWorkspaceSize(const aclScalar *self, const aclTensor *exponent, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = self},
        {.tensor = exponent},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_PowScalarTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnPowScalarTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_PowScalarTensor, workspace, workspaceSize, executor, stream);
}
