/* SPDX-License-Identifier: Apache-2.0
 *
 * Several sources, such as cameras, share a model: each source is a thread that puts frames into one bounded queue, and
 * workers take as many as there are, up to the largest batch of the model.
 *
 *     atc ... --input_shape="x:-1,3,64,64" --dynamic_batch_size="1,2,4"
 *     many_sources MODEL.om SOURCES FRAMES
 *
 * When the workers cannot keep up, the oldest waiting frame is dropped: a late result is worth less than the next one.
 * Every frame is either run or counted as dropped.
 */
#include <pthread.h>
#include <string.h>

#include "sample.h"

enum { QUEUE = 8, WORKERS = 2, MAX_BATCH = 64 };

typedef struct frame {
    unsigned source, number;
    float *data; /* its owner frees it */
} frame;

/* ---- The queue ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    frame frame[QUEUE];
    size_t first, count;
    unsigned open; /* sources that will still put frames */
    unsigned dropped;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static void put(frame f)
{
    float *old = NULL;
    pthread_mutex_lock(&queue.lock);
    if (queue.count == QUEUE) {
        old = queue.frame[queue.first].data;
        queue.first = (queue.first + 1) % QUEUE;
        queue.count--;
        queue.dropped++;
    }
    queue.frame[(queue.first + queue.count++) % QUEUE] = f;
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
    free(old);
}

/* Waits for a frame; takes up to `most`. 0: no source will put any more. */
static size_t take(frame *to, size_t most)
{
    size_t taken = 0;
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0 && queue.open) pthread_cond_wait(&queue.filled, &queue.lock);
    for (; taken < most && queue.count; taken++) {
        to[taken] = queue.frame[queue.first];
        queue.first = (queue.first + 1) % QUEUE;
        queue.count--;
    }
    pthread_mutex_unlock(&queue.lock);
    return taken;
}

static void close_source(void)
{
    pthread_mutex_lock(&queue.lock);
    queue.open--;
    pthread_cond_broadcast(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
}

/* ---- Sources ---- */

static unsigned frames_of_a_source;
static size_t frame_bytes;

static void *run_source(void *argument)
{
    const unsigned source = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < frames_of_a_source; i++) {
        frame f = {source, i, malloc(frame_bytes)};
        if (!f.data) break;
        for (size_t k = 0; k < frame_bytes / sizeof(float); k++)
            f.data[k] = (float)((k * 31 + i * 977 + source * 131) % 256) / 255.0f;
        put(f);
    }
    close_source();
    return NULL;
}

/* ---- Workers ---- */

static uint32_t model;
static aclmdlDesc *desc;
static aclmdlBatch batches;
static size_t choice, most;
static unsigned results; /* under the queue's lock */

/* The smallest batch size that holds `frames`. */
static uint64_t batch_for(size_t frames)
{
    uint64_t best = most;
    for (size_t i = 0; i < batches.batchCount; i++)
        if (batches.batch[i] >= frames && batches.batch[i] < best) best = batches.batch[i];
    return best;
}

/* A worker has a stream and buffers of its own; the model is shared. */
static void *run_worker(void *argument)
{
    aclrtStream stream;
    CHECK(aclrtSetCurrentContext((aclrtContext)argument));
    CHECK(aclrtCreateStream(&stream));
    aclmdlDataset *input = sample_create_inputs(desc), *output = sample_create_outputs(desc);
    const size_t values = aclmdlGetOutputSizeByIndex(desc, 0) / most / sizeof(float);
    frame f[MAX_BATCH];
    for (size_t count; (count = take(f, most)) > 0;) {
        const uint64_t batch = batch_for(count);
        char *to = sample_address(input, 0);
        for (size_t i = 0; i < count; i++) {
            CHECK(aclrtMemcpyAsync(to + i * frame_bytes, frame_bytes, f[i].data, frame_bytes, ACL_MEMCPY_HOST_TO_DEVICE,
                                   stream));
        }
        CHECK(aclmdlSetDynamicBatchSize(model, input, choice, batch));
        CHECK(aclmdlExecuteAsync(model, input, output, stream));
        CHECK(aclrtSynchronizeStream(stream));
        const float *score = sample_address(output, 0);
        pthread_mutex_lock(&queue.lock);
        for (size_t i = 0; i < count; i++)
            printf("source %u frame %u (batch of %llu): class %zu\n", f[i].source, f[i].number,
                   (unsigned long long)batch, sample_largest(score + i * values, values));
        results += (unsigned)count;
        pthread_mutex_unlock(&queue.lock);
        for (size_t i = 0; i < count; i++) free(f[i].data);
    }
    sample_destroy_dataset(output);
    sample_destroy_dataset(input);
    CHECK(aclrtDestroyStream(stream));
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s MODEL.om SOURCES FRAMES\n", argv[0]);
        return 2;
    }
    const unsigned sources = (unsigned)strtoul(argv[2], NULL, 10);
    aclrtContext context;
    frames_of_a_source = (unsigned)strtoul(argv[3], NULL, 10);
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtGetCurrentContext(&context));
    CHECK(aclmdlLoadFromFile(argv[1], &model));
    desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));
    CHECK(aclmdlGetDynamicBatch(desc, &batches));
    CHECK(aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &choice));
    for (size_t i = 0; i < batches.batchCount; i++)
        if (batches.batch[i] > most) most = batches.batch[i];
    if (most == 0 || most > MAX_BATCH) {
        fprintf(stderr, "the model needs batch sizes of at most %d\n", MAX_BATCH);
        return 1;
    }
    frame_bytes = aclmdlGetInputSizeByIndex(desc, 0) / most;

    pthread_t *source = calloc(sources, sizeof(*source)), worker[WORKERS];
    queue.open = sources;
    for (unsigned i = 0; i < sources; i++) {
        if (pthread_create(&source[i], NULL, run_source, (void *)(uintptr_t)i)) return 1;
    }
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&worker[i], NULL, run_worker, context)) return 1;
    for (unsigned i = 0; i < sources; i++) pthread_join(source[i], NULL);
    for (int i = 0; i < WORKERS; i++) pthread_join(worker[i], NULL);
    printf("%u frames: %u run, %u dropped\n", sources * frames_of_a_source, results, queue.dropped);

    free(source);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
