/* SPDX-License-Identifier: Apache-2.0
 *
 * A mask like DropoutGenMask's, and its DropoutDoMask. seed and offset, a multiple of 4, give the numbers that
 * PyTorch takes for them on a GPU of 78 processors of 2048 threads. optionalNoiseShape is NULL.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_DROPOUT_V3_H
#define ACLNNOP_ACLNN_DROPOUT_V3_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out, maskOut = Dropout(input, ints(seed), ints(offset), prob=p). Types as the operator takes them. May be NULL:
 * optionalNoiseShape. Without effect: optionalNoiseShape. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutV3GetWorkspaceSize(const aclTensor *input, const aclTensor *optionalNoiseShape, double p,
    int64_t seed, int64_t offset, aclTensor *out, aclTensor *maskOut, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnDropoutV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
