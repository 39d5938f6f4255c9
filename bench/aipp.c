/* SPDX-License-Identifier: Apache-2.0
 *
 * The same model with inputs of float32 and with pictures in bytes: a run, and a copy of the input and a run, as
 * programs do. The models take turns, so that a busy neighbour hits all alike.
 *
 *     bench_aipp FLOAT.om AIPP.om [ROUNDS]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "base/system.h"
#include "values.h"

enum { MODELS = 2, WAYS = 2, MOST = 10000 };

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        if ((call) != ACL_SUCCESS) {                                                                                   \
            fprintf(stderr, "%s: %s\n", #call, aclGetRecentErrMsg());                                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct model {
    uint32_t id;
    aclmdlDataset *input, *output;
    void *host, *device; /* of input 0 */
    size_t bytes;
    double ms[WAYS][MOST];
} model;

static void *add(aclmdlDataset *dataset, size_t bytes)
{
    void *memory;
    CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    memset(memory, 0, bytes);
    CHECK(aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(memory, bytes)));
    return memory;
}

/* The same picture for both: bytes, or the numbers that 1/255 makes of them. */
static void load(const char *path, model *m)
{
    CHECK(aclmdlLoadFromFile(path, &m->id));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, m->id));
    m->input = aclmdlCreateDataset();
    m->output = aclmdlCreateDataset();
    m->bytes = aclmdlGetInputSizeByIndex(desc, 0);
    m->device = add(m->input, m->bytes);
    m->host = malloc(m->bytes);
    const int whole = aclmdlGetInputDataType(desc, 0) == ACL_UINT8;
    for (size_t i = 0; i < m->bytes / (whole ? 1 : sizeof(float)); i++) {
        const unsigned value = (unsigned)(i * 7919 % 251);
        if (whole)
            ((uint8_t *)m->host)[i] = (uint8_t)value;
        else
            ((float *)m->host)[i] = (float)value / 255.0f;
    }
    memcpy(m->device, m->host, m->bytes);
    for (size_t i = 1; i < aclmdlGetNumInputs(desc); i++) add(m->input, aclmdlGetInputSizeByIndex(desc, i));
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc); i++) add(m->output, aclmdlGetOutputSizeByIndex(desc, i));
    CHECK(aclmdlDestroyDesc(desc));
}

static double run(const model *m, int copy)
{
    const uint64_t begin = jm_clock_ns();
    if (copy) CHECK(aclrtMemcpy(m->device, m->bytes, m->host, m->bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclmdlExecute(m->id, m->input, m->output));
    return (double)(jm_clock_ns() - begin) * 1e-6;
}

int main(int argc, char **argv)
{
    static model m[MODELS];
    const int rounds = argc > 3 ? atoi(argv[3]) : 100;
    if (argc < 3 || rounds < 1 || rounds > MOST) {
        fprintf(stderr, "usage: %s FLOAT.om AIPP.om [ROUNDS]\n", argv[0]);
        return 2;
    }
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    for (int i = 0; i < MODELS; i++) load(argv[1 + i], &m[i]);
    for (int r = -3; r < rounds; r++)
        for (int way = 0; way < WAYS; way++)
            for (int k = 0; k < MODELS; k++) {
                model *now = &m[(k + r + 3) % MODELS];
                (void)run(now, way); /* brings the model back into the caches */
                const double ms = run(now, way);
                if (r >= 0) now->ms[way][r] = ms;
            }
    for (int i = 0; i < MODELS; i++)
        for (int way = 0; way < WAYS; way++) qsort(m[i].ms[way], (size_t)rounds, sizeof(double), by_value);
    for (int i = 0; i < MODELS; i++)
        printf("%s: run %.3f ms (least %.3f), copy and run %.3f ms (least %.3f)\n", argv[1 + i], m[i].ms[0][rounds / 2],
               m[i].ms[0][0], m[i].ms[1][rounds / 2], m[i].ms[1][0]);
    printf("second / first: run %.3f, copy and run %.3f\n", m[1].ms[0][rounds / 2] / m[0].ms[0][rounds / 2],
           m[1].ms[1][rounds / 2] / m[0].ms[1][rounds / 2]);
    return 0;
}
