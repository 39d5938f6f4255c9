/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_fill_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceFillTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"value", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceFillTensor[] = {
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceFillTensor[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceFillTensor;
const jm_aclnn_row jm_aclnn_row_InplaceFillTensor = {
    "aclnnInplaceFillTensor", param_InplaceFillTensor, term_InplaceFillTensor, statement_InplaceFillTensor, 2, 1, false};

aclnnStatus aclnnInplaceFillTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *value,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceFillTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceFillTensor, workspace, workspaceSize, executor, stream);
}
