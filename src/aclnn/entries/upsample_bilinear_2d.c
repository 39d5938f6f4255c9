/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_upsample_bilinear_2d.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_UpsampleBilinear2d[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"outputSize", JM_ACLNN_INTS, false, true, false},
    {"alignCorners", JM_ACLNN_BOOL, false, true, false},
    {"scalesH", JM_ACLNN_FLOAT, false, true, false},
    {"scalesW", JM_ACLNN_FLOAT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_UpsampleBilinear2d[] = {
    {JM_TERM_NODE, 1, 5, 0, 0, "Upsample2d", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "size", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "mode", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "linear", 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "align_corners", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_h", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale_w", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_UpsampleBilinear2d[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_UpsampleBilinear2d;
const jm_aclnn_row jm_aclnn_row_UpsampleBilinear2d = {
    "aclnnUpsampleBilinear2d", param_UpsampleBilinear2d, term_UpsampleBilinear2d, statement_UpsampleBilinear2d, 6, 1, false};

aclnnStatus aclnnUpsampleBilinear2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *outputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = outputSize},
        {.i = alignCorners},
        {.f = scalesH},
        {.f = scalesW},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_UpsampleBilinear2d, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleBilinear2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_UpsampleBilinear2d, workspace, workspaceSize, executor, stream);
}
