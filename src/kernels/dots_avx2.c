/* SPDX-License-Identifier: Apache-2.0 */
#define DOTS_SUMS 12
#include "kernels/dots_body.h"

void jm_dots_kernels_init__avx2(jm_dots_kernels *kernels)
{
    kernels->rows = f32_dot_rows;
}
