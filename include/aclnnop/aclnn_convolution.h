/* SPDX-License-Identifier: Apache-2.0
 *
 * Convolutions in one, two and three dimensions.
 * - input [N, C, spatial...], weight [M, C / groups, kernel...], with transposed [C, M / groups, kernel...]; bias
 *   NULL or [M].
 * - stride, dilation and outputPadding have a number for each dimension; outputPadding matters with transposed only.
 *   padding has a number for each dimension, or in 1-D and 2-D without transposed two: [left, right], [top, bottom,
 *   left, right].
 * - cubeMathType has no effect: float32 is computed in float32, float16 and bfloat16 in float32 with one rounding.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_CONVOLUTION_H
#define ACLNNOP_ACLNN_CONVOLUTION_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* output = convolution(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups). Inputs of
 * any mix of types are computed in their common type. May be NULL: bias. Without effect: cubeMathType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor *input, const aclTensor *weight, const aclTensor *bias,
    const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool transposed,
    const aclIntArray *outputPadding, int64_t groups, aclTensor *output, int8_t cubeMathType, uint64_t *workspaceSize,
    aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolution(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
