/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard deviations over dimensions; over all for an empty array.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_STD_H
#define ACLNNOP_ACLNN_STD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = Sqrt(ReduceVariance(self, axes=all(dim), keepdims=keepdim, correction=correction)). Inputs of any mix of
 * types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnStdGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, int64_t correction, bool keepdim,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnStd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
