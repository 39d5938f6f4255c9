/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_right_shift.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_RightShift[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"shiftBits", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_RightShift[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "BitShift", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "direction", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "RIGHT", 0},
};
static const jm_aclnn_statement statement_RightShift[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_RightShift;
const jm_aclnn_row jm_aclnn_row_RightShift = {
    "aclnnRightShift", param_RightShift, term_RightShift, statement_RightShift, 3, 1, false};

aclnnStatus aclnnRightShiftGetWorkspaceSize(const aclTensor *input, const aclTensor *shiftBits, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = shiftBits},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_RightShift, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRightShift(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_RightShift, workspace, workspaceSize, executor, stream);
}
