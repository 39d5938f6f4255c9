/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_unique_consecutive.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_UniqueConsecutive[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"returnInverse", JM_ACLNN_BOOL, false, true, false},
    {"returnCounts", JM_ACLNN_BOOL, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"valueOut", JM_ACLNN_TENSOR, false, false, true},
    {"inverseOut", JM_ACLNN_TENSOR, false, false, true},
    {"countsOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_UniqueConsecutive[] = {
    {JM_TERM_NODE, 1, 4, 0, 0, "FindUnique", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_EXCEPT, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1000},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_inverse", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_counts", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "consecutive", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
};
static const jm_aclnn_statement statement_UniqueConsecutive[] = {
    {JM_RULE_KEEP, 0, 5, {4, 5, 6, JM_ACLNN_SHAPE_OF(4), JM_ACLNN_SHAPE_OF(6)}},
};
extern const jm_aclnn_row jm_aclnn_row_UniqueConsecutive;
const jm_aclnn_row jm_aclnn_row_UniqueConsecutive = {
    "aclnnUniqueConsecutive", param_UniqueConsecutive, term_UniqueConsecutive, statement_UniqueConsecutive, 7, 1, false};

aclnnStatus aclnnUniqueConsecutiveGetWorkspaceSize(const aclTensor *self, bool returnInverse, bool returnCounts,
    int64_t dim, aclTensor *valueOut, aclTensor *inverseOut, aclTensor *countsOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = returnInverse},
        {.i = returnCounts},
        {.i = dim},
        {.tensor = valueOut},
        {.tensor = inverseOut},
        {.tensor = countsOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_UniqueConsecutive, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUniqueConsecutive(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_UniqueConsecutive, workspace, workspaceSize, executor, stream);
}
