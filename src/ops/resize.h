/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of ONNX Resize along one axis: which input elements an output element is made of, and with which
 * weights.
 */
#ifndef JUMAR_OPS_RESIZE_H
#define JUMAR_OPS_RESIZE_H

#include "ops/op.h"

/* Attributes and host inputs of one call, resolved. */
typedef struct jm_resize {
    int taps;       /* 1: nearest, 2: linear, 4: cubic */
    bool antialias; /* the filter is as wide as what an output element covers: more taps where it shrinks */
    double cubic_a;
    bool exclude_outside; /* cubic: taps outside weigh nothing */
    bool crop;            /* tf_crop_and_resize: coordinates outside give `extrapolation` */
    float extrapolation;
    int coordinates, nearest;      /* modes, private to resize.c */
    double own_scale[JM_MAX_RANK]; /* pytorch: the factor that the caller gave; 0 or less: none */
    int rank;
    int64_t in[JM_MAX_RANK], out[JM_MAX_RANK]; /* -1 where unknown */
    float scale[JM_MAX_RANK];
    float start[JM_MAX_RANK], end[JM_MAX_RANK]; /* roi */
} jm_resize;

/* Output element o of an axis is the sum of weight[o * taps + t] * input[index[o * taps + t]]. */
typedef struct jm_resize_axis {
    bool identity; /* index[o] = o: the tables are NULL */
    int taps;
    int32_t *index;
    float *weight;
    bool *outside; /* crop only: the whole element is the extrapolation value */
} jm_resize_axis;

/* Checks attributes and host inputs and fills sizes and scales. JM_INVALID_ARGUMENT, JM_UNSUPPORTED with a sentence. */
JM_MUST_USE jm_status jm_resize_resolve(const jm_call *call, jm_resize *resize);
/* Tables of axis `k`, whose sizes are known. JM_OUT_OF_MEMORY, JM_OUT_OF_RANGE. */
JM_MUST_USE jm_status jm_resize_plan_axis(const jm_resize *resize, int k, jm_arena *arena, jm_resize_axis *axis);

/* Tables of an axis as PyTorch's upsample has them: taps 1 for nearest, 2 for linear. `scale` is the factor that the
 * caller gave, 0 or less when none: then it is out / in. Sizes are at most 2^31. JM_OUT_OF_MEMORY, JM_OUT_OF_RANGE. */
JM_MUST_USE jm_status jm_resize_pytorch_axis(int taps, bool align_corners, int64_t in, int64_t out, double scale,
                                             jm_arena *arena, jm_resize_axis *axis);

/* Keys' cubic convolution kernel with slope `a`: weights of the four neighbours of a place `s` in [0, 1) behind the
 * second. */
void jm_cubic_weights(double a, double s, float weight[4]);

/* Index of each attribute in the operator's table. */
enum {
    JM_RESIZE_ANTIALIAS,
    JM_RESIZE_AXES,
    JM_RESIZE_COORDINATES,
    JM_RESIZE_CUBIC_A,
    JM_RESIZE_EXCLUDE_OUTSIDE,
    JM_RESIZE_EXTRAPOLATION,
    JM_RESIZE_POLICY,
    JM_RESIZE_MODE,
    JM_RESIZE_NEAREST,
    JM_RESIZE_OWN_SCALES
};

#endif
