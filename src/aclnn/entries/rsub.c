/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_rsub.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Rsub[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_TENSOR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Rsub[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Rsub[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Rsub;
const jm_aclnn_row jm_aclnn_row_Rsub = {
    "aclnnRsub", param_Rsub, term_Rsub, statement_Rsub, 4, 1, false};

aclnnStatus aclnnRsubGetWorkspaceSize(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = other},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Rsub, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRsub(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Rsub, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_Rsubs[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"other", JM_ACLNN_SCALAR, false, true, false},
    {"alpha", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Rsubs[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Sub", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_SCALE, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Rsubs[] = {
    {JM_RULE_PROMOTE, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_Rsubs;
const jm_aclnn_row jm_aclnn_row_Rsubs = {
    "aclnnRsubs", param_Rsubs, term_Rsubs, statement_Rsubs, 4, 1, false};

aclnnStatus aclnnRsubsGetWorkspaceSize(const aclTensor *self, const aclScalar *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = other},
        {.scalar = alpha},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Rsubs, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRsubs(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Rsubs, workspace, workspaceSize, executor, stream);
}
