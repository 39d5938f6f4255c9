/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits, 8 in a byte from the lowest on, that are 0 with a probability.
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

/* out = Random(broadcast(0, out), ints(seed), ints(offset), distribution="bits", a=prob). Inputs are computed in the
 * type of the output. Without effect: shape, probDataType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed, int64_t offset,
    aclDataType probDataType, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* out = Random(broadcast(0, out), seedTensor:i64, offsetTensor:i64, distribution="bits", a=prob, more=offset). Inputs
 * are computed in the type of the output. Without effect: shape, probDataType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2TensorGetWorkspaceSize(const aclIntArray *shape, double prob,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, aclDataType probDataType,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutGenMaskV2Tensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
