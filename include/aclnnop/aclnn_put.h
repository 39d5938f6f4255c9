/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements put at numbers in row-major order, or added.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_PUT_H
#define ACLNNOP_ACLNN_PUT_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* selfRef = Reshape(ScatterElements(Reshape(selfRef, ints(-1)), Reshape(index, ints(-1)), Reshape(source, ints(-1)),
 * axis=0, reduction=choice(accumulate, "none", "add")), shape(selfRef)). Types as the operator takes them. Changed in
 * place: selfRef. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplacePutGetWorkspaceSize(aclTensor *selfRef, const aclTensor *index, const aclTensor *source,
    bool accumulate, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplacePut(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
