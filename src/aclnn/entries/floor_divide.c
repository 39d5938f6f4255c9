/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_floor_divide.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_FloorDivide[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_FloorDivide[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_FloorDivide[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_FloorDivide;
const jm_aclnn_row jm_aclnn_row_FloorDivide = {
    "aclnnFloorDivide", param_FloorDivide, term_FloorDivide, statement_FloorDivide, 3, 1, false};

aclnnStatus aclnnFloorDivideGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_FloorDivide, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFloorDivide(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_FloorDivide, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_FloorDivides[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_FloorDivides[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_FloorDivides[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_FloorDivides;
const jm_aclnn_row jm_aclnn_row_FloorDivides = {
    "aclnnFloorDivides", param_FloorDivides, term_FloorDivides, statement_FloorDivides, 3, 1, false};

aclnnStatus aclnnFloorDividesGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_FloorDivides, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFloorDivides(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_FloorDivides, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceFloorDivide[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceFloorDivide[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_InplaceFloorDivide[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceFloorDivide;
const jm_aclnn_row jm_aclnn_row_InplaceFloorDivide = {
    "aclnnInplaceFloorDivide", param_InplaceFloorDivide, term_InplaceFloorDivide, statement_InplaceFloorDivide, 2, 1, false};

aclnnStatus aclnnInplaceFloorDivideGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceFloorDivide, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFloorDivide(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceFloorDivide, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceFloorDivides[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceFloorDivides[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_InplaceFloorDivides[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceFloorDivides;
const jm_aclnn_row jm_aclnn_row_InplaceFloorDivides = {
    "aclnnInplaceFloorDivides", param_InplaceFloorDivides, term_InplaceFloorDivides, statement_InplaceFloorDivides, 2, 1, false};

aclnnStatus aclnnInplaceFloorDividesGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceFloorDivides, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFloorDivides(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceFloorDivides, workspace, workspaceSize, executor, stream);
}
