/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether elements are less than or equal to a number. PyTorch's adapter calls this name for `number >= tensor`, its
 * only use; none of CANN's own interfaces has it.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_LESS_SCALAR_H
#define ACLNNOP_ACLNN_LESS_SCALAR_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = less_equal(self, other). Inputs of any mix of types are computed in their common type. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnLessScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnLessScalar(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
