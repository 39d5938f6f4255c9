/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_index_copy.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_IndexCopy[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"source", JM_ACLNN_TENSOR, false, true, false},
    {"outRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_IndexCopy[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_IndexCopy[] = {
    {JM_RULE_KEEP, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_IndexCopy;
const jm_aclnn_row jm_aclnn_row_IndexCopy = {
    "aclnnIndexCopy", param_IndexCopy, term_IndexCopy, statement_IndexCopy, 5, 1, false};

aclnnStatus aclnnIndexCopyGetWorkspaceSize(const aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclTensor *source, aclTensor *outRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.tensor = index},
        {.tensor = source},
        {.tensor = outRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_IndexCopy, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIndexCopy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_IndexCopy, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceIndexCopy[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"source", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceIndexCopy[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "ScatterElements", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ALONG, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceIndexCopy[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceIndexCopy;
const jm_aclnn_row jm_aclnn_row_InplaceIndexCopy = {
    "aclnnInplaceIndexCopy", param_InplaceIndexCopy, term_InplaceIndexCopy, statement_InplaceIndexCopy, 4, 1, false};

aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclTensor *source, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = dim},
        {.tensor = index},
        {.tensor = source},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceIndexCopy, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexCopy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceIndexCopy, workspace, workspaceSize, executor, stream);
}
