/* SPDX-License-Identifier: Apache-2.0
 *
 * Maxima of windows and where they are: indices are y W + x in a map of H rows and W columns.
 * - self [N, C, H, W] or [C, H, W]; kernelSize, stride, padding and dilation have 1 or 2 numbers, an empty stride is
 *   the kernel, padding is at most half of it. Of equal elements the first counts, NaN is above all and the last of
 *   them counts. indices int32 or int64.
 * - With a mask, indices is int8 [N, C, kernel rows * kernel columns, (out rows * out columns / 16, rounded up, + 1)
 *   * 32]: a row of bytes for each tap of the window in row-major order. Bit p % 8 of byte p / 8 of row t is 1 where
 *   the maximum of output p, counted in row-major order, is at tap t. The other bytes mean nothing and are not
 *   written.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H
#define ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = max_pool(self, kernelSize, stride, padding, dilation, ceilMode)[0]; indices = max_pool(self, kernelSize,
 * stride, padding, dilation, ceilMode)[1]. Types as the operator takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaxPool2dWithIndices(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

/* out = max_pool(self, kernelSize, stride, padding, dilation, ceilMode)[0]; indices = max_pool_mask(self, kernelSize,
 * stride, padding, dilation, ceilMode). Types as the operator takes them. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
    const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaxPool2dWithMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
