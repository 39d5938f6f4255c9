/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_apply_adam.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ApplyAdam[] = {
    {"varRef", JM_ACLNN_TENSOR, false, true, true},
    {"m", JM_ACLNN_TENSOR, false, true, true},
    {"v", JM_ACLNN_TENSOR, false, true, true},
    {"beta1Power", JM_ACLNN_TENSOR, false, true, false},
    {"beta2Power", JM_ACLNN_TENSOR, false, true, false},
    {"lr", JM_ACLNN_TENSOR, false, true, false},
    {"beta1", JM_ACLNN_TENSOR, false, true, false},
    {"beta2", JM_ACLNN_TENSOR, false, true, false},
    {"epsilon", JM_ACLNN_TENSOR, false, true, false},
    {"grad", JM_ACLNN_TENSOR, false, true, false},
    {"useLocking", JM_ACLNN_BOOL, false, false, false},
    {"useNesterov", JM_ACLNN_BOOL, false, true, false},
};
static const jm_aclnn_term term_ApplyAdam[] = {
    {JM_TERM_NODE, 11, 1, 0, 0, "AdamStep", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ABSENT, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "nesterov", 0},
    {JM_TERM_PARAM, 0, 0, 11, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ApplyAdam[] = {
    {JM_RULE_EXACT, 0, 3, {0, 1, 2}},
};
extern const jm_aclnn_row jm_aclnn_row_ApplyAdam;
const jm_aclnn_row jm_aclnn_row_ApplyAdam = {
    "aclnnApplyAdam", param_ApplyAdam, term_ApplyAdam, statement_ApplyAdam, 12, 1, false};

aclnnStatus aclnnApplyAdamGetWorkspaceSize(aclTensor *varRef, aclTensor *m, aclTensor *v, const aclTensor *beta1Power,
    const aclTensor *beta2Power, const aclTensor *lr, const aclTensor *beta1, const aclTensor *beta2,
    const aclTensor *epsilon, const aclTensor *grad, bool useLocking, bool useNesterov, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = varRef},
        {.tensor = m},
        {.tensor = v},
        {.tensor = beta1Power},
        {.tensor = beta2Power},
        {.tensor = lr},
        {.tensor = beta1},
        {.tensor = beta2},
        {.tensor = epsilon},
        {.tensor = grad},
        {.i = useLocking},
        {.i = useNesterov},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ApplyAdam, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnApplyAdam(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ApplyAdam, workspace, workspaceSize, executor, stream);
}
