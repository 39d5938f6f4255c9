/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sigmoid.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Sigmoid[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Sigmoid[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sigmoid", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Sigmoid[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Sigmoid;
const jm_aclnn_row jm_aclnn_row_Sigmoid = {
    "aclnnSigmoid", param_Sigmoid, term_Sigmoid, statement_Sigmoid, 2, 1, false};

aclnnStatus aclnnSigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Sigmoid, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Sigmoid, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceSigmoid[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceSigmoid[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sigmoid", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceSigmoid[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceSigmoid;
const jm_aclnn_row jm_aclnn_row_InplaceSigmoid = {
    "aclnnInplaceSigmoid", param_InplaceSigmoid, term_InplaceSigmoid, statement_InplaceSigmoid, 1, 1, false};

aclnnStatus aclnnInplaceSigmoidGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceSigmoid, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceSigmoid, workspace, workspaceSize, executor, stream);
}
