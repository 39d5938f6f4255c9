/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_log_space.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LogSpace[] = {
    {"start", JM_ACLNN_SCALAR, false, true, false},
    {"end", JM_ACLNN_SCALAR, false, true, false},
    {"steps", JM_ACLNN_INT, false, true, false},
    {"base", JM_ACLNN_FLOAT, false, true, false},
    {"result", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LogSpace[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Pow", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_F64, NULL, 0},
    {JM_TERM_NODE, 2, 1, 0, 0, "LinSpace", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_F64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_F64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "steps", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LogSpace[] = {
    {JM_RULE_CONVERT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_LogSpace;
const jm_aclnn_row jm_aclnn_row_LogSpace = {
    "aclnnLogSpace", param_LogSpace, term_LogSpace, statement_LogSpace, 5, 1, false};

aclnnStatus aclnnLogSpaceGetWorkspaceSize(const aclScalar *start, const aclScalar *end, int64_t steps, double base,
    aclTensor *result, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = start},
        {.scalar = end},
        {.i = steps},
        {.f = base},
        {.tensor = result},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LogSpace, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLogSpace(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LogSpace, workspace, workspaceSize, executor, stream);
}
