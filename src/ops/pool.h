/* SPDX-License-Identifier: Apache-2.0
 *
 * What operators share whose windows slide over [N, C, spatial ...]: MaxPool, AveragePool, SumPool, LpPool, and the
 * indices of maxima.
 */
#ifndef JUMAR_OPS_POOL_H
#define JUMAR_OPS_POOL_H

#include "ops/op.h"

/* Spatial dims are always three, (z, y, x): missing ones in front have size 1. Sizes are -1 where unknown. */
typedef struct jm_pool_geometry {
    int spatial;
    int64_t in[3], out[3];
    int64_t kernel[3], stride[3], dilation[3], before[3], after[3];
} jm_pool_geometry;

/* X, Y and the first JM_POOL_ATTRS attributes of every such operator; its own follow. */
#define JM_POOL_TENSORS                                                                                                \
    {.name = "X", .kind = JM_PARAM_INPUT, .doc = "[N, C, spatial ...], 1 to 3 spatial dimensions"},                    \
    {                                                                                                                  \
        .name = "Y", .kind = JM_PARAM_OUTPUT, .doc = "[N, C, spatial ...]"                                             \
    }
#define JM_POOL_WINDOW                                                                                                 \
    {.name = "auto_pad", .kind = JM_PARAM_STRING, .flags = JM_OPTIONAL, .s = "NOTSET", .doc = "see ONNX"},             \
        {.name = "ceil_mode", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: round output sizes up"},          \
        {.name = "dilations", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of taps"},                 \
        {.name = "kernel_shape", .kind = JM_PARAM_INTS, .doc = "taps of each spatial dimension"},                      \
        {.name = "pads", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "begins, then ends"},                     \
    {                                                                                                                  \
        .name = "strides", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of windows"                   \
    }
#define JM_POOL_PARAMS JM_POOL_TENSORS, JM_POOL_WINDOW
#define JM_POOL_ATTRS 6

/* The attributes, checked and resolved for input 0. JM_INVALID_ARGUMENT, with a sentence, where they do not fit;
 * JM_UNSUPPORTED: rank below 3 or above 5. */
JM_MUST_USE jm_status jm_pool_resolve(const jm_call *call, jm_pool_geometry *geometry);
/* An `infer`: output 0 has the dtype of input 0 and a point for each window. */
JM_MUST_USE jm_status jm_pool_infer(jm_call *call);

#endif
