/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_trans_matmul_weight.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_TransMatmulWeight[] = {
    {"mmWeightRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_TransMatmulWeight[] = {
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_TransMatmulWeight[] = {
    {JM_RULE_KEEP, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_TransMatmulWeight;
const jm_aclnn_row jm_aclnn_row_TransMatmulWeight = {
    "aclnnTransMatmulWeight", param_TransMatmulWeight, term_TransMatmulWeight, statement_TransMatmulWeight, 1, 1, false};

aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor *mmWeightRef, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = mmWeightRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_TransMatmulWeight, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnTransMatmulWeight(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_TransMatmulWeight, workspace, workspaceSize, executor, stream);
}
