/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/thin_body.h"

void jm_thin_kernels_init__neon(jm_thin_kernels *kernels)
{
    fill(kernels);
}
