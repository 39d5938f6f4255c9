/* SPDX-License-Identifier: Apache-2.0
 *
 * 0 where |x| is not above lambd, x moved by lambd towards 0 elsewhere.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_SOFTSHRINK_H
#define ACLNNOP_ACLNN_SOFTSHRINK_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = where(self > lambd, self - lambd, where(self < -lambd, self + lambd, 0)). Inputs of any mix of types are
 * computed in their common floating-point type, float32 for integers. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnSoftshrinkGetWorkspaceSize(const aclTensor *self, const aclScalar *lambd, aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnSoftshrink(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
