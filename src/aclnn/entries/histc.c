/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_histc.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Histc[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"bins", JM_ACLNN_INT, false, true, false},
    {"min", JM_ACLNN_SCALAR, false, true, false},
    {"max", JM_ACLNN_SCALAR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Histc[] = {
    {JM_TERM_NODE, 1, 3, 0, 0, "Histogram", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "bins", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "min", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "max", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Histc[] = {
    {JM_RULE_CONVERT, 0, 1, {4}},
};
extern const jm_aclnn_row jm_aclnn_row_Histc;
const jm_aclnn_row jm_aclnn_row_Histc = {
    "aclnnHistc", param_Histc, term_Histc, statement_Histc, 5, 1, false};

aclnnStatus aclnnHistcGetWorkspaceSize(const aclTensor *self, int64_t bins, const aclScalar *min,
    const aclScalar *max, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = bins},
        {.scalar = min},
        {.scalar = max},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Histc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnHistc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Histc, workspace, workspaceSize, executor, stream);
}
