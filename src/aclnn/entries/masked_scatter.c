/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_masked_scatter.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceMaskedScatter[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"mask", JM_ACLNN_TENSOR, false, true, false},
    {"source", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceMaskedScatter[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Where", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_BOOL, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_NODE, 2, 0, 0, 0, "Max", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "CumSum", 0},
    {JM_TERM_NODE, 2, 0, 0, 0, "Reshape", 0},
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, -1},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
    {JM_TERM_SHAPE, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceMaskedScatter[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceMaskedScatter;
const jm_aclnn_row jm_aclnn_row_InplaceMaskedScatter = {
    "aclnnInplaceMaskedScatter", param_InplaceMaskedScatter, term_InplaceMaskedScatter, statement_InplaceMaskedScatter, 3, 1, false};

aclnnStatus aclnnInplaceMaskedScatterGetWorkspaceSize(aclTensor *selfRef, const aclTensor *mask,
    const aclTensor *source, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = mask},
        {.tensor = source},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceMaskedScatter, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMaskedScatter(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceMaskedScatter, workspace, workspaceSize, executor, stream);
}
