/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of gradients added to the rows that they were looked up from, in their order, 16-bit floats in float32.
 * - The row paddingIdx gets nothing; -1 as unsigned number: none. scaleGradByFreq: each row is divided by how often
 *   it was looked up.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H
#define ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = EmbeddingGradient(grad, indices:i64, rows=numWeights, padding=paddingIdx, scale=scaleGradByFreq). Inputs of
 * any mix of types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(const aclTensor *grad, const aclTensor *indices,
    uint64_t numWeights, uint64_t paddingIdx, bool scaleGradByFreq, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnEmbeddingDenseBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
