/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_linspace.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Linspace[] = {
    {"start", JM_ACLNN_SCALAR, false, true, false},
    {"end", JM_ACLNN_SCALAR, false, true, false},
    {"steps", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Linspace[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "LinSpace", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "steps", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Linspace[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Linspace;
const jm_aclnn_row jm_aclnn_row_Linspace = {
    "aclnnLinspace", param_Linspace, term_Linspace, statement_Linspace, 4, 1, false};

aclnnStatus aclnnLinspaceGetWorkspaceSize(const aclScalar *start, const aclScalar *end, int64_t steps, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = start},
        {.scalar = end},
        {.i = steps},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Linspace, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLinspace(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Linspace, workspace, workspaceSize, executor, stream);
}
