/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes are a picture or an error.
 */
#include <stdlib.h>

#include "vision/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jm_image image;
    jm_status status = jm_image_read_memory(data, size, "fuzz", &image);
    if ((status == JM_OK) != (image.rgb != NULL)) abort();
    jm_image_destroy(&image);
    return 0;
}
