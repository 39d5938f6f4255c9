/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/kvcache_body.h"

void jm_kvcache_kernels_init__avx512(jm_kvcache_kernels *kernels)
{
    fill(kernels);
}
