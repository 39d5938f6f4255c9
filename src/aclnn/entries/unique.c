/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_unique.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Unique[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"sorted", JM_ACLNN_BOOL, false, false, false},
    {"returnInverse", JM_ACLNN_BOOL, false, true, false},
    {"valueOut", JM_ACLNN_TENSOR, false, false, true},
    {"inverseOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Unique[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "FindUnique", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_inverse", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_counts", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_Unique[] = {
    {JM_RULE_KEEP, 0, 4, {3, 4, JM_ACLNN_NO_OUTPUT, JM_ACLNN_SHAPE_OF(3)}},
};
extern const jm_aclnn_row jm_aclnn_row_Unique;
const jm_aclnn_row jm_aclnn_row_Unique = {
    "aclnnUnique", param_Unique, term_Unique, statement_Unique, 5, 1, false};

aclnnStatus aclnnUniqueGetWorkspaceSize(const aclTensor *self, bool sorted, bool returnInverse, aclTensor *valueOut,
    aclTensor *inverseOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = sorted},
        {.i = returnInverse},
        {.tensor = valueOut},
        {.tensor = inverseOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Unique, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUnique(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Unique, workspace, workspaceSize, executor, stream);
}
