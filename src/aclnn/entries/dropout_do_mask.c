/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_dropout_do_mask.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_DropoutDoMask[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mask", JM_ACLNN_TENSOR, false, true, false},
    {"prob", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DropoutDoMask[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DropoutApply", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "prob", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_DropoutDoMask[] = {
    {JM_RULE_KEEP, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_DropoutDoMask;
const jm_aclnn_row jm_aclnn_row_DropoutDoMask = {
    "aclnnDropoutDoMask", param_DropoutDoMask, term_DropoutDoMask, statement_DropoutDoMask, 4, 1, false};

aclnnStatus aclnnDropoutDoMaskGetWorkspaceSize(const aclTensor *self, const aclTensor *mask, double prob,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = mask},
        {.f = prob},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DropoutDoMask, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDropoutDoMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DropoutDoMask, workspace, workspaceSize, executor, stream);
}
