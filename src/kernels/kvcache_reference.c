/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/kvcache_body.h"

void jm_kvcache_kernels_init__reference(jm_kvcache_kernels *kernels)
{
    fill(kernels);
}
