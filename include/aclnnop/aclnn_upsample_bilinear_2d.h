/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and columns interpolated: element i lies at (i + 1/2) in / out - 1/2, with 1 / scale in the place of in / out
 * where a scale is positive, or with alignCorners at i (in - 1) / (out - 1). An axis that keeps its size is copied.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_H
#define ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = upsample(self, outputSize, scalesH, scalesW, "corners" if alignCorners else "linear"). Types as the operator
 * takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnUpsampleBilinear2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *outputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnUpsampleBilinear2d(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
