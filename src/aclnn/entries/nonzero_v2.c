/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_nonzero_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_NonzeroV2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_NonzeroV2[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "FindNonZero", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "transposed", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_NonzeroV2[] = {
    {JM_RULE_KEEP, 0, 2, {1, JM_ACLNN_SHAPE_OF(1)}},
};
extern const jm_aclnn_row jm_aclnn_row_NonzeroV2;
const jm_aclnn_row jm_aclnn_row_NonzeroV2 = {
    "aclnnNonzeroV2", param_NonzeroV2, term_NonzeroV2, statement_NonzeroV2, 2, 1, false};

aclnnStatus aclnnNonzeroV2GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_NonzeroV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnNonzeroV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_NonzeroV2, workspace, workspaceSize, executor, stream);
}
