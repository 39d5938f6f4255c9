/* SPDX-License-Identifier: Apache-2.0
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#include "aclnnop/aclnn_embedding_dense_backward.h"

#include "aclnn/row.h"

static const jm_aclnn_param param_EmbeddingDenseBackward[] = {
    {"grad", JM_ACLNN_TENSOR, false, true, false},
    {"indices", JM_ACLNN_TENSOR, false, true, false},
    {"numWeights", JM_ACLNN_INT, false, true, false},
    {"paddingIdx", JM_ACLNN_INT, false, true, false},
    {"scaleGradByFreq", JM_ACLNN_BOOL, false, true, false},
    {"out", JM_ACLNN_TENSOR, false, false, true},
};
static const jm_aclnn_term term_EmbeddingDenseBackward[] = {
    {JM_TERM_NODE, 2, 3, 0, 0, "EmbeddingGradient", 0},
    {JM_TERM_PARAM, 0, 0, 0, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_PARAM, 0, 0, 1, JM_I64, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "rows", 0},
    {JM_TERM_PARAM, 0, 0, 2, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "padding", 0},
    {JM_TERM_PARAM, 0, 0, 3, JM_CONVERT_RULE, NULL, 0},
    {JM_TERM_ATTR, 1, 0, 0, 0, "scale", 0},
    {JM_TERM_PARAM, 0, 0, 4, JM_CONVERT_RULE, NULL, 0},
};
static const jm_aclnn_statement statement_EmbeddingDenseBackward[] = {
    {JM_RULE_PROMOTE, 0, 1, {5}},
};
extern const jm_aclnn_row jm_aclnn_row_EmbeddingDenseBackward;
const jm_aclnn_row jm_aclnn_row_EmbeddingDenseBackward = {
    "aclnnEmbeddingDenseBackward", param_EmbeddingDenseBackward, term_EmbeddingDenseBackward, statement_EmbeddingDenseBackward, 6, 1, false};

aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(const aclTensor *grad, const aclTensor *indices,
    uint64_t numWeights, uint64_t paddingIdx, bool scaleGradByFreq, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor)
{
    const jm_aclnn_value jm_value[] = {
        {.tensor = grad},
        {.tensor = indices},
        {.i = (int64_t)numWeights},
        {.i = (int64_t)paddingIdx},
        {.i = scaleGradByFreq},
        {.tensor = out},
    };
    return jm_aclnn_prepare(&jm_aclnn_row_EmbeddingDenseBackward, jm_value, workspaceSize, executor);
}

aclnnStatus aclnnEmbeddingDenseBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream)
{
    return jm_aclnn_launch(&jm_aclnn_row_EmbeddingDenseBackward, workspace, workspaceSize, executor, stream);
}
