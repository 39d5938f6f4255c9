/* SPDX-License-Identifier: Apache-2.0
 *
 * What the example programs share: checked calls, and a model with its buffers.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the library's message when a call fails. */
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const aclError code = (call);                                                                                  \
        if (code != ACL_SUCCESS) {                                                                                     \
            const char *message = aclGetRecentErrMsg();                                                                \
            fprintf(stderr, "%s:%d: %s returned %d: %s\n", __FILE__, __LINE__, #call, code, message ? message : "");   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Memory on the device in a buffer at the end of a dataset. */
static inline void *sample_add_buffer(aclmdlDataset *dataset, size_t size)
{
    void *memory;
    CHECK(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(memory, size)));
    return memory;
}

/* A dataset with a buffer for each input (each output) of a model, in order. Those of a model of several sizes are
 * large enough for the largest, and the input that carries the choice is among them. */
static inline aclmdlDataset *sample_create_inputs(aclmdlDesc *desc)
{
    aclmdlDataset *dataset = aclmdlCreateDataset();
    for (size_t i = 0; i < aclmdlGetNumInputs(desc); i++)
        sample_add_buffer(dataset, aclmdlGetInputSizeByIndex(desc, i));
    return dataset;
}

static inline aclmdlDataset *sample_create_outputs(aclmdlDesc *desc)
{
    aclmdlDataset *dataset = aclmdlCreateDataset();
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc); i++)
        sample_add_buffer(dataset, aclmdlGetOutputSizeByIndex(desc, i));
    return dataset;
}

/* Frees a dataset, its buffers and their memory. */
static inline void sample_destroy_dataset(aclmdlDataset *dataset)
{
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset); i++) {
        aclDataBuffer *buffer = aclmdlGetDatasetBuffer(dataset, i);
        CHECK(aclrtFree(aclGetDataBufferAddr(buffer)));
        CHECK(aclDestroyDataBuffer(buffer));
    }
    CHECK(aclmdlDestroyDataset(dataset));
}

/* The memory of a buffer. */
static inline void *sample_address(const aclmdlDataset *dataset, size_t index)
{
    return aclGetDataBufferAddr(aclmdlGetDatasetBuffer(dataset, index));
}

/* Reads a file of raw bytes into host memory, which the caller frees; *size is its length. */
static inline void *sample_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "cannot read '%s'\n", path);
        exit(1);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    void *data = malloc(*size ? *size : 1);
    if (!data || fread(data, 1, *size, file) != *size) {
        fprintf(stderr, "cannot read '%s'\n", path);
        exit(1);
    }
    fclose(file);
    return data;
}

/* The index of the largest of `count` numbers. */
static inline size_t sample_largest(const float *number, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (number[i] > number[best]) best = i;
    return best;
}

#endif
