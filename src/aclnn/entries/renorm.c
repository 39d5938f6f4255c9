/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_renorm.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Renorm[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"p", JM_ACLNN_SCALAR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"maxNorm", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Renorm[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "Renorm", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ord", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "maxnorm", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Renorm[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Renorm;
const jm_aclnn_row jm_aclnn_row_Renorm = {
    "aclnnRenorm", param_Renorm, term_Renorm, statement_Renorm, 5, 1, false};

aclnnStatus aclnnRenormGetWorkspaceSize(const aclTensor *self, const aclScalar *p, int64_t dim,
    const aclScalar *maxNorm, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.scalar = p},
        {.i = dim},
        {.scalar = maxNorm},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Renorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnRenorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Renorm, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceRenorm[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"p", JM_ACLNN_SCALAR, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"maxNorm", JM_ACLNN_SCALAR, false, true, false},
};
static const jm_aclnn_term term_InplaceRenorm[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "Renorm", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ord", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "maxnorm", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceRenorm[] = {
    {JM_RULE_PROMOTE, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceRenorm;
const jm_aclnn_row jm_aclnn_row_InplaceRenorm = {
    "aclnnInplaceRenorm", param_InplaceRenorm, term_InplaceRenorm, statement_InplaceRenorm, 4, 1, false};

aclnnStatus aclnnInplaceRenormGetWorkspaceSize(aclTensor *selfRef, const aclScalar *p, int64_t dim,
    const aclScalar *maxNorm, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = p},
        {.i = dim},
        {.scalar = maxNorm},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceRenorm, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRenorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceRenorm, workspace, workspaceSize, executor, stream);
}
