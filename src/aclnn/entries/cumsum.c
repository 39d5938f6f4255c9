/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cumsum.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cumsum[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"dtype", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cumsum[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "CumSum", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cumsum[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Cumsum;
const jm_aclnn_row jm_aclnn_row_Cumsum = {
    "aclnnCumsum", param_Cumsum, term_Cumsum, statement_Cumsum, 4, 1, false};

aclnnStatus aclnnCumsumGetWorkspaceSize(const aclTensor *self, int64_t dim, aclDataType dtype, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.i = (int64_t)dtype},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cumsum, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCumsum(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cumsum, workspace, workspaceSize, executor, stream);
}
