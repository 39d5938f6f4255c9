/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_zero_inplace.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachZeroInplace[] = {
    {"x", JM_ACLNN_TENSORS, false, true, true},
};
static const jm_aclnn_term term_ForeachZeroInplace[] = {
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachZeroInplace[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachZeroInplace;
const jm_aclnn_row jm_aclnn_row_ForeachZeroInplace = {
    "aclnnForeachZeroInplace", param_ForeachZeroInplace, term_ForeachZeroInplace, statement_ForeachZeroInplace, 1, 1, true};

aclnnStatus aclnnForeachZeroInplaceGetWorkspaceSize(const aclTensorList *x, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = x},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachZeroInplace, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachZeroInplace(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachZeroInplace, workspace, workspaceSize, executor, stream);
}
