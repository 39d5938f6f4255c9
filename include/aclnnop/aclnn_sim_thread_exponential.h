/* SPDX-License-Identifier: Apache-2.0
 *
 * Exponential random numbers. All elements are filled whatever count says.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H
#define ACLNNOP_ACLNN_SIM_THREAD_EXPONENTIAL_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = Random(selfRef, ints(seed), ints(offset), distribution="exponential", a=lambda). Types as the operator
 * takes them. Changed in place: selfRef. Without effect: count. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnSimThreadExponentialGetWorkspaceSize(aclTensor *selfRef, int64_t count, double lambda, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSimThreadExponential(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
