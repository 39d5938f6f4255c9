/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_left_shift.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LeftShift[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"shiftBits", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LeftShift[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "BitShift", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "direction", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "LEFT", 0},
};
static const jm_aclnn_statement statement_LeftShift[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LeftShift;
const jm_aclnn_row jm_aclnn_row_LeftShift = {
    "aclnnLeftShift", param_LeftShift, term_LeftShift, statement_LeftShift, 3, 1, false};

aclnnStatus aclnnLeftShiftGetWorkspaceSize(const aclTensor *self, const aclTensor *shiftBits, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = shiftBits},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LeftShift, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLeftShift(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LeftShift, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_LeftShifts[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"shiftBits", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LeftShifts[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "BitShift", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "direction", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "LEFT", 0},
};
static const jm_aclnn_statement statement_LeftShifts[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LeftShifts;
const jm_aclnn_row jm_aclnn_row_LeftShifts = {
    "aclnnLeftShifts", param_LeftShifts, term_LeftShifts, statement_LeftShifts, 3, 1, false};

aclnnStatus aclnnLeftShiftsGetWorkspaceSize(const aclTensor *self, const aclScalar *shiftBits, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = shiftBits},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LeftShifts, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLeftShifts(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LeftShifts, workspace, workspaceSize, executor, stream);
}
