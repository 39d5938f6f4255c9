/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_eye.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Eye[] = {
    {"n", JM_ACLNN_INT, false, false, false},
    {"m", JM_ACLNN_INT, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Eye[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "EyeLike", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Eye[] = {
    {JM_RULE_OUTPUT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Eye;
const jm_aclnn_row jm_aclnn_row_Eye = {
    "aclnnEye", param_Eye, term_Eye, statement_Eye, 3, 1, false};

aclnnStatus aclnnEyeGetWorkspaceSize(int64_t n, int64_t m, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.i = n},
        {.i = m},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Eye, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnEye(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Eye, workspace, workspaceSize, executor, stream);
}
