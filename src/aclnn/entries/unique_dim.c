/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_unique_dim.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_UniqueDim[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"sorted", JM_ACLNN_BOOL, false, false, false},
    {"returnInverse", JM_ACLNN_BOOL, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"valueOut", JM_ACLNN_TENSOR, false, false, true},
    {"inverseOut", JM_ACLNN_TENSOR, false, false, true},
    {"countsOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_UniqueDim[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "FindUnique", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "return_inverse", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_UniqueDim[] = {
    {JM_RULE_KEEP, 0, 5, {4, 5, 6, JM_ACLNN_SHAPE_OF(4), JM_ACLNN_SHAPE_OF(6)}},
};
extern const jm_aclnn_row jm_aclnn_row_UniqueDim;
const jm_aclnn_row jm_aclnn_row_UniqueDim = {
    "aclnnUniqueDim", param_UniqueDim, term_UniqueDim, statement_UniqueDim, 7, 1, false};

aclnnStatus aclnnUniqueDimGetWorkspaceSize(const aclTensor *self, bool sorted, bool returnInverse, int64_t dim,
    aclTensor *valueOut, aclTensor *inverseOut, aclTensor *countsOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = sorted},
        {.i = returnInverse},
        {.i = dim},
        {.tensor = valueOut},
        {.tensor = inverseOut},
        {.tensor = countsOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_UniqueDim, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUniqueDim(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_UniqueDim, workspace, workspaceSize, executor, stream);
}
