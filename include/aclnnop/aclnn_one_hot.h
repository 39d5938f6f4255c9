/* SPDX-License-Identifier: Apache-2.0
 *
 * onValue at the index along a new dimension, offValue elsewhere.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_ONE_HOT_H
#define ACLNNOP_ACLNN_ONE_HOT_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = OneHot(self:i64, ints(numClasses), Concat(Reshape(offValue, ints(1)), Reshape(onValue, ints(1)), axis=0),
 * axis=axis). Inputs are computed in the type of the output. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor *self, int32_t numClasses, const aclTensor *onValue,
    const aclTensor *offValue, int64_t axis, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnOneHot(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
