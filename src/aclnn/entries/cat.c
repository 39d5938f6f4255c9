/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_cat.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Cat[] = {
    {"tensors", JM_ACLNN_TENSORS, false, true, false},
    {"dim", JM_ACLNN_INT, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Cat[] = {
    {JM_TERM_NODE, 1, 1, 0, 0, "Concat", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_Cat[] = {
    {JM_RULE_PROMOTE, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Cat;
const jm_aclnn_row jm_aclnn_row_Cat = {
    "aclnnCat", param_Cat, term_Cat, statement_Cat, 3, 1, false};

aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList *tensors, int64_t dim, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensors = tensors},
        {.i = dim},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Cat, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnCat(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Cat, workspace, workspaceSize, executor, stream);
}
