/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ForeachNonFiniteCheckAndUnscale[] = {
    {"scaledGrads", JM_ACLNN_TENSORS, false, true, true},
    {"foundInf", JM_ACLNN_TENSOR, false, true, true},
    {"invScale", JM_ACLNN_TENSOR, false, true, false},
};
static const jm_aclnn_term term_ForeachNonFiniteCheckAndUnscale[] = {
    {JM_TERM_NODE, 3, 0, 0, 0, "Unscale", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ForeachNonFiniteCheckAndUnscale[] = {
    {JM_RULE_EXACT, 0, 2, {0, 1}},
};
extern const jm_aclnn_row jm_aclnn_row_ForeachNonFiniteCheckAndUnscale;
const jm_aclnn_row jm_aclnn_row_ForeachNonFiniteCheckAndUnscale = {
    "aclnnForeachNonFiniteCheckAndUnscale", param_ForeachNonFiniteCheckAndUnscale, term_ForeachNonFiniteCheckAndUnscale, statement_ForeachNonFiniteCheckAndUnscale, 3, 1, true};

aclnnStatus aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(const aclTensorList *scaledGrads,
    aclTensor *foundInf, const aclTensor *invScale, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = scaledGrads},
        {.tensor = foundInf},
        {.tensor = invScale},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ForeachNonFiniteCheckAndUnscale, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnForeachNonFiniteCheckAndUnscale(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ForeachNonFiniteCheckAndUnscale, workspace, workspaceSize, executor, stream);
}
