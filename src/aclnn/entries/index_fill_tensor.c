/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index_fill_tensor.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IndexFillTensor[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_INTS, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_IndexFillTensor[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IndexFillTensor[] = {
    {JM_RULE_OUTPUT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_IndexFillTensor;
const jm_aclnn_row jm_aclnn_row_IndexFillTensor = {
    "aclnnIndexFillTensor", param_IndexFillTensor, term_IndexFillTensor, statement_IndexFillTensor, 5, 1, false};

aclnnStatus aclnnIndexFillTensorGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclIntArray *index,
    const aclScalar *value, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = dim},
        {.ints = index},
        {.scalar = value},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IndexFillTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndexFillTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IndexFillTensor, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceIndexFillTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_INTS, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceIndexFillTensor[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceIndexFillTensor[] = {
    {JM_RULE_OUTPUT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceIndexFillTensor;
const jm_aclnn_row jm_aclnn_row_InplaceIndexFillTensor = {
    "aclnnInplaceIndexFillTensor", param_InplaceIndexFillTensor, term_InplaceIndexFillTensor, statement_InplaceIndexFillTensor, 4, 1, false};

aclnnStatus aclnnInplaceIndexFillTensorGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclIntArray *index,
    const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.ints = index},
        {.scalar = value},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceIndexFillTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexFillTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceIndexFillTensor, workspace, workspaceSize, executor, stream);
}
