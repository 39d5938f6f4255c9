/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_AdaptiveAvgPool2d[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INTS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AdaptiveAvgPool2d[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "AdaptiveAvgPool2d", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "size", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_AdaptiveAvgPool2d[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_AdaptiveAvgPool2d;
const jm_aclnn_row jm_aclnn_row_AdaptiveAvgPool2d = {
    "aclnnAdaptiveAvgPool2d", param_AdaptiveAvgPool2d, term_AdaptiveAvgPool2d, statement_AdaptiveAvgPool2d, 3, 1, false};

aclnnStatus aclnnAdaptiveAvgPool2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *outputSize,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = outputSize},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AdaptiveAvgPool2d, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAdaptiveAvgPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AdaptiveAvgPool2d, workspace, workspaceSize, executor, stream);
}
