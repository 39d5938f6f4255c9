/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_selu.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Selu[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Selu[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "Selu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1.6732632423543772},
    {JM_TERM_ATTR, 1, 0, 0, 0, "gamma", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1.0507009873554805},
};
static const jm_aclnn_statement statement_Selu[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Selu;
const jm_aclnn_row jm_aclnn_row_Selu = {
    "aclnnSelu", param_Selu, term_Selu, statement_Selu, 2, 1, false};

aclnnStatus aclnnSeluGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Selu, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Selu, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceSelu[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceSelu[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "Selu", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "alpha", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1.6732632423543772},
    {JM_TERM_ATTR, 1, 0, 0, 0, "gamma", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 1.0507009873554805},
};
static const jm_aclnn_statement statement_InplaceSelu[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceSelu;
const jm_aclnn_row jm_aclnn_row_InplaceSelu = {
    "aclnnInplaceSelu", param_InplaceSelu, term_InplaceSelu, statement_InplaceSelu, 1, 1, false};

aclnnStatus aclnnInplaceSeluGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceSelu, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceSelu, workspace, workspaceSize, executor, stream);
}
