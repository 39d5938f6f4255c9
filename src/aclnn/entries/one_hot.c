/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_one_hot.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_OneHot[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"numClasses", JM_ACLNN_INT, false, true, false},
    {"onValue", JM_ACLNN_TENSOR, false, true, false},
    {"offValue", JM_ACLNN_TENSOR, false, true, false},
    {"axis", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_OneHot[] = {
    {JM_TERM_NODE, 3, 1, 0, 0, "OneHot", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_I64, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 1, 0, 0, "Concat", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_OneHot[] = {
    {JM_RULE_OUTPUT, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_OneHot;
const jm_aclnn_row jm_aclnn_row_OneHot = {
    "aclnnOneHot", param_OneHot, term_OneHot, statement_OneHot, 6, 1, false};

aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor *self, int32_t numClasses, const aclTensor *onValue,
    const aclTensor *offValue, int64_t axis, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = numClasses},
        {.tensor = onValue},
        {.tensor = offValue},
        {.i = axis},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_OneHot, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnOneHot(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_OneHot, workspace, workspaceSize, executor, stream);
}
