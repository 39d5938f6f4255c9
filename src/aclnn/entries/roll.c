/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_roll.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Roll[] = {
    {"x", JM_ACLNN_TENSOR, false, true, false},
    {"shifts", JM_ACLNN_INTS, false, true, false},
    {"dims", JM_ACLNN_INTS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Roll[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "Roll", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "shifts", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_ALL, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Roll[] = {
    {JM_RULE_KEEP, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Roll;
const jm_aclnn_row jm_aclnn_row_Roll = {
    "aclnnRoll", param_Roll, term_Roll, statement_Roll, 4, 1, false};

aclnnStatus aclnnRollGetWorkspaceSize(const aclTensor *x, const aclIntArray *shifts, const aclIntArray *dims,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = x},
        {.ints = shifts},
        {.ints = dims},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Roll, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRoll(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Roll, workspace, workspaceSize, executor, stream);
}
