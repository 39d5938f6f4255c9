/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_take.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Take[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Take[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_Take[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Take;
const jm_aclnn_row jm_aclnn_row_Take = {
    "aclnnTake", param_Take, term_Take, statement_Take, 3, 1, false};

aclnnStatus aclnnTakeGetWorkspaceSize(const aclTensor *self, const aclTensor *index, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = index},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Take, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTake(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Take, workspace, workspaceSize, executor, stream);
}
