/* SPDX-License-Identifier: Apache-2.0 */
/* Enough independent sums for both FMA units; maps are often a multiple of 7 wide. */
#define DEPTHWISE_POINTS(width) 14
/* With 4 filters the inputs of a tile fill two thirds of the first cache at 128 taps. */
#define PLANE_VECS(filters) ((filters) == 4 ? 4 : 12)
#include "kernels/depthwise_body.h"
#include "kernels/planes_body.h"

void jm_depthwise_kernels_init__avx512(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.rows = f32_depthwise_rows, .planes = f32_planes};
}
