/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_fill_scalar.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceFillScalar[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"value", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceFillScalar[] = {
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceFillScalar[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceFillScalar;
const jm_aclnn_row jm_aclnn_row_InplaceFillScalar = {
    "aclnnInplaceFillScalar", param_InplaceFillScalar, term_InplaceFillScalar, statement_InplaceFillScalar, 2, 1, false};

aclnnStatus aclnnInplaceFillScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *value,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceFillScalar, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceFillScalar, workspace, workspaceSize, executor, stream);
}
