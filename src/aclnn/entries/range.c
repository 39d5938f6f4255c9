/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_range.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Range[] = {
    {"start", JM_ACLNN_SCALAR, false, true, false},
    {"end", JM_ACLNN_SCALAR, false, true, false},
    {"step", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Range[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "Range", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "inclusive", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_Range[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Range;
const jm_aclnn_row jm_aclnn_row_Range = {
    "aclnnRange", param_Range, term_Range, statement_Range, 4, 1, false};

aclnnStatus aclnnRangeGetWorkspaceSize(const aclScalar *start, const aclScalar *end, const aclScalar *step,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = start},
        {.scalar = end},
        {.scalar = step},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Range, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRange(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Range, workspace, workspaceSize, executor, stream);
}
