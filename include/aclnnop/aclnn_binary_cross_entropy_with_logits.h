/* SPDX-License-Identifier: Apache-2.0
 *
 * BinaryCrossEntropy of the sigmoid of self, where the positive term is multiplied by posWeight; times weight; the
 * mean (reduction 1) or the sum (2).
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_H
#define ACLNNOP_ACLNN_BINARY_CROSS_ENTROPY_WITH_LOGITS_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = reduced(weighted(weighted(target * log1p(exp(-self)), posWeightOptional) + (1 - target) * (self +
 * log1p(exp(-self))), weightOptional), reduction). Inputs of any mix of types are computed in their common
 * floating-point type, float32 for integers. May be NULL: weightOptional, posWeightOptional. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
    const aclTensor *weightOptional, const aclTensor *posWeightOptional, int64_t reduction, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnBinaryCrossEntropyWithLogits(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
