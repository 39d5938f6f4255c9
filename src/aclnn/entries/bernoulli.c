/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bernoulli.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceBernoulli[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"prob", JM_ACLNN_SCALAR, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceBernoulli[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Less", 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "unit", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_F32, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBernoulli[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBernoulli;
const jm_aclnn_row jm_aclnn_row_InplaceBernoulli = {
    "aclnnInplaceBernoulli", param_InplaceBernoulli, term_InplaceBernoulli, statement_InplaceBernoulli, 4, 1, false};

aclnnStatus aclnnInplaceBernoulliGetWorkspaceSize(aclTensor *selfRef, const aclScalar *prob, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.scalar = prob},
        {.i = seed},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBernoulli, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBernoulli(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBernoulli, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceBernoulliTensor[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"prob", JM_ACLNN_TENSOR, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_InplaceBernoulliTensor[] = {
    {JM_TERM_NODE, 2, 0, 0, 0, "Less", 0},
    {JM_TERM_NODE, 3, 1, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "unit", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_F32, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceBernoulliTensor[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceBernoulliTensor;
const jm_aclnn_row jm_aclnn_row_InplaceBernoulliTensor = {
    "aclnnInplaceBernoulliTensor", param_InplaceBernoulliTensor, term_InplaceBernoulliTensor, statement_InplaceBernoulliTensor, 4, 1, false};

aclnnStatus aclnnInplaceBernoulliTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *prob, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = prob},
        {.i = seed},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceBernoulliTensor, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBernoulliTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceBernoulliTensor, workspace, workspaceSize, executor, stream);
}
