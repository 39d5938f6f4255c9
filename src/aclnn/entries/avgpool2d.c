/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_avgpool2d.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_AvgPool2d[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"kernelSize", JM_ACLNN_INTS, false, true, false},
    {"strides", JM_ACLNN_INTS, false, true, false},
    {"paddings", JM_ACLNN_INTS, false, true, false},
    {"ceilMode", JM_ACLNN_BOOL, false, true, false},
    {"countIncludePad", JM_ACLNN_BOOL, false, true, false},
    {"divisorOverride", JM_ACLNN_INT, false, true, false},
    {"cubeMathType", JM_ACLNN_INT, false, false, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_AvgPool2d[] = {
    {JM_TERM_NODE, 1, 6, 0, 0, "AvgPool2d", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "kernel", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "stride", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "ceil_mode", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "count_include_pad", 0},
    {JM_TERM_PARAM, 0, 0, 5, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "divisor", 0},
    {JM_TERM_PARAM, 0, 0, 6, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_AvgPool2d[] = {
    {JM_RULE_KEEP, 0, 1, {8}},
};
extern const jm_aclnn_row jm_aclnn_row_AvgPool2d;
const jm_aclnn_row jm_aclnn_row_AvgPool2d = {
    "aclnnAvgPool2d", param_AvgPool2d, term_AvgPool2d, statement_AvgPool2d, 9, 1, false};

aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *strides, const aclIntArray *paddings, bool ceilMode, bool countIncludePad,
    int64_t divisorOverride, int8_t cubeMathType, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.ints = kernelSize},
        {.ints = strides},
        {.ints = paddings},
        {.i = ceilMode},
        {.i = countIncludePad},
        {.i = divisorOverride},
        {.i = cubeMathType},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_AvgPool2d, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnAvgPool2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_AvgPool2d, workspace, workspaceSize, executor, stream);
}
