/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/pointwise_body.h"

void jm_pointwise_kernels_init__neon(jm_pointwise_kernels *kernels)
{
    fill(kernels);
}
