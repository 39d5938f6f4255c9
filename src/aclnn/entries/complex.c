/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_complex.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Complex[] = {
    {"real", JM_ACLNN_TENSOR, false, true, false},
    {"imag", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Complex[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Complex", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Complex[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Complex;
const jm_aclnn_row jm_aclnn_row_Complex = {
    "aclnnComplex", param_Complex, term_Complex, statement_Complex, 3, 1, false};

aclnnStatus aclnnComplexGetWorkspaceSize(const aclTensor *real, const aclTensor *imag, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = real},
        {.tensor = imag},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Complex, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnComplex(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Complex, workspace, workspaceSize, executor, stream);
}
