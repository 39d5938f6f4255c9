/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_svd.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Svd[] = {
    {"input", JM_ACLNN_TENSOR, false, true, false},
    {"fullMatrices", JM_ACLNN_BOOL, false, true, false},
    {"computeUV", JM_ACLNN_BOOL, false, true, false},
    {"sigma", JM_ACLNN_TENSOR, false, false, true},
    {"u", JM_ACLNN_TENSOR, false, false, true},
    {"v", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Svd[] = {
    {JM_TERM_NODE, 1, 2, 0, 0, "Svd", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "full_matrices", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "compute_uv", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Svd[] = {
    {JM_RULE_PROMOTE, 0, 3, {3, 4, 5}},
};
extern const jm_aclnn_row jm_aclnn_row_Svd;
const jm_aclnn_row jm_aclnn_row_Svd = {
    "aclnnSvd", param_Svd, term_Svd, statement_Svd, 6, 1, false};

aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor *input, bool fullMatrices, bool computeUV, aclTensor *sigma,
    aclTensor *u, aclTensor *v, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = input},
        {.i = fullMatrices},
        {.i = computeUV},
        {.tensor = sigma},
        {.tensor = u},
        {.tensor = v},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Svd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSvd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Svd, workspace, workspaceSize, executor, stream);
}
