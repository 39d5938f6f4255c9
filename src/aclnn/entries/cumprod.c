/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cumprod.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cumprod[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_SCALAR, false, true, false},
    {"dtype", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cumprod[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "CumProd", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cumprod[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Cumprod;
const jm_aclnn_row jm_aclnn_row_Cumprod = {
    "aclnnCumprod", param_Cumprod, term_Cumprod, statement_Cumprod, 4, 1, false};

aclnnStatus aclnnCumprodGetWorkspaceSize(const aclTensor *input, const aclScalar *dim, aclDataType dtype,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.scalar = dim},
        {.i = (int64_t)dtype},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cumprod, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCumprod(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cumprod, workspace, workspaceSize, executor, stream);
}
