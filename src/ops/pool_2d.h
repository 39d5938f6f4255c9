/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows over the last two dimensions, said as PyTorch says them: lists of one or two numbers, padding on both sides.
 */
#ifndef JUMAR_OPS_POOL_2D_H
#define JUMAR_OPS_POOL_2D_H

#include "ops/op.h"

/* Entry 0 is of the rows, entry 1 of the columns. */
typedef struct jm_pool_2d {
    int64_t kernel[2], stride[2], padding[2], dilation[2];
    int64_t in[2], out[2]; /* -1 where unknown */
} jm_pool_2d;

/* Attributes `first` .. of every such operator: the window and how sizes are rounded. */
#define JM_POOL_2D_WINDOW                                                                                              \
    {.name = "kernel", .kind = JM_PARAM_INTS, .doc = "1 or 2 numbers: taps of rows and columns"},                      \
        {.name = "stride", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of windows; absent: kernel"}, \
        {.name = "padding", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "on both sides, at most kernel / 2"},  \
        {.name = "dilation", .kind = JM_PARAM_INTS, .flags = JM_OPTIONAL, .doc = "distance of taps"},                  \
    {                                                                                                                  \
        .name = "ceil_mode", .kind = JM_PARAM_INT, .flags = JM_OPTIONAL, .doc = "1: round output sizes up"             \
    }
#define JM_POOL_2D_ATTRS 5

/* The attributes, checked, for an input of that shape, of rank 3 or 4. JM_INVALID_ARGUMENT with a sentence. */
JM_MUST_USE jm_status jm_pool_2d_resolve(const jm_call *call, const jm_shape *shape, jm_pool_2d *pool);
/* `shape` with the last two dimensions of the output. */
jm_shape jm_pool_2d_shape(const jm_pool_2d *pool, const jm_shape *shape);
/* Maps of a tensor: the product of the dimensions before the last two. */
int64_t jm_pool_2d_maps(const jm_shape *shape);

#endif
