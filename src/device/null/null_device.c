/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest device: submit() runs the work before it returns. A new device starts as a copy of this file.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "device/device.h"

static void null_destroy(jm_device *device)
{
    jm_free(device);
}

static jm_status null_allocate(jm_device *device, size_t size, void **out)
{
    (void)device;
    *out = NULL;
    if (size > PTRDIFF_MAX || posix_memalign(out, 64, size ? size : 1) != 0) {
        *out = NULL;
        return jm_error(JM_OUT_OF_MEMORY, "the host has no %zu bytes left for the null device", size);
    }
    return JM_OK;
}

static void null_release(jm_device *device, void *memory, size_t size)
{
    (void)device;
    (void)size;
    free(memory);
}

static jm_status null_submit(jm_device *device, jm_work *work)
{
    if (jm_device_lost(device))
        return jm_error(JM_DEVICE_LOST, "device %u belongs to the process before the fork", device->id);
    for (size_t i = 0; i < work->steps; i++)
        if (work->step[i].chunks > JM_MAX_CHUNKS)
            return jm_error(JM_OUT_OF_RANGE, "step %zu has %zu chunks, %u at most", i, work->step[i].chunks,
                            JM_MAX_CHUNKS);
    for (size_t i = 0; i < work->steps; i++)
        for (size_t chunk = 0; chunk < work->step[i].chunks; chunk++)
            work->step[i].run(work->step[i].context, chunk, 0, &work->fault);
    work->done(work);
    return JM_OK;
}

static const jm_device_operations null_operations = {
    .name = "null",
    .destroy = null_destroy,
    .allocate = null_allocate,
    .release = null_release,
    .submit = null_submit,
};

jm_status jm_null_device_create(unsigned id, unsigned threads, jm_device **out)
{
    (void)threads;
    *out = NULL;
    jm_device *device = jm_alloc(1, sizeof(*device));
    if (!device) return JM_OUT_OF_MEMORY;
    device->operations = &null_operations;
    device->id = id;
    device->cores = 1;
    device->memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGE_SIZE);
    device->generation = jm_process_generation();
    *out = device;
    return JM_OK;
}
