/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_erfc.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Erfc[] = {
    {"self", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Erfc[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Erfc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Erfc[] = {
    {JM_RULE_FLOAT, 0, 1, {1}},
};
extern const jm_aclnn_row jm_aclnn_row_Erfc;
const jm_aclnn_row jm_aclnn_row_Erfc = {
    "aclnnErfc", param_Erfc, term_Erfc, statement_Erfc, 2, 1, false};

aclnnStatus aclnnErfcGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = self},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Erfc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnErfc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Erfc, workspace, workspaceSize, executor, stream);
}

static const jm_aclnn_param param_InplaceErfc[] = {
    {"selfRef", JM_ACLNN_TENSOR, false, true, true},
};
static const jm_aclnn_term term_InplaceErfc[] = {
    {JM_TERM_NODE, 1, 0, 0, 0, "Erfc", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_InplaceErfc[] = {
    {JM_RULE_FLOAT, 0, 1, {0}},
};
extern const jm_aclnn_row jm_aclnn_row_InplaceErfc;
const jm_aclnn_row jm_aclnn_row_InplaceErfc = {
    "aclnnInplaceErfc", param_InplaceErfc, term_InplaceErfc, statement_InplaceErfc, 1, 1, false};

aclnnStatus aclnnInplaceErfcGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = selfRef},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_InplaceErfc, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnInplaceErfc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_InplaceErfc, workspace, workspaceSize, executor, stream);
}
