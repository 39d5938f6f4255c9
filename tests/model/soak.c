/* SPDX-License-Identifier: Apache-2.0
 *
 * soak SECONDS [THREADS]: threads load, run and unload three models for that long, through both doors. Every result
 * must have the bits of the first one; memory and descriptors at the end must be those after the first rounds.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acl/acl.h"
#include "base/alloc.h"
#include "base/system.h"
#include "jumar/compile.h"
#include "jumar/session.h"

enum { MODELS = 3, MAX_THREADS = 16, MAX_OUTPUTS = 4 };

static const char *const model[MODELS] = {"soak_scenes.om", JUMAR_SOURCE "/tests/corpus/om/sample.om",
                                          JUMAR_SOURCE "/tests/corpus/om/forms.om"};
static const char *const scenes = JUMAR_SOURCE "/demo/scenes.onnx";

typedef struct result {
    void *data;
    size_t bytes;
} result;

static void *input[MODELS]; /* one for all inputs, as large as the largest */
static result wanted[MODELS][MAX_OUTPUTS];

static atomic_bool stop, bad;
static atomic_uint_fast64_t rounds[MODELS][2];

static void complain(const char *path, const char *what)
{
    const char *acl = aclGetRecentErrMsg();
    fprintf(stderr, "%s: %s: %s %s\n", path, what, jumar_last_error(), acl ? acl : "");
    atomic_store(&bad, true);
    atomic_store(&stop, true);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* ---- Our interface ---- */

static void by_session(int m, unsigned random)
{
    jumar_session *session;
    jumar_tensor_info info;
    const void *in[MAX_OUTPUTS] = {input[m], input[m], input[m], input[m]};
    void *out[MAX_OUTPUTS] = {0};
    if (jumar_session_open(model[m], 1 + random % 2, &session) != JUMAR_OK) {
        complain(model[m], "cannot be opened");
        return;
    }
    const size_t outputs = jumar_session_output_count(session);
    for (size_t i = 0; i < outputs; i++) out[i] = jm_alloc(wanted[m][i].bytes, 1);
    for (unsigned run = 0; run < 1 + random % 3; run++)
        if (jumar_session_run(session, in, out) != JUMAR_OK) complain(model[m], "does not run");
    for (size_t i = 0; i < outputs; i++) {
        if (jumar_session_output(session, i, &info) != JUMAR_OK || info.bytes != wanted[m][i].bytes ||
            memcmp(out[i], wanted[m][i].data, info.bytes) != 0)
            complain(model[m], "gives other bits");
        jm_free(out[i]);
    }
    jumar_session_close(session);
}

/* ---- AscendCL ---- */

static void check(int m, aclError code, const char *what)
{
    if (code != ACL_SUCCESS) complain(model[m], what);
}

static aclmdlDataset *dataset_of(int m, aclmdlDesc *desc, bool in)
{
    aclmdlDataset *dataset = aclmdlCreateDataset();
    const size_t count = in ? aclmdlGetNumInputs(desc) : aclmdlGetNumOutputs(desc);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = in ? aclmdlGetInputSizeByIndex(desc, i) : aclmdlGetOutputSizeByIndex(desc, i);
        void *data = NULL;
        check(m, aclrtMalloc(&data, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "no device memory");
        if (in) check(m, aclrtMemcpy(data, bytes, input[m], bytes, ACL_MEMCPY_HOST_TO_DEVICE), "no copy");
        check(m, aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(data, bytes)), "no buffer");
    }
    return dataset;
}

static void drop_dataset(int m, aclmdlDataset *dataset)
{
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset); i++) {
        aclDataBuffer *buffer = aclmdlGetDatasetBuffer(dataset, i);
        check(m, aclrtFree(aclGetDataBufferAddr(buffer)), "device memory is not freed");
        check(m, aclDestroyDataBuffer(buffer), "a buffer is not freed");
    }
    check(m, aclmdlDestroyDataset(dataset), "a dataset is not freed");
}

static void by_acl(int m, unsigned random)
{
    uint32_t id = 0;
    aclrtStream stream = NULL;
    check(m, aclrtCreateStream(&stream), "no stream");
    check(m, aclmdlLoadFromFile(model[m], &id), "cannot be loaded");
    if (atomic_load(&bad)) return;
    aclmdlDesc *desc = aclmdlCreateDesc();
    check(m, aclmdlGetDesc(desc, id), "has no description");
    aclmdlDataset *in = dataset_of(m, desc, true), *out = dataset_of(m, desc, false);
    for (unsigned run = 0; run < 1 + random % 3; run++)
        check(m, aclmdlExecuteAsync(id, in, out, stream), "does not run");
    check(m, aclrtSynchronizeStream(stream), "does not end");
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(out); i++) {
        const aclDataBuffer *buffer = aclmdlGetDatasetBuffer(out, i);
        if (memcmp(aclGetDataBufferAddr(buffer), wanted[m][i].data, wanted[m][i].bytes) != 0)
            complain(model[m], "gives other bits");
    }
    drop_dataset(m, in);
    drop_dataset(m, out);
    check(m, aclmdlDestroyDesc(desc), "a description is not freed");
    check(m, aclmdlUnload(id), "cannot be unloaded");
    check(m, aclrtDestroyStream(stream), "a stream is not freed");
}

