/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_constant_pad_nd.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_ConstantPadNd[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"pad", JM_ACLNN_INTS, false, true, false},
    {"value", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_ConstantPadNd[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "ConstantPad", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "pad", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_ConstantPadNd[] = {
    {JM_RULE_OUTPUT, 0, 1, {3}},
};
extern const jm_aclnn_row jm_aclnn_row_ConstantPadNd;
const jm_aclnn_row jm_aclnn_row_ConstantPadNd = {
    "aclnnConstantPadNd", param_ConstantPadNd, term_ConstantPadNd, statement_ConstantPadNd, 4, 1, false};

aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor *self, const aclIntArray *pad, const aclScalar *value,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = pad},
        {.scalar = value},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_ConstantPadNd, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnConstantPadNd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_ConstantPadNd, workspace, workspaceSize, executor, stream);
}
