/* SPDX-License-Identifier: Apache-2.0 */
/* Of 16 registers `width` hold weights and one an input point; compilers need another. */
#define DEPTHWISE_POINTS(width) (14 - (width))
#include "kernels/depthwise_body.h"

void jm_depthwise_kernels_init__avx2(jm_depthwise_kernels *kernels)
{
    *kernels = (jm_depthwise_kernels){.rows = f32_depthwise_rows};
}
