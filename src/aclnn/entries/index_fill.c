/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index_fill.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IndexFill[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IndexFill[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IndexFill[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_IndexFill;
const jm_aclnn_row jm_aclnn_row_IndexFill = {
    "aclnnIndexFill", param_IndexFill, term_IndexFill, statement_IndexFill, 5, 1, false};

aclnnStatus aclnnIndexFillGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclScalar *value, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.tensor = index},
        {.scalar = value},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IndexFill, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndexFill(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IndexFill, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceIndexFill[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceIndexFill[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceIndexFill[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceIndexFill;
const jm_aclnn_row jm_aclnn_row_InplaceIndexFill = {
    "aclnnInplaceIndexFill", param_InplaceIndexFill, term_InplaceIndexFill, statement_InplaceIndexFill, 4, 1, false};

aclnnStatus aclnnInplaceIndexFillGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.tensor = index},
        {.scalar = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceIndexFill, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexFill(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceIndexFill, workspace, workspaceSize, executor, stream);
}
