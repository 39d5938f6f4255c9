/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with a weight that aclnnTransMatmulWeight has converted.
 * - Where its format is FRACTAL_NZ and its storage has four dimensions or more that end in [16][c], an operand that
 *   is read lies in blocks: [ceil(n / c)][ceil(k / 16)][16][c] for k rows and n columns, batch by batch. Its view is
 *   the matrix, its transposition or that storage. Any other operand lies as the strides of its view say.
 * - So what aclnnTransMatmulWeight leaves as it is, with a storage of one dimension, is read as it is.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_MATMUL_WEIGHT_NZ_H
#define ACLNNOP_ACLNN_MATMUL_WEIGHT_NZ_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = matmul(self, mat2). Inputs of any mix of types are computed in their common type. Without effect:
 * cubeMathType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnMatmulWeightNzGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2, aclTensor *out,
    int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMatmulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/* out = matmul(self, mat2). Inputs of any mix of types are computed in their common type. Without effect:
 * cubeMathType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchMatMulWeightNzGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2, aclTensor *out,
    int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBatchMatMulWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* out = beta * self + alpha * matmul(mat1, mat2). Inputs of any mix of types are computed in their common type.
 * Without effect: cubeMathType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddmmWeightNzGetWorkspaceSize(const aclTensor *self, const aclTensor *mat1, const aclTensor *mat2,
    const aclScalar *beta, const aclScalar *alpha, aclTensor *out, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddmmWeightNz(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
