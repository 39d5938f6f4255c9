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

static float combine(jm_reduce op, float a, float b)
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

float jm_reduce_tree(jm_reduce op, const float lane[16])
{
    float part[8];
    for (int i = 0; i < 8; i++) part[i] = combine(op, lane[i], lane[i + 8]);
    for (int half = 4; half; half /= 2)
        for (int i = 0; i < half; i++) part[i] = combine(op, part[i], part[i + half]);
    return part[0];
}
