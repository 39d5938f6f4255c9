/* SPDX-License-Identifier: Apache-2.0
 *
 * -(target log(self) + (1 - target) log(1 - self)), logarithms not below -100; times weight; the mean (reduction 1)
 * or the sum (2). self and target lie in [0, 1].
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_H
#define ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = reduced(weighted(cross_entropy(self, target), weight), reduction). Inputs of any mix of types are computed in
 * their common floating-point type, float32 for integers. May be NULL: weight. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBinaryCrossEntropyGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
    const aclTensor *weight, int64_t reduction, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBinaryCrossEntropy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
