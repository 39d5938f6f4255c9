/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread a device, each with its own copy of the model; inputs are dealt in turns.
 *
 *     JUMAR_DEVICES=2 multi_device MODEL.om INPUTS
 */
#include <pthread.h>

#include "sample.h"

enum { MAX_DEVICES = 16 };

static const char *path;
static unsigned inputs;

typedef struct share {
    pthread_t thread;
    int device;
    uint32_t devices;
    unsigned done;
} share;

static void *run_device(void *argument)
{
    share *s = argument;
    uint32_t model;
    CHECK(aclrtSetDevice(s->device)); /* of this thread */
    CHECK(aclmdlLoadFromFile(path, &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));
    aclmdlDataset *input = sample_create_inputs(desc), *output = sample_create_outputs(desc);
    const size_t bytes = aclmdlGetInputSizeByIndex(desc, 0);
    const size_t values = aclmdlGetOutputSizeByIndex(desc, 0) / sizeof(float);
    float *data = malloc(bytes);
    for (unsigned i = (unsigned)s->device; i < inputs; i += s->devices) {
        for (size_t k = 0; k < bytes / sizeof(float); k++) data[k] = (float)((k * 31 + i * 977) % 256) / 255.0f;
        CHECK(aclrtMemcpy(sample_address(input, 0), bytes, data, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclmdlExecute(model, input, output));
        printf("device %d, input %u: largest output %zu\n", s->device, i,
               sample_largest(sample_address(output, 0), values));
        s->done++;
    }
    free(data);
    sample_destroy_dataset(output);
    sample_destroy_dataset(input);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtResetDevice(s->device));
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL.om INPUTS\n", argv[0]);
        return 2;
    }
    uint32_t devices;
    share shares[MAX_DEVICES] = {0};
    path = argv[1];
    inputs = (unsigned)strtoul(argv[2], NULL, 10);
    CHECK(aclInit(NULL));
    CHECK(aclrtGetDeviceCount(&devices));
    if (devices > MAX_DEVICES) devices = MAX_DEVICES;
    for (uint32_t i = 0; i < devices; i++) {
        shares[i].device = (int)i;
        shares[i].devices = devices;
        if (pthread_create(&shares[i].thread, NULL, run_device, &shares[i])) return 1;
    }
    unsigned done = 0;
    for (uint32_t i = 0; i < devices; i++) {
        pthread_join(shares[i].thread, NULL);
        done += shares[i].done;
    }
    printf("%u inputs on %u devices\n", done, devices);
    CHECK(aclFinalize());
    return 0;
}
