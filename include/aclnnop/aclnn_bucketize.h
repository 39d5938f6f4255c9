/* SPDX-License-Identifier: Apache-2.0
 *
 * Between which boundaries elements lie; behind equal ones if right.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BUCKETIZE_H
#define ACLNNOP_ACLNN_BUCKETIZE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = SearchSorted(boundaries, self, right=right). Inputs of any mix of types are computed in their common type.
 * Without effect: outInt32. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBucketizeGetWorkspaceSize(const aclTensor *self, const aclTensor *boundaries, bool outInt32,
    bool right, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBucketize(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
