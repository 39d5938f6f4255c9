/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_linalg_qr.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_LinalgQr[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"mode", JM_ACLNN_INT, false, true, false},
    {"Q", JM_ACLNN_TENSOR, false, false, true},
    {"R", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_LinalgQr[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "Qr", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "mode", 0},
    {JM_TERM_CHOICE, 4, 0, 0, 0, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "reduced", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "complete", 0},
    {JM_TERM_TEXT, 0, 0, 0, 0, "r", 0},
};
static const jm_aclnn_statement statement_LinalgQr[] = {
    {JM_RULE_PROMOTE, 0, 2, {2, 3}},
};
extern const jm_aclnn_row jm_aclnn_row_LinalgQr;
const jm_aclnn_row jm_aclnn_row_LinalgQr = {
    "aclnnLinalgQr", param_LinalgQr, term_LinalgQr, statement_LinalgQr, 4, 1, false};

aclnnStatus aclnnLinalgQrGetWorkspaceSize(const aclTensor *self, int64_t mode, aclTensor *Q, aclTensor *R,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.i = mode},
        {.tensor = Q},
        {.tensor = R},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_LinalgQr, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnLinalgQr(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_LinalgQr, workspace, workspaceSize, executor, stream);
}
