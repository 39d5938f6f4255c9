/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_hardshrink.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Hardshrink[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"lambd", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Hardshrink[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "Shrink", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "lambd", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "bias", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_Hardshrink[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Hardshrink;
const jm_aclnn_row jm_aclnn_row_Hardshrink = {
    "aclnnHardshrink", param_Hardshrink, term_Hardshrink, statement_Hardshrink, 3, 1, false};

aclnnStatus aclnnHardshrinkGetWorkspaceSize(const aclTensor *self, const aclScalar *lambd, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = lambd},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Hardshrink, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnHardshrink(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Hardshrink, workspace, workspaceSize, executor, stream);
}
