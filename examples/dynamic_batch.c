/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of several batch sizes takes as many inputs as there are, without padding.
 *
 *     atc --framework=5 --model=net.onnx --output=net --input_shape="x:-1,3,224,224" --dynamic_batch_size="1,2,4,8"
 *     dynamic_batch net.om INPUTS.bin
 *
 * INPUTS.bin holds any number of inputs, one behind the other. They are run in the largest batches that are left.
 */
#include <string.h>

#include "sample.h"

/* The largest batch size of at most `left`. */
static uint64_t choose(const aclmdlBatch *batch, uint64_t left)
{
    uint64_t best = 0;
    for (size_t i = 0; i < batch->batchCount; i++)
        if (batch->batch[i] <= left && batch->batch[i] > best) best = batch->batch[i];
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL.om INPUTS.bin\n", argv[0]);
        return 2;
    }
    uint32_t model;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclmdlLoadFromFile(argv[1], &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));

    aclmdlBatch batch;
    size_t choice; /* the input that carries the batch size */
    CHECK(aclmdlGetDynamicBatch(desc, &batch));
    CHECK(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &choice));
    const uint64_t most = choose(&batch, UINT64_MAX);

    /* The buffers are those of the largest batch; smaller ones use a part. */
    aclmdlDataset *input = sample_create_inputs(desc), *output = sample_create_outputs(desc);
    const size_t each = aclmdlGetInputSizeByIndex(desc, 0) / most;
    size_t size;
    char *data = sample_read_file(argv[2], &size);
    if (size == 0 || size % each) {
        fprintf(stderr, "%s has %zu bytes, which is no multiple of %zu\n", argv[2], size, each);
        return 1;
    }
    for (size_t done = 0; done < size / each;) {
        const uint64_t now = choose(&batch, size / each - done);
        if (now == 0) {
            fprintf(stderr, "the model has no batch size of %zu or less\n", size / each - done);
            return 1;
        }
        CHECK(aclmdlSetDynamicBatchSize(model, input, choice, now));
        CHECK(aclrtMemcpy(sample_address(input, 0), most * each, data + done * each, now * each,
                          ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclmdlExecute(model, input, output));

        aclmdlIODims dims;
        CHECK(aclmdlGetCurOutputDims(desc, 0, &dims));
        size_t classes = 1;
        for (size_t i = 1; i < dims.dimCount; i++) classes *= (size_t)dims.dims[i];
        float *score = malloc(now * classes * sizeof(float));
        CHECK(aclrtMemcpy(score, now * classes * sizeof(float), sample_address(output, 0),
                          now * classes * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST));
        for (uint64_t i = 0; i < now; i++)
            printf("input %zu (batch of %llu): class %zu\n", done + (size_t)i, (unsigned long long)now,
                   sample_largest(score + i * classes, classes));
        free(score);
        done += now;
    }

    free(data);
    sample_destroy_dataset(output);
    sample_destroy_dataset(input);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
