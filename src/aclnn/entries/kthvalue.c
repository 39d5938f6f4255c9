/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_kthvalue.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Kthvalue[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"k", JM_ACLNN_INT, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"keepdim", JM_ACLNN_BOOL, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
    {"indicesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Kthvalue[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "KthValue", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "k", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Kthvalue[] = {
    {JM_RULE_KEEP, 0, 2, {4, 5}},
};
extern const jm_aclnn_row jm_aclnn_row_Kthvalue;
const jm_aclnn_row jm_aclnn_row_Kthvalue = {
    "aclnnKthvalue", param_Kthvalue, term_Kthvalue, statement_Kthvalue, 6, 1, false};

aclnnStatus aclnnKthvalueGetWorkspaceSize(const aclTensor *self, int64_t k, int64_t dim, bool keepdim,
    aclTensor *valuesOut, aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = k},
        {.i = dim},
        {.i = keepdim},
        {.tensor = valuesOut},
        {.tensor = indicesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Kthvalue, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnKthvalue(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Kthvalue, workspace, workspaceSize, executor, stream);
}
