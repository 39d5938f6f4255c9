/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_lerp.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Lerp[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"end", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Lerp[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Lerp[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Lerp;
const jm_aclnn_row jm_aclnn_row_Lerp = {
    "aclnnLerp", param_Lerp, term_Lerp, statement_Lerp, 4, 1, false};

aclnnStatus aclnnLerpGetWorkspaceSize(const aclTensor *self, const aclTensor *end, const aclTensor *weight,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = end},
        {.tensor = weight},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Lerp, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLerp(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Lerp, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_Lerps[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"end", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Lerps[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Lerps[] = {
    {JM_RULE_FLOAT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Lerps;
const jm_aclnn_row jm_aclnn_row_Lerps = {
    "aclnnLerps", param_Lerps, term_Lerps, statement_Lerps, 4, 1, false};

aclnnStatus aclnnLerpsGetWorkspaceSize(const aclTensor *self, const aclTensor *end, const aclScalar *weight,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = end},
        {.scalar = weight},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Lerps, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLerps(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Lerps, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLerp[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"end", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceLerp[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLerp[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLerp;
const jm_aclnn_row jm_aclnn_row_InplaceLerp = {
    "aclnnInplaceLerp", param_InplaceLerp, term_InplaceLerp, statement_InplaceLerp, 3, 1, false};

aclnnStatus aclnnInplaceLerpGetWorkspaceSize(aclTensor *selfRef, const aclTensor *end, const aclTensor *weight,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = end},
        {.tensor = weight},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLerp, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLerp(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLerp, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLerps[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"end", JM_ACLNN_TENSOR, false, true, false},
    {"weight", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceLerps[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Mul", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLerps[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLerps;
const jm_aclnn_row jm_aclnn_row_InplaceLerps = {
    "aclnnInplaceLerps", param_InplaceLerps, term_InplaceLerps, statement_InplaceLerps, 3, 1, false};

aclnnStatus aclnnInplaceLerpsGetWorkspaceSize(aclTensor *selfRef, const aclTensor *end, const aclScalar *weight,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = end},
        {.scalar = weight},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLerps, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLerps(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLerps, workspace, workspaceSize, executor, stream);
}
