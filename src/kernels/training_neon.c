/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/training_body.h"

void jm_training_kernels_init__neon(jm_training_kernels *kernels)
{
    fill(kernels);
}
