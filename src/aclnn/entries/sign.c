/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sign.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Sign[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"result", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Sign[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sign", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Sign[] = {
    {JM_RULE_PROMOTE, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Sign;
const jm_aclnn_row jm_aclnn_row_Sign = {
    "aclnnSign", param_Sign, term_Sign, statement_Sign, 2, 1, false};

aclnnStatus aclnnSignGetWorkspaceSize(const aclTensor *self, aclTensor *result, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = result},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Sign, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSign(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Sign, workspace, workspaceSize, executor, stream);
}
