/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_embedding.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_Embedding[] = {
    {"weight", JM_ACLNN_TENSOR, false, true, false},
    {"indices", JM_ACLNN_TENSOR, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_Embedding[] = {
    {JM_TERM_NODE, 2, 1, 0, 0, "Gather", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "axis", 0},
    {JM_TERM_NUMBER, 0, 0, 0, 0, NULL, 0},
};
static const jm_aclnn_statement statement_Embedding[] = {
    {JM_RULE_KEEP, 0, 1, {2}},
};
extern const jm_aclnn_row jm_aclnn_row_Embedding;
const jm_aclnn_row jm_aclnn_row_Embedding = {
    "aclnnEmbedding", param_Embedding, term_Embedding, statement_Embedding, 3, 1, false};

aclnnStatus aclnnEmbeddingGetWorkspaceSize(const aclTensor *weight, const aclTensor *indices, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = weight},
        {.tensor = indices},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_Embedding, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnEmbedding(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_Embedding, workspace, workspaceSize, executor, stream);
}
