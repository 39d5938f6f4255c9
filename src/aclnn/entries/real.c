/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_real.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Real[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Real[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Real", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Real[] = {
    {JM_RULE_PROMOTE, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Real;
const jm_aclnn_row jm_aclnn_row_Real = {
    "aclnnReal", param_Real, term_Real, statement_Real, 2, 1, false};

aclnnStatus aclnnRealGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Real, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnReal(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Real, workspace, workspaceSize, executor, stream);
}
