/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_linalg_vector_norm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LinalgVectorNorm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"ord", JM_ACLNN_SCALAR, false, true, false},
    {"dims", JM_ACLNN_INTS, true, true, false},
    {"keepDims", JM_ACLNN_BOOL, false, true, false},
    {"dtype", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LinalgVectorNorm[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "VectorNorm", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ord", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LinalgVectorNorm[] = {
    {JM_RULE_OUTPUT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_LinalgVectorNorm;
const jm_aclnn_row jm_aclnn_row_LinalgVectorNorm = {
    "aclnnLinalgVectorNorm", param_LinalgVectorNorm, term_LinalgVectorNorm, statement_LinalgVectorNorm, 6, 1, false};

aclnnStatus aclnnLinalgVectorNormGetWorkspaceSize(const aclTensor *self, const aclScalar *ord,
    const aclIntArray *dims, bool keepDims, aclDataType dtype, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = ord},
        {.ints = dims},
        {.i = keepDims},
        {.i = (int64_t)dtype},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LinalgVectorNorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLinalgVectorNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LinalgVectorNorm, workspace, workspaceSize, executor, stream);
}
