/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_hardsigmoid.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Hardsigmoid[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Hardsigmoid[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "HardSigmoid", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0.16666666666666666},
    {JM_TERM_ATTR, 1, 0, 0, 0, "beta", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0.5},
};
static const jm_aclnn_statement statement_Hardsigmoid[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Hardsigmoid;
const jm_aclnn_row jm_aclnn_row_Hardsigmoid = {
    "aclnnHardsigmoid", param_Hardsigmoid, term_Hardsigmoid, statement_Hardsigmoid, 2, 1, false};

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Hardsigmoid, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Hardsigmoid, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceHardsigmoid[] = {
    {"self", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceHardsigmoid[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "HardSigmoid", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0.16666666666666666},
    {JM_TERM_ATTR, 1, 0, 0, 0, "beta", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0.5},
};
static const jm_aclnn_statement statement_InplaceHardsigmoid[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceHardsigmoid;
const jm_aclnn_row jm_aclnn_row_InplaceHardsigmoid = {
    "aclnnInplaceHardsigmoid", param_InplaceHardsigmoid, term_InplaceHardsigmoid, statement_InplaceHardsigmoid, 1, 1, false};

aclnnStatus aclnnInplaceHardsigmoidGetWorkspaceSize(aclTensor *self, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceHardsigmoid, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardsigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceHardsigmoid, workspace, workspaceSize, executor, stream);
}
