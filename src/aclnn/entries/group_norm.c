/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_group_norm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_GroupNorm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"gamma", JM_ACLNN_TENSOR, true, true, false},
    {"beta", JM_ACLNN_TENSOR, true, true, false},
    {"N", JM_ACLNN_INT, false, true, false},
    {"C", JM_ACLNN_INT, false, true, false},
    {"HxW", JM_ACLNN_INT, false, true, false},
    {"group", JM_ACLNN_INT, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
    {"meanOut", JM_ACLNN_TENSOR, true, false, true},
    {"rstdOut", JM_ACLNN_TENSOR, true, false, true},
};
static const jm_aclnn_term term_GroupNorm[] = {
    {JM_TERM_NODE, 3, 5, 0, 0, "GroupNormalization", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "num_groups", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "epsilon", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "batch", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "channels", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "points", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_GroupNorm[] = {
    {JM_RULE_KEEP, 0, 3, {8, 9, 10}},
};
extern const jm_aclnn_row jm_aclnn_row_GroupNorm;
const jm_aclnn_row jm_aclnn_row_GroupNorm = {
    "aclnnGroupNorm", param_GroupNorm, term_GroupNorm, statement_GroupNorm, 11, 1, false};

aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor *self, const aclTensor *gamma, const aclTensor *beta,
    int64_t N, int64_t C, int64_t HxW, int64_t group, double eps, aclTensor *out, aclTensor *meanOut,
    aclTensor *rstdOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = gamma},
        {.tensor = beta},
        {.i = N},
        {.i = C},
        {.i = HxW},
        {.i = group},
        {.f = eps},
        {.tensor = out},
        {.tensor = meanOut},
        {.tensor = rstdOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_GroupNorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnGroupNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_GroupNorm, workspace, workspaceSize, executor, stream);
}
