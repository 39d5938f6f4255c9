/* SPDX-License-Identifier: Apache-2.0
 *
 * The gradients of convolutions.
 * - Arguments as for aclnnConvolution. The gradients of input, weight and bias that outputMask names are written; the
 *   others are left alone and may have any shape. gradBias may be NULL where its mask is false. biasSizes is NULL or
 *   [M].
 * - cubeMathType has no effect.
 *
 * Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs need the exact shape
 * of the result. Codes and the two phases: aclnn/aclnn_base.h.
 *
 * Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script.
 */
#ifndef ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H
#define ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* gradInput = input_grad(gradOutput, input, weight, stride, padding, dilation, transposed, outputPadding, groups);
 * gradWeight = weight_grad(gradOutput, input, weight, stride, padding, dilation, transposed, outputPadding, groups);
 * gradBias = bias_grad(gradOutput). Inputs of any mix of types are computed in their common type. May be NULL:
 * biasSizes, gradBias. Without effect: cubeMathType. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *input,
    const aclTensor *weight, const aclIntArray *biasSizes, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool transposed, const aclIntArray *outputPadding, int32_t groups,
    const aclBoolArray *outputMask, int8_t cubeMathType, aclTensor *gradInput, aclTensor *gradWeight,
    aclTensor *gradBias, uint64_t *workspaceSize, aclOpExecutor **executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolutionBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
