/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as the parameters of pictures that come with a run: they are refused with a sentence, or every row of the
 * result lies inside its memory and reads only the picture.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "ops/picture_block.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *make(size_t size)
{
    void *memory = calloc(size ? size : 1, 1);
    if (!memory) abort();
    return memory;
}

/* Two numbers of the input choose what the model knows: its channels, size and bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 4, BLOCK = sizeof(jm_picture_common) + sizeof(jm_picture_own) };
    static const int channels[] = {1, 3, 4};
    if (size < HEAD + BLOCK) return 0;
    jm_picture fixed = {.batch = 1,
                        .channels = channels[data[0] % 3],
                        .out_width = 2 + data[1] % 64,
                        .out_height = 1 + data[2] % 16,
                        .memory = 1 + (size_t)data[3] * 64};
    fixed.width = fixed.inner_width = fixed.out_width;
    fixed.height = fixed.inner_height = fixed.out_height;
    jm_picture picture;
    if (jm_picture_read(&fixed, data + HEAD, 0, &picture) != JM_OK) return 0;
    const jm_picture_kernels *kernels = &jm_kernels_at(JM_CPU_REFERENCE)->picture;
    const size_t row = (size_t)fixed.out_width * (size_t)fixed.channels;
    uint8_t *image = make(fixed.memory), *bytes = make(row);
    float *out = make(row * sizeof *out);
    void *scratch = aligned_alloc(64, jm_picture_scratch(&fixed));
    if (!scratch) abort();
    for (int64_t y = 0; y < fixed.out_height; y++) {
        jm_picture_row(&picture, kernels, image, y, fixed.out_width, scratch, out, fixed.out_width);
        jm_picture_row_bytes(&picture, kernels, image, y, scratch, bytes, fixed.out_width);
    }
    free(image);
    free(bytes);
    free(out);
    free(scratch);
    return 0;
}
