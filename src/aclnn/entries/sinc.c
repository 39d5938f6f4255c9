/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sinc.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Sinc[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Sinc[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sinc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Sinc[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Sinc;
const jm_aclnn_row jm_aclnn_row_Sinc = {
    "aclnnSinc", param_Sinc, term_Sinc, statement_Sinc, 2, 1, false};

aclnnStatus aclnnSincGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Sinc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSinc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Sinc, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceSinc[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceSinc[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Sinc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceSinc[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceSinc;
const jm_aclnn_row jm_aclnn_row_InplaceSinc = {
    "aclnnInplaceSinc", param_InplaceSinc, term_InplaceSinc, statement_InplaceSinc, 1, 1, false};

aclnnStatus aclnnInplaceSincGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceSinc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSinc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceSinc, workspace, workspaceSize, executor, stream);
}
