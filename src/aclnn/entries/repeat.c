/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_repeat.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Repeat[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"repeats", JM_ACLNN_INTS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Repeat[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Tile", 0},
    {JM_TERM_LEADING, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Repeat[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Repeat;
const jm_aclnn_row jm_aclnn_row_Repeat = {
    "aclnnRepeat", param_Repeat, term_Repeat, statement_Repeat, 3, 1, false};

aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor *self, const aclIntArray *repeats, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = repeats},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Repeat, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRepeat(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Repeat, workspace, workspaceSize, executor, stream);
}
