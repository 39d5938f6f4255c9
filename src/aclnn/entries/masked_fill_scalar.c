/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_masked_fill_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceMaskedFillScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"mask", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceMaskedFillScalar[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceMaskedFillScalar[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceMaskedFillScalar;
const jm_aclnn_row jm_aclnn_row_InplaceMaskedFillScalar = {
    "aclnnInplaceMaskedFillScalar", param_InplaceMaskedFillScalar, term_InplaceMaskedFillScalar, statement_InplaceMaskedFillScalar, 3, 1, false};

aclnnStatus aclnnInplaceMaskedFillScalarGetWorkspaceSize(aclTensor *selfRef, const aclTensor *mask,
    const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = mask},
        {.scalar = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceMaskedFillScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMaskedFillScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceMaskedFillScalar, workspace, workspaceSize, executor, stream);
}
