/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes are an array inside the buffer or an error.
 */
#include <stdlib.h>

#include "tensor/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jm_tensor tensor;
    size_t bytes;
    if (jm_npy_parse(data, size, &tensor) != JM_OK) return 0;
    if (jm_tensor_bytes(&tensor, &bytes) != JM_OK) abort();
    const uint8_t *begin = tensor.data;
    if (begin < data || bytes > size - (size_t)(begin - data)) abort();
    return 0;
}
