/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index_put_impl.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IndexPutImpl[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"indices", JM_ACLNN_TENSORS, false, true, false},
    {"values", JM_ACLNN_TENSOR, false, true, false},
    {"accumulate", JM_ACLNN_BOOL, false, true, false},
    {"unsafe", JM_ACLNN_BOOL, false, false, false},
};
static const jm_aclnn_term term_IndexPutImpl[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "IndexPut", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "accumulate", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IndexPutImpl[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_IndexPutImpl;
const jm_aclnn_row jm_aclnn_row_IndexPutImpl = {
    "aclnnIndexPutImpl", param_IndexPutImpl, term_IndexPutImpl, statement_IndexPutImpl, 5, 1, false};

aclnnStatus aclnnIndexPutImplGetWorkspaceSize(aclTensor *selfRef, const aclTensorList *indices,
    const aclTensor *values, bool accumulate, bool unsafe, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensors = indices},
        {.tensor = values},
        {.i = accumulate},
        {.i = unsafe},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IndexPutImpl, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndexPutImpl(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IndexPutImpl, workspace, workspaceSize, executor, stream);
}
