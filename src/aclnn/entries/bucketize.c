/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_bucketize.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Bucketize[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"boundaries", JM_ACLNN_TENSOR, false, true, false},
    {"outInt32", JM_ACLNN_BOOL, false, false, false},
    {"right", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Bucketize[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "SearchSorted", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "right", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Bucketize[] = {
    {JM_RULE_PROMOTE, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Bucketize;
const jm_aclnn_row jm_aclnn_row_Bucketize = {
    "aclnnBucketize", param_Bucketize, term_Bucketize, statement_Bucketize, 5, 1, false};

aclnnStatus aclnnBucketizeGetWorkspaceSize(const aclTensor *self, const aclTensor *boundaries, bool outInt32,
    bool right, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = boundaries},
        {.i = outInt32},
        {.i = right},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Bucketize, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnBucketize(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Bucketize, workspace, workspaceSize, executor, stream);
}
