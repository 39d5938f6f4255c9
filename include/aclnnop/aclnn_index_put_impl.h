/* SPDX-License-Identifier: Apache-2.0
 *
 * Values put, or added, at tuples of indices: selfRef[indices[0], indices[1], ...] = values.
 * - Indices are those of aclnnIndex; values broadcast to what they pick, and are converted to the type of selfRef.
 *   Where a place occurs more than once, the last value stays, or all are added one after the other, each sum rounded
 *   to the type of selfRef.
 * - unsafe has no effect: an index out of range writes nothing, and is the stream's error at its next
 *   synchronisation.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_INDEX_PUT_IMPL_H
#define ACLNNOP_ACLNN_INDEX_PUT_IMPL_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = IndexPut(selfRef, values, indices:keep, accumulate=accumulate). Inputs are computed in the type of the
 * output. Changed in place: selfRef. Without effect: unsafe. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnIndexPutImplGetWorkspaceSize(aclTensor *selfRef, const aclTensorList *indices,
    const aclTensor *values, bool accumulate, bool unsafe, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnIndexPutImpl(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
