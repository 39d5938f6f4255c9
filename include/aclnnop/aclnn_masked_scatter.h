/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements where the mask is true, taken from the source in order.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_MASKED_SCATTER_H
#define ACLNNOP_ACLNN_MASKED_SCATTER_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = Where(broadcast(mask:bool, selfRef), Reshape(Gather(Reshape(source, ints(-1)),
 * Max(Sub(CumSum(Reshape(broadcast(mask:i64, selfRef), ints(-1)), ints(0)), 1), 0), axis=0), shape(selfRef)),
 * selfRef). Types as the operator takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMaskedScatterGetWorkspaceSize(aclTensor *selfRef, const aclTensor *mask,
    const aclTensor *source, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMaskedScatter(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
