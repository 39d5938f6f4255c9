/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_upsample_nearest_2d_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_UpsampleNearest2dV2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INTS, false, true, false},
    {"scalesH", JM_ACLNN_FLOAT, false, true, false},
    {"scalesW", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_UpsampleNearest2dV2[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "Upsample2d", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "size", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_h", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_w", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_UpsampleNearest2dV2[] = {
    {JM_RULE_KEEP, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_UpsampleNearest2dV2;
const jm_aclnn_row jm_aclnn_row_UpsampleNearest2dV2 = {
    "aclnnUpsampleNearest2dV2", param_UpsampleNearest2dV2, term_UpsampleNearest2dV2, statement_UpsampleNearest2dV2, 5, 1, false};

aclnnStatus aclnnUpsampleNearest2dV2GetWorkspaceSize(const aclTensor *self, const aclIntArray *outputSize,
    float scalesH, float scalesW, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = outputSize},
        {.f = (double)scalesH},
        {.f = (double)scalesW},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_UpsampleNearest2dV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest2dV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_UpsampleNearest2dV2, workspace, workspaceSize, executor, stream);
}
