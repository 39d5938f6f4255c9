/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_add.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Add[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Add[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Add[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Add;
const jm_aclnn_row jm_aclnn_row_Add = {
    "aclnnAdd", param_Add, term_Add, statement_Add, 4, 1, false};

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Add, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Add, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_Adds[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Adds[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Adds[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Adds;
const jm_aclnn_row jm_aclnn_row_Adds = {
    "aclnnAdds", param_Adds, term_Adds, statement_Adds, 4, 1, false};

aclnnStatus aclnnAddsGetWorkspaceSize(const aclTensor *self, const aclScalar *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Adds, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAdds(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Adds, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAdd[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceAdd[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAdd[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAdd;
const jm_aclnn_row jm_aclnn_row_InplaceAdd = {
    "aclnnInplaceAdd", param_InplaceAdd, term_InplaceAdd, statement_InplaceAdd, 3, 1, false};

aclnnStatus aclnnInplaceAddGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other, const aclScalar *alpha,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
        {.scalar = alpha},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAdd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAdd, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceAdds[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceAdds[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceAdds[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceAdds;
const jm_aclnn_row jm_aclnn_row_InplaceAdds = {
    "aclnnInplaceAdds", param_InplaceAdds, term_InplaceAdds, statement_InplaceAdds, 3, 1, false};

aclnnStatus aclnnInplaceAddsGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other, const aclScalar *alpha,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
        {.scalar = alpha},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceAdds, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdds(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceAdds, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_AddV3[] = {
    {"self", JM_ACLNN_SCALAR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AddV3[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Add", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_AddV3[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_AddV3;
const jm_aclnn_row jm_aclnn_row_AddV3 = {
    "aclnnAddV3", param_AddV3, term_AddV3, statement_AddV3, 4, 1, false};

aclnnStatus aclnnAddV3GetWorkspaceSize(const aclScalar *self, const aclTensor *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.scalar = self},
        {.tensor = other},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AddV3, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAddV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AddV3, workspace, workspaceSize, executor, stream);
}
