/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step costs when its kernel does nothing: microseconds per step of a command, by threads, chunks and steps.
 * Empty chunks are often all run by one core before another arrives; with "meet" every chunk waits for the others of
 * its step, so that all cores take part in every barrier. Needs an idle machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"
#include "device/device.h"

static void nothing(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)context;
    (void)chunk;
    (void)core;
    (void)fault;
}

/* Waits until all chunks of the step have begun. `context` counts those that have, over all runs; a step is run by as
 * many chunks each time. */
typedef struct meeting {
    _Alignas(64) atomic_uint arrived;
    unsigned chunks;
} meeting;

static void meet(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)chunk;
    (void)core;
    (void)fault;
    meeting *m = context;
    unsigned arrival = atomic_fetch_add(&m->arrived, 1);
    unsigned complete = (arrival / m->chunks + 1) * m->chunks;
    while ((int)(atomic_load(&m->arrived) - complete) < 0) {
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static jm_status measure(unsigned threads, size_t chunks, size_t steps, bool meets)
{
    enum { REPEAT = 51 };
    jm_device *device;
    JM_TRY(jm_device_create("cpu", 0, threads, &device));
    jm_step *step = jm_alloc(steps, sizeof(*step));
    meeting *meetings = jm_alloc(steps, sizeof(*meetings));
    if (!step || !meetings) {
        jm_free(step);
        jm_free(meetings);
        jm_device_destroy(device);
        return JM_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < steps; i++) {
        meetings[i].chunks = (unsigned)chunks;
        step[i] = (jm_step){.run = meets ? meet : nothing, .context = &meetings[i], .chunks = chunks};
    }
    double us[REPEAT];
    jm_status status = JM_OK;
    for (int i = 0; i < REPEAT && status == JM_OK; i++) {
        jm_work command = {.step = step, .steps = steps};
        uint64_t start = jm_clock_ns();
        status = jm_device_run(device, &command);
        us[i] = (double)(jm_clock_ns() - start) / 1e3 / (double)steps;
    }
    qsort(us, REPEAT, sizeof(us[0]), by_value);
    if (status == JM_OK)
        printf("%7u %7zu %6zu %6s %9.3f %9.3f %9.3f\n", threads, chunks, steps, meets ? "meet" : "none", us[0],
               us[REPEAT / 2], us[REPEAT * 95 / 100]);
    jm_free(step);
    jm_free(meetings);
    jm_device_destroy(device);
    return status;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("microseconds per empty step\nthreads  chunks  steps   work       min    median       p95\n");
    for (unsigned threads = 1; threads <= JM_MIN(jm_core_count(), 16u); threads *= 2) {
        for (size_t chunks = 1; chunks <= 4 * threads; chunks *= 2) {
            bool meets = chunks == threads && threads > 1;
            if (measure(threads, chunks, 1, false) == JM_OK && measure(threads, chunks, 1000, false) == JM_OK &&
                (!meets || measure(threads, chunks, 100, true) == JM_OK))
                continue;
            fprintf(stderr, "%s\n", jm_last_error());
            return 1;
        }
    }
    return 0;
}
