/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/pool_body.h"

void jm_pool_kernels_init__neon(jm_pool_kernels *kernels)
{
    fill(kernels);
}
