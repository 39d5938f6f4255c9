/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_pow_scalar_and_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachPowScalarAndTensor[] = {
    {"scalar", JM_ACLNN_SCALAR, false, true, false},
    {"x", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSORS, false, false, true},
};
static const jm_aclnn_term term_ForeachPowScalarAndTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachPowScalarAndTensor[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachPowScalarAndTensor;
const jm_aclnn_row jm_aclnn_row_ForeachPowScalarAndTensor = {
    "aclnnForeachPowScalarAndTensor", param_ForeachPowScalarAndTensor, term_ForeachPowScalarAndTensor, statement_ForeachPowScalarAndTensor, 3, 1, true};

aclnnStatus aclnnForeachPowScalarAndTensorGetWorkspaceSize(const aclScalar *scalar, const aclTensorList *x,
    const aclTensorList *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = scalar},
        {.tensors = x},
        {.tensors = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachPowScalarAndTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowScalarAndTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachPowScalarAndTensor, workspace, workspaceSize, executor, stream);
}
