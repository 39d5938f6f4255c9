/* SPDX-License-Identifier: Apache-2.0
 *
 * 1 with a probability, which is a number or has one for each element, else 0.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_BERNOULLI_H
#define ACLNNOP_ACLNN_BERNOULLI_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = Less(Random(selfRef, ints(seed), ints(offset), distribution="unit"), prob:f32). Types as the operator
 * takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceBernoulliGetWorkspaceSize(aclTensor *selfRef, const aclScalar *prob, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceBernoulli(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* selfRef = Less(Random(selfRef, ints(seed), ints(offset), distribution="unit"), prob:f32). Types as the operator
 * takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceBernoulliTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *prob, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceBernoulliTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
