/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_search_sorted.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_SearchSorted[] = {
    {"sortedSequence", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"outInt32", JM_ACLNN_BOOL, false, false, false},
    {"right", JM_ACLNN_BOOL, false, true, false},
    {"sorter", JM_ACLNN_TENSOR, true, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_SearchSorted[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "SearchSorted", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "right", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_SearchSorted[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_SearchSorted;
const jm_aclnn_row jm_aclnn_row_SearchSorted = {
    "aclnnSearchSorted", param_SearchSorted, term_SearchSorted, statement_SearchSorted, 6, 1, false};

aclnnStatus aclnnSearchSortedGetWorkspaceSize(const aclTensor *sortedSequence, const aclTensor *self, bool outInt32,
    bool right, const aclTensor *sorter, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = sortedSequence},
        {.tensor = self},
        {.i = outInt32},
        {.i = right},
        {.tensor = sorter},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SearchSorted, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSearchSorted(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SearchSorted, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_SearchSorteds[] = {
    {"sortedSequence", JM_ACLNN_TENSOR, false, true, false},
    {"self", JM_ACLNN_SCALAR, false, true, false},
    {"outInt32", JM_ACLNN_BOOL, false, false, false},
    {"right", JM_ACLNN_BOOL, false, true, false},
    {"sorter", JM_ACLNN_TENSOR, true, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_SearchSorteds[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "SearchSorted", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_KEEP, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "right", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_SearchSorteds[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_SearchSorteds;
const jm_aclnn_row jm_aclnn_row_SearchSorteds = {
    "aclnnSearchSorteds", param_SearchSorteds, term_SearchSorteds, statement_SearchSorteds, 6, 1, false};

aclnnStatus aclnnSearchSortedsGetWorkspaceSize(const aclTensor *sortedSequence, const aclScalar *self, bool outInt32,
    bool right, const aclTensor *sorter, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = sortedSequence},
        {.scalar = self},
        {.i = outInt32},
        {.i = right},
        {.tensor = sorter},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SearchSorteds, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSearchSorteds(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SearchSorteds, workspace, workspaceSize, executor, stream);
}
