/* SPDX-License-Identifier: Apache-2.0
 *
 * Inverses of square matrices, by elimination in float64 with the largest pivot of each column, rounded once.
 * - A matrix that has none writes nothing, and is the stream's error at its next synchronisation.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_INVERSE_H
#define ACLNNOP_ACLNN_INVERSE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = Inverse(self). Inputs of any mix of types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInverseGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInverse(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
