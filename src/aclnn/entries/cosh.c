/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cosh.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cosh[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cosh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Cosh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cosh[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Cosh;
const jm_aclnn_row jm_aclnn_row_Cosh = {
    "aclnnCosh", param_Cosh, term_Cosh, statement_Cosh, 2, 1, false};

aclnnStatus aclnnCoshGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cosh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCosh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cosh, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceCosh[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceCosh[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Cosh", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceCosh[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceCosh;
const jm_aclnn_row jm_aclnn_row_InplaceCosh = {
    "aclnnInplaceCosh", param_InplaceCosh, term_InplaceCosh, statement_InplaceCosh, 1, 1, false};

aclnnStatus aclnnInplaceCoshGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceCosh, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCosh(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceCosh, workspace, workspaceSize, executor, stream);
}
