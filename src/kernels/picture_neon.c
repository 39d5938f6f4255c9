/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/picture_body.h"

void jm_picture_kernels_init__neon(jm_picture_kernels *kernels)
{
    fill(kernels);
}
