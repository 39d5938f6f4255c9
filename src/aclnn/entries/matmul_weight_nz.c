/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_matmul_weight_nz.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_MatmulWeightNz[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mat2", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_MatmulWeightNz[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_MatmulWeightNz[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_MatmulWeightNz;
const jm_aclnn_row jm_aclnn_row_MatmulWeightNz = {
    "aclnnMatmulWeightNz", param_MatmulWeightNz, term_MatmulWeightNz, statement_MatmulWeightNz, 4, 1, false};

aclnnStatus aclnnMatmulWeightNzGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2, aclTensor *out,
    int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = mat2},
        {.tensor = out},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MatmulWeightNz, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMatmulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MatmulWeightNz, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_BatchMatMulWeightNz[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mat2", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_BatchMatMulWeightNz[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "MatMul", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_BatchMatMulWeightNz[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_BatchMatMulWeightNz;
const jm_aclnn_row jm_aclnn_row_BatchMatMulWeightNz = {
    "aclnnBatchMatMulWeightNz", param_BatchMatMulWeightNz, term_BatchMatMulWeightNz, statement_BatchMatMulWeightNz, 4, 1, false};

aclnnStatus aclnnBatchMatMulWeightNzGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2, aclTensor *out,
    int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = mat2},
        {.tensor = out},
        {.i = cubeMathType},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_BatchMatMulWeightNz, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBatchMatMulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_BatchMatMulWeightNz, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_AddmmWeightNz[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mat1", JM_ACLNN_TENSOR, false, true, false},
    {"mat2", JM_ACLNN_TENSOR, false, true, false},
    {"beta", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
};
static const jm_aclnn_term term_AddmmWeightNz[] = {
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
static const jm_aclnn_statement statement_AddmmWeightNz[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_AddmmWeightNz;
const jm_aclnn_row jm_aclnn_row_AddmmWeightNz = {
    "aclnnAddmmWeightNz", param_AddmmWeightNz, term_AddmmWeightNz, statement_AddmmWeightNz, 7, 1, false};

aclnnStatus aclnnAddmmWeightNzGetWorkspaceSize(const aclTensor *self, const aclTensor *mat1, const aclTensor *mat2,
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
    return jm_aclnn_prepare(&jm_aclnn_row_AddmmWeightNz, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddmmWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AddmmWeightNz, workspace, workspaceSize, executor, stream);
}
