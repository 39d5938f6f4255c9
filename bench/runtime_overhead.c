/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step costs when its kernel does nothing: microseconds per step of a long command, by threads and chunks.
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

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static jm_status measure(unsigned threads, size_t chunks, size_t steps)
{
    enum { REPEAT = 51 };
    jm_device *device;
    JM_TRY(jm_device_create("cpu", 0, threads, &device));
    jm_step *step = jm_alloc(steps, sizeof(*step));
    if (!step) {
        jm_device_destroy(device);
        return JM_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < steps; i++) step[i] = (jm_step){.run = nothing, .chunks = chunks};
    double us[REPEAT];
    jm_status status = JM_OK;
    for (int i = 0; i < REPEAT && status == JM_OK; i++) {
        jm_work work = {.step = step, .steps = steps};
        uint64_t start = jm_clock_ns();
        status = jm_device_run(device, &work);
        us[i] = (double)(jm_clock_ns() - start) / 1e3 / (double)steps;
    }
    qsort(us, REPEAT, sizeof(us[0]), by_value);
    if (status == JM_OK)
        printf("%7u %7zu %6zu %9.3f %9.3f %9.3f\n", threads, chunks, steps, us[0], us[REPEAT / 2],
               us[REPEAT * 95 / 100]);
    jm_free(step);
    jm_device_destroy(device);
    return status;
}

int main(void)
{
    printf("microseconds per empty step\nthreads  chunks  steps       min    median       p95\n");
    for (unsigned threads = 1; threads <= JM_MIN(jm_core_count(), 16u); threads *= 2) {
        for (size_t chunks = 1; chunks <= 4 * threads; chunks *= 2) {
            if (measure(threads, chunks, 1000) != JM_OK || measure(threads, chunks, 1) != JM_OK) {
                fprintf(stderr, "%s\n", jm_last_error());
                return 1;
            }
        }
    }
    return 0;
}
