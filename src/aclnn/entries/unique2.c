/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_unique2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Unique2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"sorted", JM_ACLNN_BOOL, false, false, false},
    {"returnInverse", JM_ACLNN_BOOL, false, true, false},
    {"returnCounts", JM_ACLNN_BOOL, false, true, false},
    {"valueOut", JM_ACLNN_TENSOR, false, false, true},
    {"inverseOut", JM_ACLNN_TENSOR, false, false, true},
    {"countsOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Unique2[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "FindUnique", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_inverse", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_counts", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Unique2[] = {
    {JM_RULE_KEEP, 0, 5, {4, 5, 6, JM_ACLNN_SHAPE_OF(4), JM_ACLNN_SHAPE_OF(6)}},
};
extern const jm_aclnn_row jm_aclnn_row_Unique2;
const jm_aclnn_row jm_aclnn_row_Unique2 = {
    "aclnnUnique2", param_Unique2, term_Unique2, statement_Unique2, 7, 1, false};

aclnnStatus aclnnUnique2GetWorkspaceSize(const aclTensor *self, bool sorted, bool returnInverse, bool returnCounts,
    aclTensor *valueOut, aclTensor *inverseOut, aclTensor *countsOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = sorted},
        {.i = returnInverse},
        {.i = returnCounts},
        {.tensor = valueOut},
        {.tensor = inverseOut},
        {.tensor = countsOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Unique2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUnique2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Unique2, workspace, workspaceSize, executor, stream);
}
