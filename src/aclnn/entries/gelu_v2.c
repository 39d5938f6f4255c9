/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_gelu_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_GeluV2[] = {
    {"x", JM_ACLNN_TENSOR, false, true, false},
    {"approximate", JM_ACLNN_INT, false, true, false},
    {"y", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_GeluV2[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "Gelu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "approximate", 0},
    {JM_TERM_CHOICE, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "tanh", 0},
};
static const jm_aclnn_statement statement_GeluV2[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_GeluV2;
const jm_aclnn_row jm_aclnn_row_GeluV2 = {
    "aclnnGeluV2", param_GeluV2, term_GeluV2, statement_GeluV2, 3, 1, false};

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor *x, int64_t approximate, aclTensor *y,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = x},
        {.i = approximate},
        {.tensor = y},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_GeluV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGeluV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_GeluV2, workspace, workspaceSize, executor, stream);
}
