/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_copy.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_InplaceCopy[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
    {"src", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_InplaceCopy[] = {
    {JM_TERM_BROADCAST, 2, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceCopy[] = {
    {JM_RULE_CONVERT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceCopy;
const jm_aclnn_row jm_aclnn_row_InplaceCopy = {
    "aclnnInplaceCopy", param_InplaceCopy, term_InplaceCopy, statement_InplaceCopy, 2, 1, false};

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor *selfRef, const aclTensor *src, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
        {.tensor = src},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceCopy, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCopy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceCopy, workspace, workspaceSize, executor, stream);
}
