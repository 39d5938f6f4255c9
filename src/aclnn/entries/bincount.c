/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bincount.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Bincount[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"weights", JM_ACLNN_TENSOR, true, true, false},
    {"minlength", JM_ACLNN_INT, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Bincount[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_I64, NULL, 0},
    {JM_TERM_GIVEN, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
};
static const jm_aclnn_statement statement_Bincount[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Bincount;
const jm_aclnn_row jm_aclnn_row_Bincount = {
    "aclnnBincount", param_Bincount, term_Bincount, statement_Bincount, 4, 1, false};

aclnnStatus aclnnBincountGetWorkspaceSize(const aclTensor *self, const aclTensor *weights, int64_t minlength,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = weights},
        {.i = minlength},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Bincount, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBincount(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Bincount, workspace, workspaceSize, executor, stream);
}
