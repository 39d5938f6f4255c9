/* SPDX-License-Identifier: Apache-2.0
 *
 * Normal random numbers in place. The same seed and offset give the same numbers.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_NORMAL_H
#define ACLNNOP_ACLNN_NORMAL_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = Random(selfRef, ints(seed), ints(offset), distribution="normal", a=mean, b=std). Types as the operator
 * takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceNormalGetWorkspaceSize(aclTensor *selfRef, float mean, float std, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceNormal(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/* selfRef = Random(selfRef, seedTensor:i64, offsetTensor:i64, distribution="normal", a=mean, b=std, more=offset).
 * Types as the operator takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceNormalTensorGetWorkspaceSize(aclTensor *selfRef, float mean, float std,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceNormalTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
