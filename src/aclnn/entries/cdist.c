/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cdist.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cdist[] = {
    {"x1", JM_ACLNN_TENSOR, false, true, false},
    {"x2", JM_ACLNN_TENSOR, false, true, false},
    {"p", JM_ACLNN_FLOAT, false, true, false},
    {"compute_mode", JM_ACLNN_INT, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cdist[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "VectorNorm", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_UNSQUEEZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -2},
    {JM_TERM_UNSQUEEZE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -3},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axes", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "keepdims", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ord", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cdist[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Cdist;
const jm_aclnn_row jm_aclnn_row_Cdist = {
    "aclnnCdist", param_Cdist, term_Cdist, statement_Cdist, 5, 1, false};

aclnnStatus aclnnCdistGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2, float p, int64_t compute_mode,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = x1},
        {.tensor = x2},
        {.f = (double)p},
        {.i = compute_mode},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cdist, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCdist(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cdist, workspace, workspaceSize, executor, stream);
}
