/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_masked_select.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_MaskedSelect[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mask", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_MaskedSelect[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "MaskedSelect", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
};
static const jm_aclnn_statement statement_MaskedSelect[] = {
    {JM_RULE_KEEP, 0, 2, {2, JM_ACLNN_SHAPE_OF(2)}},
};
extern const jm_aclnn_row jm_aclnn_row_MaskedSelect;
const jm_aclnn_row jm_aclnn_row_MaskedSelect = {
    "aclnnMaskedSelect", param_MaskedSelect, term_MaskedSelect, statement_MaskedSelect, 3, 1, false};

aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor *self, const aclTensor *mask, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = mask},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_MaskedSelect, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnMaskedSelect(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_MaskedSelect, workspace, workspaceSize, executor, stream);
}
