/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_im2col.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Im2col[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"kernelSize", JM_ACLNN_INTS, false, true, false},
    {"dilation", JM_ACLNN_INTS, false, true, false},
    {"padding", JM_ACLNN_INTS, false, true, false},
    {"stride", JM_ACLNN_INTS, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Im2col[] = {
    {JM_TERM_NODE, 1, 4, 0, 0, "Im2Col", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kernel_size", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "dilation", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Im2col[] = {
    {JM_RULE_KEEP, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_Im2col;
const jm_aclnn_row jm_aclnn_row_Im2col = {
    "aclnnIm2col", param_Im2col, term_Im2col, statement_Im2col, 6, 1, false};

aclnnStatus aclnnIm2colGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *dilation, const aclIntArray *padding, const aclIntArray *stride, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = kernelSize},
        {.ints = dilation},
        {.ints = padding},
        {.ints = stride},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Im2col, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnIm2col(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Im2col, workspace, workspaceSize, executor, stream);
}