/* ---- Threads ---- */

static void *work(void *argument)
{
    unsigned state = *(unsigned *)argument;
    check(0, aclrtSetDevice(0), "no device");
    while (!atomic_load(&stop)) {
        const int m = (int)(next_random(&state) % MODELS);
        const bool acl = next_random(&state) % 2;
        (acl ? by_acl : by_session)(m, next_random(&state));
        atomic_fetch_add(&rounds[m][acl], 1);
    }
    check(0, aclrtResetDevice(0), "the device stays");
    return NULL;
}

static size_t descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

/* Resident bytes, without what belongs to files. */
static size_t resident(void)
{
    char text[128] = "";
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    unsigned long long all = 0, in_memory = 0, of_files = 0;
    if (size <= 0 || sscanf(text, "%llu %llu %llu", &all, &in_memory, &of_files) != 3) return 0;
    return (size_t)(in_memory - of_files) * (size_t)sysconf(_SC_PAGESIZE);
}

static bool prepare(int m)
{
    jumar_session *session;
    jumar_tensor_info info;
    size_t largest = 0;
    if (jumar_session_open(model[m], 1, &session) != JUMAR_OK) return false;
    for (size_t i = 0; i < jumar_session_input_count(session); i++)
        if (jumar_session_input(session, i, &info) == JUMAR_OK) largest = JM_MAX(largest, info.bytes);
    float *values = jm_alloc(largest, 1);
    for (size_t i = 0; i < largest / sizeof *values; i++) values[i] = (float)(i % 97) * 0.01f;
    input[m] = values;
    void *out[MAX_OUTPUTS] = {0};
    for (size_t i = 0; i < jumar_session_output_count(session); i++) {
        if (jumar_session_output(session, i, &info) != JUMAR_OK) return false;
        out[i] = jm_alloc(info.bytes, 1);
        wanted[m][i] = (result){out[i], info.bytes};
    }
    const void *in[MAX_OUTPUTS] = {values, values, values, values};
    const bool good = jumar_session_run(session, in, out) == JUMAR_OK;
    jumar_session_close(session);
    return good;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    const int threads = argc > 2 ? atoi(argv[2]) : 4;
    if (seconds <= 0 || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: soak SECONDS [THREADS]; at most %d threads\n", MAX_THREADS);
        return 2;
    }
    if (jumar_compile(scenes, model[0], NULL) != JUMAR_OK || aclInit(NULL) != ACL_SUCCESS) {
        complain(scenes, "cannot be compiled");
        return 1;
    }
    for (int m = 0; m < MODELS; m++)
        if (!prepare(m)) {
            complain(model[m], "cannot be prepared");
            return 1;
        }
    pthread_t thread[MAX_THREADS];
    unsigned seed[MAX_THREADS];
    for (int i = 0; i < threads; i++) {
        seed[i] = (unsigned)i + 1;
        if (pthread_create(&thread[i], NULL, work, &seed[i])) return 1;
    }
    /* The highest of each tenth: a level, not a moment. */
    enum { TENTHS = 10 };
    size_t memory[TENTHS] = {0}, files[TENTHS] = {0};
    const uint64_t begin = jm_clock_ns();
    for (;;) {
        const double part = (double)(jm_clock_ns() - begin) * 1e-9 / seconds;
        if (part >= 1 || atomic_load(&stop)) break;
        const int tenth = (int)(part * TENTHS);
        memory[tenth] = JM_MAX(memory[tenth], resident());
        files[tenth] = JM_MAX(files[tenth], descriptors());
        usleep(10000);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    for (int m = 0; m < MODELS; m++) {
        printf("%s: %llu rounds of sessions, %llu of AscendCL\n", model[m], (unsigned long long)rounds[m][0],
               (unsigned long long)rounds[m][1]);
        for (int i = 0; i < MAX_OUTPUTS; i++) jm_free(wanted[m][i].data);
        jm_free(input[m]);
    }
    for (int i = 0; i < TENTHS; i++)
        printf("%3d %%: %.1f MB, %zu descriptors\n", (i + 1) * 100 / TENTHS, (double)memory[i] * 1e-6, files[i]);
    unlink(model[0]);
    check(0, aclFinalize(), "no end");
    if (atomic_load(&bad)) return 1;
    /* Flat: the last three tenths are not above the second to fifth by more than what one model more takes. */
    size_t early = 0, late = 0, early_files = 0, late_files = 0;
    for (int i = 1; i < 5; i++) early = JM_MAX(early, memory[i]), early_files = JM_MAX(early_files, files[i]);
    for (int i = 7; i < TENTHS; i++) late = JM_MAX(late, memory[i]), late_files = JM_MAX(late_files, files[i]);
#ifdef JUMAR_ANY_SANITIZER
    late = early; /* sanitizers keep what is freed */
#endif
    if (late > early + (16 << 20) || late_files > early_files + 8) {
        fprintf(stderr, "memory or descriptors grow\n");
        return 1;
    }
    return 0;
}
