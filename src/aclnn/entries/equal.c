/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_equal.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Equal[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Equal[] = {
    {JM_TERM_CAST, 1, 0, 0, JM_BOOL, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "TensorEqual", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Equal[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Equal;
const jm_aclnn_row jm_aclnn_row_Equal = {
    "aclnnEqual", param_Equal, term_Equal, statement_Equal, 3, 1, false};

aclnnStatus aclnnEqualGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Equal, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnEqual(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Equal, workspace, workspaceSize, executor, stream);
}
