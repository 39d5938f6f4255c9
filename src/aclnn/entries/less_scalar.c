/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_less_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LessScalar[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LessScalar[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "LessOrEqual", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LessScalar[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LessScalar;
const jm_aclnn_row jm_aclnn_row_LessScalar = {
    "aclnnLessScalar", param_LessScalar, term_LessScalar, statement_LessScalar, 3, 1, false};

aclnnStatus aclnnLessScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LessScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLessScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LessScalar, workspace, workspaceSize, executor, stream);
}
