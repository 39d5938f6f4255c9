/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_randperm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Randperm[] = {
    {"n", JM_ACLNN_INT, false, false, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Randperm[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "RandomPermutation", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Randperm[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Randperm;
const jm_aclnn_row jm_aclnn_row_Randperm = {
    "aclnnRandperm", param_Randperm, term_Randperm, statement_Randperm, 4, 1, false};

aclnnStatus aclnnRandpermGetWorkspaceSize(int64_t n, int64_t seed, int64_t offset, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.i = n},
        {.i = seed},
        {.i = offset},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Randperm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRandperm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Randperm, workspace, workspaceSize, executor, stream);
}
