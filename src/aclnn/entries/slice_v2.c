/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_slice_v2.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_SliceV2[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"starts", JM_ACLNN_INTS, false, true, false},
    {"ends", JM_ACLNN_INTS, false, true, false},
    {"axes", JM_ACLNN_INTS, false, true, false},
    {"steps", JM_ACLNN_INTS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_SliceV2[] = {
    {JM_TERM_NODE, 5, 0, 0, 0, "Slice", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_INTS, 1, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_SliceV2[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_SliceV2;
const jm_aclnn_row jm_aclnn_row_SliceV2 = {
    "aclnnSliceV2", param_SliceV2, term_SliceV2, statement_SliceV2, 6, 1, false};

aclnnStatus aclnnSliceV2GetWorkspaceSize(const aclTensor *self, const aclIntArray *starts, const aclIntArray *ends,
    const aclIntArray *axes, const aclIntArray *steps, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = starts},
        {.ints = ends},
        {.ints = axes},
        {.ints = steps},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_SliceV2, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnSliceV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_SliceV2, workspace, workspaceSize, executor, stream);
}
