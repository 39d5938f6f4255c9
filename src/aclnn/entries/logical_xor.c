/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_logical_xor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LogicalXor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LogicalXor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Xor", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_LogicalXor[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LogicalXor;
const jm_aclnn_row jm_aclnn_row_LogicalXor = {
    "aclnnLogicalXor", param_LogicalXor, term_LogicalXor, statement_LogicalXor, 3, 1, false};

aclnnStatus aclnnLogicalXorGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LogicalXor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogicalXor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LogicalXor, workspace, workspaceSize, executor, stream);
}
