/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_leaky_relu.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LeakyRelu[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"negativeSlope", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LeakyRelu[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "LeakyRelu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_LeakyRelu[] = {
    {JM_RULE_FLOAT, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_LeakyRelu;
const jm_aclnn_row jm_aclnn_row_LeakyRelu = {
    "aclnnLeakyRelu", param_LeakyRelu, term_LeakyRelu, statement_LeakyRelu, 3, 1, false};

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor *self, const aclScalar *negativeSlope, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = negativeSlope},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LeakyRelu, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LeakyRelu, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceLeakyRelu[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"negativeSlope", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceLeakyRelu[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "LeakyRelu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceLeakyRelu[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceLeakyRelu;
const jm_aclnn_row jm_aclnn_row_InplaceLeakyRelu = {
    "aclnnInplaceLeakyRelu", param_InplaceLeakyRelu, term_InplaceLeakyRelu, statement_InplaceLeakyRelu, 2, 1, false};

aclnnStatus aclnnInplaceLeakyReluGetWorkspaceSize(aclTensor *selfRef, const aclScalar *negativeSlope,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = negativeSlope},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceLeakyRelu, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceLeakyRelu, workspace, workspaceSize, executor, stream);
}
