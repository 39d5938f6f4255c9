/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes of convolutions and transposed convolutions: the attributes of ONNX checked and resolved to explicit numbers.
 */
#ifndef JUMAR_OPS_CONV_GEOMETRY_H
#define JUMAR_OPS_CONV_GEOMETRY_H

#include "ops/op.h"

/* Spatial dims are always three, (z, y, x): missing ones in front have size 1, so that one loop nest serves 1-D, 2-D
 * and 3-D. Sizes are -1 where unknown. All numbers are at most 2^31, dims at most 2^40. */
typedef struct jm_conv_geometry {
    int spatial; /* 1..3, those that the tensors have */
    int64_t batch;
    int64_t channels, filters, group; /* input channels, output channels */
    int64_t in[3], out[3];
    int64_t kernel[3], stride[3], dilation[3];
    int64_t before[3], after[3]; /* padding; of a transposed convolution: what is cut off */
    int64_t extra[3];            /* output_padding, 0 for a convolution */
} jm_conv_geometry;

/* The spatial attributes, in the order of the operators' tables. Absent ones are NULL. */
typedef struct jm_conv_attrs {
    const jm_attr *auto_pad, *dilations, *group, *kernel_shape, *pads, *strides;
    const jm_attr *output_padding, *output_shape; /* ConvTranspose */
} jm_conv_attrs;

/* Resolves a convolution of X (input 0) with W (input 1). JM_INVALID_ARGUMENT, with a sentence: shapes and attributes
 * that do not fit, a kernel larger than the padded input. JM_UNSUPPORTED: rank below 3 or above 5. */
JM_MUST_USE jm_status jm_conv_resolve(const jm_call *call, const jm_conv_attrs *attrs, jm_conv_geometry *geometry);
/* The same for a transposed convolution: W is [channels][filters / group][kernel]. */
JM_MUST_USE jm_status jm_conv_transpose_resolve(const jm_call *call, const jm_conv_attrs *attrs,
                                                jm_conv_geometry *geometry);
/* Checks B (input 2, optional) and the residual (input 3) against the output, and describes the output. */
JM_MUST_USE jm_status jm_conv_infer_output(jm_call *call, const jm_conv_geometry *geometry,
                                           const jm_epilogue *epilogue);
/* 2 * multiply-adds of a convolution whose sizes are known; a transposed one counts its input points. */
double jm_conv_flops(const jm_conv_geometry *geometry, bool transposed);

/* Strides of a rank 3..5 tensor as (z, y, x), 0 for missing dims. */
void jm_conv_spatial_strides(const jm_tensor *tensor, ptrdiff_t stride[3]);

#endif
