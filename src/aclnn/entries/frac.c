/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_frac.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Frac[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Frac[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Trunc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Frac[] = {
    {JM_RULE_PROMOTE, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Frac;
const jm_aclnn_row jm_aclnn_row_Frac = {
    "aclnnFrac", param_Frac, term_Frac, statement_Frac, 2, 1, false};

aclnnStatus aclnnFracGetWorkspaceSize(const aclTensor *input, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Frac, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnFrac(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Frac, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceFrac[] = {
    {"inputRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceFrac[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_NODE, 1, 0, 0, 0, "Trunc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceFrac[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceFrac;
const jm_aclnn_row jm_aclnn_row_InplaceFrac = {
    "aclnnInplaceFrac", param_InplaceFrac, term_InplaceFrac, statement_InplaceFrac, 1, 1, false};

aclnnStatus aclnnInplaceFracGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = inputRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceFrac, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFrac(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceFrac, workspace, workspaceSize, executor, stream);
}
