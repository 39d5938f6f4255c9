/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard deviations and means over dimensions; over all for an empty array.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_STD_MEAN_CORRECTION_H
#define ACLNNOP_ACLNN_STD_MEAN_CORRECTION_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* stdOut = Sqrt(ReduceVariance(self, axes=all(dim), keepdims=keepdim, correction=correction)) ; meanOut =
 * ReduceMean(self, axes=all(dim), keepdims=keepdim). Inputs of any mix of types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnStdMeanCorrectionGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, int64_t correction,
    bool keepdim, aclTensor *stdOut, aclTensor *meanOut, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnStdMeanCorrection(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
