/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_flip.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Flip[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dims", JM_ACLNN_INTS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Flip[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "Flip", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Flip[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Flip;
const jm_aclnn_row jm_aclnn_row_Flip = {
    "aclnnFlip", param_Flip, term_Flip, statement_Flip, 3, 1, false};

aclnnStatus aclnnFlipGetWorkspaceSize(const aclTensor *self, const aclIntArray *dims, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = dims},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Flip, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFlip(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Flip, workspace, workspaceSize, executor, stream);
}
