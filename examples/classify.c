/* SPDX-License-Identifier: Apache-2.0
 *
 * The quick start: one model, one input, the five best classes.
 *
 *     classify MODEL.om INPUT.bin
 *
 * INPUT.bin holds the input as the model takes it, such as float32 [1,3,224,224] of a ResNet-50, already scaled.
 */
#include "sample.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL.om INPUT.bin\n", argv[0]);
        return 2;
    }
    /* 1. The library, a device, and the model on it. */
    uint32_t model;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclmdlLoadFromFile(argv[1], &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));

    /* 2. Buffers on the device, and the input in them. */
    aclmdlDataset *input = sample_create_inputs(desc), *output = sample_create_outputs(desc);
    size_t size;
    void *data = sample_read_file(argv[2], &size);
    const size_t want = aclmdlGetInputSizeByIndex(desc, 0);
    if (size != want) {
        fprintf(stderr, "%s has %zu bytes and the model takes %zu\n", argv[2], size, want);
        return 1;
    }
    CHECK(aclrtMemcpy(sample_address(input, 0), want, data, size, ACL_MEMCPY_HOST_TO_DEVICE));
    free(data);

    /* 3. The run, and the scores back on the host. */
    CHECK(aclmdlExecute(model, input, output));
    const size_t bytes = aclmdlGetOutputSizeByIndex(desc, 0), classes = bytes / sizeof(float);
    float *score = malloc(bytes);
    CHECK(aclrtMemcpy(score, bytes, sample_address(output, 0), bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int rank = 0; rank < 5 && rank < (int)classes; rank++) {
        const size_t best = sample_largest(score, classes);
        printf("top %d: class %zu, score %.6f\n", rank + 1, best, score[best]);
        score[best] = -1e30f;
    }

    /* 4. Everything back, in the opposite order. */
    free(score);
    sample_destroy_dataset(output);
    sample_destroy_dataset(input);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
