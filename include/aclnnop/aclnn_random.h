/* SPDX-License-Identifier: Apache-2.0
 *
 * Random integers in [from, to), or from 0 to what the type holds exactly.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_RANDOM_H
#define ACLNNOP_ACLNN_RANDOM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = Random(selfRef, ints(seed), ints(offset), distribution="integer", from=from, to=to). Types as the
 * operator takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomGetWorkspaceSize(aclTensor *selfRef, int64_t from, int64_t to, int64_t seed,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandom(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

/* selfRef = Random(selfRef, seedTensor:i64, offsetTensor:i64, distribution="integer", from=from, to=to, more=offset).
 * Types as the operator takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomTensorGetWorkspaceSize(aclTensor *selfRef, int64_t from, int64_t to,
    const aclTensor *seedTensor, const aclTensor *offsetTensor, int64_t offset, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* selfRef = Random(selfRef, ints(seed), ints(offset), distribution="full"). Types as the operator takes them. Changed
 * in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomWithoutFromToGetWorkspaceSize(aclTensor *selfRef, int64_t seed, int64_t offset,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomWithoutFromTo(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* selfRef = Random(selfRef, seedTensor:i64, offsetTensor:i64, distribution="full", more=offset). Types as the
 * operator takes them. Changed in place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomWithoutFromToTensorGetWorkspaceSize(aclTensor *selfRef, const aclTensor *seedTensor,
    const aclTensor *offsetTensor, int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceRandomWithoutFromToTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
