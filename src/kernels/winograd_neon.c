/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/winograd_body.h"

void jm_winograd_kernels_init__neon(jm_winograd_kernels *kernels)
{
    fill(kernels);
}
