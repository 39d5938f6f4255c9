/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_fused_sgd.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_FusedSgd[] = {
    {"paramsRef", JM_ACLNN_TENSORS, false, true, true},
    {"gradsRef", JM_ACLNN_TENSORS, false, true, true},
    {"momentumBufferListOptionalRef", JM_ACLNN_TENSORS, true, true, true},
    {"gradScale", JM_ACLNN_TENSOR, true, true, false},
    {"weightDecay", JM_ACLNN_FLOAT, false, true, false},
    {"momentum", JM_ACLNN_FLOAT, false, true, false},
    {"lr", JM_ACLNN_FLOAT, false, true, false},
    {"dampening", JM_ACLNN_FLOAT, false, true, false},
    {"nesterov", JM_ACLNN_BOOL, false, true, false},
    {"maximize", JM_ACLNN_BOOL, false, true, false},
    {"isFirstStep", JM_ACLNN_BOOL, false, true, false},
};
static const jm_aclnn_term term_FusedSgd[] = {
    {JM_TERM_NODE, 4, 7, 0, 0, "GradientDescentStep", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "lr", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "momentum", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dampening", 0},
    {JM_TERM_PARAM, 0, 0, 7, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "weight_decay", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "nesterov", 0},
    {JM_TERM_PARAM, 0, 0, 8, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "maximize", 0},
    {JM_TERM_PARAM, 0, 0, 9, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "first", 0},
    {JM_TERM_PARAM, 0, 0, 10, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_FusedSgd[] = {
    {JM_RULE_EXACT, 0, 3, {0, 1, 2}},
};
extern const jm_aclnn_row jm_aclnn_row_FusedSgd;
const jm_aclnn_row jm_aclnn_row_FusedSgd = {
    "aclnnFusedSgd", param_FusedSgd, term_FusedSgd, statement_FusedSgd, 11, 1, true};

aclnnStatus aclnnFusedSgdGetWorkspaceSize(const aclTensorList *paramsRef, const aclTensorList *gradsRef,
    const aclTensorList *momentumBufferListOptionalRef, const aclTensor *gradScale, float weightDecay, float momentum,
    float lr, float dampening, bool nesterov, bool maximize, bool isFirstStep, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = paramsRef},
        {.tensors = gradsRef},
        {.tensors = momentumBufferListOptionalRef},
        {.tensor = gradScale},
        {.f = (double)weightDecay},
        {.f = (double)momentum},
        {.f = (double)lr},
        {.f = (double)dampening},
        {.i = nesterov},
        {.i = maximize},
        {.i = isFirstStep},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_FusedSgd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFusedSgd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_FusedSgd, workspace, workspaceSize, executor, stream);
}
