/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_nonzero.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Nonzero[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Nonzero[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "FindNonZero", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Nonzero[] = {
    {JM_RULE_KEEP, 0, 2, {1, JM_ACLNN_SHAPE_OF(1)}},
};
extern const jm_aclnn_row jm_aclnn_row_Nonzero;
const jm_aclnn_row jm_aclnn_row_Nonzero = {
    "aclnnNonzero", param_Nonzero, term_Nonzero, statement_Nonzero, 2, 1, false};

aclnnStatus aclnnNonzeroGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Nonzero, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNonzero(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Nonzero, workspace, workspaceSize, executor, stream);
}
