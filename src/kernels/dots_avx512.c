/* SPDX-License-Identifier: Apache-2.0 */
#define DOTS_SUMS 24
#include "kernels/dots_body.h"

void jm_dots_kernels_init__avx512(jm_dots_kernels *kernels)
{
    kernels->rows = f32_dot_rows;
}
