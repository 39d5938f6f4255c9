/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_linalg_cross.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LinalgCross[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LinalgCross[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Cross", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LinalgCross[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_LinalgCross;
const jm_aclnn_row jm_aclnn_row_LinalgCross = {
    "aclnnLinalgCross", param_LinalgCross, term_LinalgCross, statement_LinalgCross, 4, 1, false};

aclnnStatus aclnnLinalgCrossGetWorkspaceSize(const aclTensor *self, const aclTensor *other, int64_t dim,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.i = dim},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LinalgCross, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLinalgCross(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LinalgCross, workspace, workspaceSize, executor, stream);
}
