/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cos.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cos[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cos[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Cos", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cos[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Cos;
const jm_aclnn_row jm_aclnn_row_Cos = {
    "aclnnCos", param_Cos, term_Cos, statement_Cos, 2, 1, false};

aclnnStatus aclnnCosGetWorkspaceSize(const aclTensor *input, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cos, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCos(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cos, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceCos[] = {
    {"inputRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceCos[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Cos", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceCos[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceCos;
const jm_aclnn_row jm_aclnn_row_InplaceCos = {
    "aclnnInplaceCos", param_InplaceCos, term_InplaceCos, statement_InplaceCos, 1, 1, false};

aclnnStatus aclnnInplaceCosGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = inputRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceCos, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCos(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceCos, workspace, workspaceSize, executor, stream);
}
