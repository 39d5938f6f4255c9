/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cast.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cast[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dtype", JM_ACLNN_DTYPE, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cast[] = {
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cast[] = {
    {JM_RULE_CONVERT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Cast;
const jm_aclnn_row jm_aclnn_row_Cast = {
    "aclnnCast", param_Cast, term_Cast, statement_Cast, 3, 1, false};

aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor *self, aclDataType dtype, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = (int64_t)dtype},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cast, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCast(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cast, workspace, workspaceSize, executor, stream);
}
