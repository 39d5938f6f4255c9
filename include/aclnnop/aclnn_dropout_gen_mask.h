/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits that are 0 with a probability: one for each element of a shape in row-major order, 8 in a byte from the lowest
 * on; bits up to a multiple of 128 behind them are 0. With a probability of 0 all bits are 1.
 * - Bit i is 1 where x 2^-32 + 2^-33 < 1 - prob in float32, x the word i mod 4 of Philox4x32-10 with the key seed, i
 *   / 4 in the words 0 and 1 of the counter and the offset in 2 and 3.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_DROPOUT_GEN_MASK_H
#define ACLNNOP_ACLNN_DROPOUT_GEN_MASK_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = DropoutMask(ints(seed), ints(offset), shape=shape, prob=prob). Types as the operator takes and gives them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskGetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/* out = DropoutMask(ints(seed), ints(offset), shape=shape, prob=prob). Types as the operator takes and gives them.
 * Without effect: probDataType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
    aclDataType probDataType, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* out = DropoutMask(seedTensor:i64, offsetTensor:i64, shape=shape, prob=prob, more=offset). Types as the operator
 * takes and gives them. Without effect: probDataType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2TensorGetWorkspaceSize(const aclIntArray *shape, double prob,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, aclDataType probDataType,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2Tensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
