/* SPDX-License-Identifier: Apache-2.0
 *
 * The same.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_FOREACH_ADDCMUL_LIST_H
#define ACLNNOP_ACLNN_FOREACH_ADDCMUL_LIST_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each item of the lists: out = x1 + scalars[item] * x2 * x3. Inputs of any mix of types are computed in their
 * common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnForeachAddcmulListGetWorkspaceSize(const aclTensorList *x1, const aclTensorList *x2,
    const aclTensorList *x3, const aclTensor *scalars, const aclTensorList *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnForeachAddcmulList(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
