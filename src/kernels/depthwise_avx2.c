/* SPDX-License-Identifier: Apache-2.0 */
/* Of 16 registers `width` hold weights and one an input point; compilers need another. */
#define DEPTHWISE_POINTS(width) (14 - (width))
/* Of 16 registers three hold inputs and one a weight, or two weights and one an input. */
#define PLANE_VECS(filters) (12 / (filters))
#include "kernels/depthwise_body.h"
#include "kernels/planes_body.h"

void jm_depthwise_kernels_init__avx2(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.rows = f32_depthwise_rows, .planes = f32_planes};
}
