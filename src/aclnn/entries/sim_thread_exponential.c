/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_sim_thread_exponential.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_SimThreadExponential[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"count", JM_ACLNN_INT, false, false, false},
    {"lambda", JM_ACLNN_FLOAT, false, true, false},
    {"seed", JM_ACLNN_INT, false, true, false},
    {"offset", JM_ACLNN_INT, false, true, false},
};
static const jm_aclnn_term term_SimThreadExponential[] = {
    {JM_TERM_NODE, 3, 2, 0, 0, "Random", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "distribution", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "exponential", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "a", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_SimThreadExponential[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_SimThreadExponential;
const jm_aclnn_row jm_aclnn_row_SimThreadExponential = {
    "aclnnSimThreadExponential", param_SimThreadExponential, term_SimThreadExponential, statement_SimThreadExponential, 5, 1, false};

aclnnStatus aclnnSimThreadExponentialGetWorkspaceSize(aclTensor *selfRef, int64_t count, double lambda, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.i = count},
        {.f = lambda},
        {.i = seed},
        {.i = offset},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SimThreadExponential, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSimThreadExponential(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SimThreadExponential, workspace, workspaceSize, executor, stream);
}
