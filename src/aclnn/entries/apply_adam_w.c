/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_apply_adam_w.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ApplyAdamW[] = {
    {"varRef", JM_ACLNN_TENSOR, false, true, true},
    {"mRef", JM_ACLNN_TENSOR, false, true, true},
    {"vRef", JM_ACLNN_TENSOR, false, true, true},
    {"beta1Power", JM_ACLNN_TENSOR, false, true, false},
    {"beta2Power", JM_ACLNN_TENSOR, false, true, false},
    {"lr", JM_ACLNN_TENSOR, false, true, false},
    {"weightDecay", JM_ACLNN_TENSOR, false, true, false},
    {"beta1", JM_ACLNN_TENSOR, false, true, false},
    {"beta2", JM_ACLNN_TENSOR, false, true, false},
    {"eps", JM_ACLNN_TENSOR, false, true, false},
    {"grad", JM_ACLNN_TENSOR, false, true, false},
    {"maxGradNorm", JM_ACLNN_TENSOR, true, true, false},
    {"amsgrad", JM_ACLNN_BOOL, false, true, false},
    {"maximize", JM_ACLNN_BOOL, false, true, false},
};
static const jm_aclnn_term term_ApplyAdamW[] = {
    {JM_TERM_NODE, 12, 3, 0, 0, "AdamStep", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 11, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 10, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "decoupled", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "amsgrad", 0},
    {JM_TERM_PARAM, 0, 0, 12, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "maximize", 0},
    {JM_TERM_PARAM, 0, 0, 13, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ApplyAdamW[] = {
    {JM_RULE_EXACT, 0, 3, {0, 1, 2}},
};
extern const jm_aclnn_row jm_aclnn_row_ApplyAdamW;
const jm_aclnn_row jm_aclnn_row_ApplyAdamW = {
    "aclnnApplyAdamW", param_ApplyAdamW, term_ApplyAdamW, statement_ApplyAdamW, 14, 1, false};

aclnnStatus aclnnApplyAdamWGetWorkspaceSize(aclTensor *varRef, aclTensor *mRef, aclTensor *vRef,
    const aclTensor *beta1Power, const aclTensor *beta2Power, const aclTensor *lr, const aclTensor *weightDecay,
    const aclTensor *beta1, const aclTensor *beta2, const aclTensor *eps, const aclTensor *grad,
    const aclTensor *maxGradNorm, bool amsgrad, bool maximize, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = varRef},
        {.tensor = mRef},
        {.tensor = vRef},
        {.tensor = beta1Power},
        {.tensor = beta2Power},
        {.tensor = lr},
        {.tensor = weightDecay},
        {.tensor = beta1},
        {.tensor = beta2},
        {.tensor = eps},
        {.tensor = grad},
        {.tensor = maxGradNorm},
        {.i = amsgrad},
        {.i = maximize},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ApplyAdamW, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnApplyAdamW(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ApplyAdamW, workspace, workspaceSize, executor, stream);
}
