/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cummax.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cummax[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"valuesOut", JM_ACLNN_TENSOR, false, false, true},
    {"indicesOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cummax[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "CumMax", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cummax[] = {
    {JM_RULE_KEEP, 0, 2, {2, 3}},
};
extern const jm_aclnn_row jm_aclnn_row_Cummax;
const jm_aclnn_row jm_aclnn_row_Cummax = {
    "aclnnCummax", param_Cummax, term_Cummax, statement_Cummax, 4, 1, false};

aclnnStatus aclnnCummaxGetWorkspaceSize(const aclTensor *self, int64_t dim, aclTensor *valuesOut,
    aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = valuesOut},
        {.tensor = indicesOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cummax, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCummax(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cummax, workspace, workspaceSize, executor, stream);
}
