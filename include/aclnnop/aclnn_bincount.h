/* SPDX-License-Identifier: Apache-2.0
 *
 * How often each number occurs, or the sum of its weights. The output has as many elements as there are numbers.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BINCOUNT_H
#define ACLNNOP_ACLNN_BINCOUNT_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = ScatterElements(broadcast(0, out), self:i64, given(weights, weights, broadcast(1, self:keep)), axis=0,
 * reduction="add"). Inputs are computed in the type of the output. May be NULL: weights. Without effect: minlength. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBincountGetWorkspaceSize(const aclTensor *self, const aclTensor *weights, int64_t minlength,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBincount(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
