/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_div_mod.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_DivMod[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"mode", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DivMod[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "trunc", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_DivMod[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_DivMod;
const jm_aclnn_row jm_aclnn_row_DivMod = {
    "aclnnDivMod", param_DivMod, term_DivMod, statement_DivMod, 4, 1, false};

aclnnStatus aclnnDivModGetWorkspaceSize(const aclTensor *self, const aclTensor *other, int32_t mode, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.i = mode},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DivMod, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDivMod(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DivMod, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_DivMods[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"mode", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_DivMods[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "trunc", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_DivMods[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_DivMods;
const jm_aclnn_row jm_aclnn_row_DivMods = {
    "aclnnDivMods", param_DivMods, term_DivMods, statement_DivMods, 4, 1, false};

aclnnStatus aclnnDivModsGetWorkspaceSize(const aclTensor *self, const aclScalar *other, int32_t mode, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.i = mode},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_DivMods, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnDivMods(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_DivMods, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceDivMod[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"mode", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceDivMod[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "trunc", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_InplaceDivMod[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceDivMod;
const jm_aclnn_row jm_aclnn_row_InplaceDivMod = {
    "aclnnInplaceDivMod", param_InplaceDivMod, term_InplaceDivMod, statement_InplaceDivMod, 3, 1, false};

aclnnStatus aclnnInplaceDivModGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other, int32_t mode,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = other},
        {.i = mode},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceDivMod, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivMod(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceDivMod, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceDivMods[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"mode", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceDivMods[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "DivRound", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rounding", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "trunc", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "floor", 0},
};
static const jm_aclnn_statement statement_InplaceDivMods[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceDivMods;
const jm_aclnn_row jm_aclnn_row_InplaceDivMods = {
    "aclnnInplaceDivMods", param_InplaceDivMods, term_InplaceDivMods, statement_InplaceDivMods, 3, 1, false};

aclnnStatus aclnnInplaceDivModsGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other, int32_t mode,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = other},
        {.i = mode},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceDivMods, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivMods(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceDivMods, workspace, workspaceSize, executor, stream);
}
