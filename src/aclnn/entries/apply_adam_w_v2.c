/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_apply_adam_w_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ApplyAdamWV2[] = {
    {"varRef", JM_ACLNN_TENSOR, false, true, true},
    {"mRef", JM_ACLNN_TENSOR, false, true, true},
    {"vRef", JM_ACLNN_TENSOR, false, true, true},
    {"maxGradNormOptionalRef", JM_ACLNN_TENSOR, true, true, true},
    {"grad", JM_ACLNN_TENSOR, false, true, false},
    {"step", JM_ACLNN_TENSOR, false, true, false},
    {"lr", JM_ACLNN_FLOAT, false, true, false},
    {"beta1", JM_ACLNN_FLOAT, false, true, false},
    {"beta2", JM_ACLNN_FLOAT, false, true, false},
    {"weightDecay", JM_ACLNN_FLOAT, false, true, false},
    {"eps", JM_ACLNN_FLOAT, false, true, false},
    {"amsgrad", JM_ACLNN_BOOL, false, true, false},
    {"maximize", JM_ACLNN_BOOL, false, true, false},
};
static const jm_aclnn_term term_ApplyAdamWV2[] = {
    {JM_TERM_NODE, 6, 7, 0, 0, "AdamWStep", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "lr", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "beta1", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "beta2", 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "weight_decay", 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "eps", 0},
    {JM_TERM_PARAM, 0, 0, 10, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "amsgrad", 0},
    {JM_TERM_PARAM, 0, 0, 11, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "maximize", 0},
    {JM_TERM_PARAM, 0, 0, 12, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ApplyAdamWV2[] = {
    {JM_RULE_EXACT, 0, 4, {0, 1, 2, 3}},
};
extern const jm_aclnn_row jm_aclnn_row_ApplyAdamWV2;
const jm_aclnn_row jm_aclnn_row_ApplyAdamWV2 = {
    "aclnnApplyAdamWV2", param_ApplyAdamWV2, term_ApplyAdamWV2, statement_ApplyAdamWV2, 13, 1, false};

aclnnStatus aclnnApplyAdamWV2GetWorkspaceSize(aclTensor *varRef, aclTensor *mRef, aclTensor *vRef,
    aclTensor *maxGradNormOptionalRef, const aclTensor *grad, const aclTensor *step, float lr, float beta1,
    float beta2, float weightDecay, float eps, bool amsgrad, bool maximize, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = varRef},
        {.tensor = mRef},
        {.tensor = vRef},
        {.tensor = maxGradNormOptionalRef},
        {.tensor = grad},
        {.tensor = step},
        {.f = (double)lr},
        {.f = (double)beta1},
        {.f = (double)beta2},
        {.f = (double)weightDecay},
        {.f = (double)eps},
        {.i = amsgrad},
        {.i = maximize},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ApplyAdamWV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnApplyAdamWV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ApplyAdamWV2, workspace, workspaceSize, executor, stream);
}
