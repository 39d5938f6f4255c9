/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/thin_body.h"

void jm_thin_kernels_init__avx2(jm_thin_kernels *kernels)
{
    fill(kernels);
}
