/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/pointwise_body.h"

void jm_pointwise_kernels_init__reference(jm_pointwise_kernels *kernels)
{
    fill(kernels);
}

float jm_reduce_identity(jm_reduce op)
{
    switch (op) {
    case JM_REDUCE_MAX:
        return -INFINITY;
    case JM_REDUCE_MIN:
        return INFINITY;
    case JM_REDUCE_PROD:
        return 1.0f;
    default:
        return 0.0f;
    }
}

/* `op` is a constant in every caller. */
VEC_INLINE float combine(const jm_reduce op, float a, float b)
{
    switch (op) {
    case JM_REDUCE_MAX:
        return a > b || a != a ? a : b;
    case JM_REDUCE_MIN:
        return a < b || a != a ? a : b;
    case JM_REDUCE_PROD:
        return a * b;
    default:
        return a + b;
    }
}

VEC_INLINE void combine_rows(const jm_reduce op, float *lane, int width)
{
    for (int half = 8; half; half /= 2)
        for (int i = 0; i < half * width; i++) lane[i] = combine(op, lane[i], lane[i + half * width]);
}

static void reduce_rows(jm_reduce op, float *lane, int width)
{
    switch (op) {
    case JM_REDUCE_MAX:
        combine_rows(JM_REDUCE_MAX, lane, width);
        break;
    case JM_REDUCE_MIN:
        combine_rows(JM_REDUCE_MIN, lane, width);
        break;
    case JM_REDUCE_PROD:
        combine_rows(JM_REDUCE_PROD, lane, width);
        break;
    default:
        combine_rows(JM_REDUCE_SUM, lane, width);
        break;
    }
}

float jm_reduce_tree(jm_reduce op, float lane[16])
{
    reduce_rows(op, lane, 1);
    return lane[0];
}

void jm_reduce_tree_columns(jm_reduce op, float lane[16][16])
{
    reduce_rows(op, lane[0], 16);
}
