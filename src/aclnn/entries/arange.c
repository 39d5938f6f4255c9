/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_arange.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Arange[] = {
    {"start", JM_ACLNN_SCALAR, false, true, false},
    {"end", JM_ACLNN_SCALAR, false, true, false},
    {"step", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Arange[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Range", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Arange[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Arange;
const jm_aclnn_row jm_aclnn_row_Arange = {
    "aclnnArange", param_Arange, term_Arange, statement_Arange, 4, 1, false};

aclnnStatus aclnnArangeGetWorkspaceSize(const aclScalar *start, const aclScalar *end, const aclScalar *step,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = start},
        {.scalar = end},
        {.scalar = step},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Arange, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnArange(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Arange, workspace, workspaceSize, executor, stream);
}
