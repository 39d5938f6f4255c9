/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Index[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"indices", JM_ACLNN_TENSORS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Index[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "IndexGet", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SHAPE, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Index[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Index;
const jm_aclnn_row jm_aclnn_row_Index = {
    "aclnnIndex", param_Index, term_Index, statement_Index, 3, 1, false};

aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor *self, const aclTensorList *indices, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensors = indices},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Index, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndex(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Index, workspace, workspaceSize, executor, stream);
}
