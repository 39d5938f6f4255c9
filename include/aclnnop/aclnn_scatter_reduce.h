/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements put at indices along a dimension (reduce 0), or added (1), multiplied (2), the largest (3), the smallest
 * (4) or the mean (5) with what is there, or without it. Means of integers round down; 16-bit floats are rounded
 * once.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_SCATTER_REDUCE_H
#define ACLNNOP_ACLNN_SCATTER_REDUCE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = ScatterReduce(self, index:keep, crop(src, index:keep), axis=dim, reduction=choice(reduce, "none", "add",
 * "mul", "max", "min", "mean"), include_self=includeSelf). Inputs are computed in the type of the output. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnScatterReduceGetWorkspaceSize(const aclTensor *self, int64_t dim, const aclTensor *index,
    const aclTensor *src, int64_t reduce, bool includeSelf, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnScatterReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/* selfRef = ScatterReduce(selfRef, index:keep, crop(src, index:keep), axis=dim, reduction=choice(reduce, "none",
 * "add", "mul", "max", "min", "mean"), include_self=includeSelf). Inputs are computed in the type of the output.
 * Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceScatterReduceGetWorkspaceSize(aclTensor *selfRef, int64_t dim, const aclTensor *index,
    const aclTensor *src, int64_t reduce, bool includeSelf, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceScatterReduce(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
