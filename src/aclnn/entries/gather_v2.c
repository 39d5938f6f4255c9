/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_gather_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_GatherV2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_GatherV2[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_GatherV2[] = {
    {JM_RULE_KEEP, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_GatherV2;
const jm_aclnn_row jm_aclnn_row_GatherV2 = {
    "aclnnGatherV2", param_GatherV2, term_GatherV2, statement_GatherV2, 4, 1, false};

aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_GatherV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGatherV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_GatherV2, workspace, workspaceSize, executor, stream);
}
