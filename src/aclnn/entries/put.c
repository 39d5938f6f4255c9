/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_put.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplacePut[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"index", JM_ACLNN_TENSOR, false, true, false},
    {"source", JM_ACLNN_TENSOR, false, true, false},
    {"accumulate", JM_ACLNN_BOOL, false, true, false},
};
static const jm_aclnn_term term_InplacePut[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_NODE, 3, 2, 0, 0, "ScatterElements", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "reduction", 0},
    {JM_TERM_CHOICE, 3, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "none", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "add", 0},
    {JM_TERM_SHAPE, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplacePut[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplacePut;
const jm_aclnn_row jm_aclnn_row_InplacePut = {
    "aclnnInplacePut", param_InplacePut, term_InplacePut, statement_InplacePut, 4, 1, false};

aclnnStatus aclnnInplacePutGetWorkspaceSize(aclTensor *selfRef, const aclTensor *index, const aclTensor *source,
    bool accumulate, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = index},
        {.tensor = source},
        {.i = accumulate},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplacePut, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplacePut(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplacePut, workspace, workspaceSize, executor, stream);
}
