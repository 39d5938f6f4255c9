/* SPDX-License-Identifier: Apache-2.0
 *
 * Several runs in flight: the host prepares the next input while the device computes, and a callback takes each result
 * as soon as it is there.
 *
 *     async_pipeline MODEL.om FRAMES
 *
 * Callbacks run on a thread of the program that serves them, never on the device's.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "sample.h"

enum { SLOTS = 3 }; /* runs in flight */

/* A run and its buffers; used again by every third frame. */
typedef struct slot {
    aclmdlDataset *input, *output;
    unsigned frame;
    size_t values; /* of the output */
    sem_t free;
} slot;

static aclrtContext context;
static atomic_bool stopping;
static atomic_uint finished;

static void *serve_callbacks(void *unused)
{
    CHECK(aclrtSetCurrentContext(context));
    while (!atomic_load(&stopping)) (void)aclrtProcessReport(100); /* milliseconds; nothing to serve is no failure */
    return unused;
}

/* The result of a frame is there. */
static void take_result(void *user)
{
    slot *s = user;
    const float *score = sample_address(s->output, 0); /* device memory can be read here: aclrtGetRunMode is ACL_HOST,
                                                          so a program for cards too would copy it */
    printf("frame %u: largest output %zu\n", s->frame, sample_largest(score, s->values));
    atomic_fetch_add(&finished, 1);
    sem_post(&s->free);
}

/* Stands for a camera: the frame is computed from its number. */
static void fill_frame(float *to, size_t count, unsigned frame)
{
    for (size_t i = 0; i < count; i++) to[i] = (float)((i * 31 + frame * 977) % 256) / 255.0f;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL.om FRAMES\n", argv[0]);
        return 2;
    }
    const unsigned frames = (unsigned)strtoul(argv[2], NULL, 10);
    uint32_t model;
    aclrtStream stream;
    pthread_t server;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtGetCurrentContext(&context));
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclmdlLoadFromFile(argv[1], &model));
    aclmdlDesc *desc = aclmdlCreateDesc();
    CHECK(aclmdlGetDesc(desc, model));
    if (pthread_create(&server, NULL, serve_callbacks, NULL)) return 1;
    CHECK(aclrtSubscribeReport((uint64_t)server, stream));

    const size_t bytes = aclmdlGetInputSizeByIndex(desc, 0);
    float *frame = malloc(bytes);
    slot ring[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
        ring[i] = (slot){.input = sample_create_inputs(desc),
                         .output = sample_create_outputs(desc),
                         .values = aclmdlGetOutputSizeByIndex(desc, 0) / sizeof(float)};
        sem_init(&ring[i].free, 0, 1);
    }

    for (unsigned i = 0; i < frames; i++) {
        slot *s = &ring[i % SLOTS];
        fill_frame(frame, bytes / sizeof(float), i);
        sem_wait(&s->free); /* its last result was taken */
        s->frame = i;
        CHECK(aclrtMemcpy(sample_address(s->input, 0), bytes, frame, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclmdlExecuteAsync(model, s->input, s->output, stream));
        CHECK(aclrtLaunchCallback(take_result, s, ACL_CALLBACK_NO_BLOCK, stream));
    }
    for (int i = 0; i < SLOTS; i++) sem_wait(&ring[i].free); /* all callbacks ran */
    CHECK(aclrtSynchronizeStream(stream));
    printf("%u of %u frames\n", atomic_load(&finished), frames);

    CHECK(aclrtUnSubscribeReport((uint64_t)server, stream));
    atomic_store(&stopping, true);
    pthread_join(server, NULL);
    for (int i = 0; i < SLOTS; i++) {
        sample_destroy_dataset(ring[i].output);
        sample_destroy_dataset(ring[i].input);
        sem_destroy(&ring[i].free);
    }
    free(frame);
    CHECK(aclmdlDestroyDesc(desc));
    CHECK(aclmdlUnload(model));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
