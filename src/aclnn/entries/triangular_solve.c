/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_triangular_solve.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_TriangularSolve[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"A", JM_ACLNN_TENSOR, false, true, false},
    {"upper", JM_ACLNN_BOOL, false, true, false},
    {"transpose", JM_ACLNN_BOOL, false, true, false},
    {"unitriangular", JM_ACLNN_BOOL, false, true, false},
    {"xOut", JM_ACLNN_TENSOR, false, false, true},
    {"mOut", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_TriangularSolve[] = {
    {JM_TERM_NODE, 2, 3, 0, 0, "TriangularSolve", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "upper", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "transpose", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "unit", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_TriangularSolve[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
    {JM_RULE_PROMOTE, 9, 1, {6}},
};
extern const jm_aclnn_row jm_aclnn_row_TriangularSolve;
const jm_aclnn_row jm_aclnn_row_TriangularSolve = {
    "aclnnTriangularSolve", param_TriangularSolve, term_TriangularSolve, statement_TriangularSolve, 7, 2, false};

aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor *self, const aclTensor *A, bool upper,
    bool transpose, bool unitriangular, aclTensor *xOut, aclTensor *mOut, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = A},
        {.i = upper},
        {.i = transpose},
        {.i = unitriangular},
        {.tensor = xOut},
        {.tensor = mOut},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_TriangularSolve, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTriangularSolve(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_TriangularSolve, workspace, workspaceSize, executor, stream);
}
