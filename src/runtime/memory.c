/* SPDX-License-Identifier: Apache-2.0
 *
 * Device and host memory, and copies in stream order.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/system.h"
#include "runtime/internal.h"

/* Bytes of a copy or fill that one core does at a time. */
#define COPY_CHUNK ((size_t)1 << 20)
/* How long an allocation waits for freed memory that streams may still use. */
#define DEFERRED_WAIT_NS 1000000000u

/* ---- Device memory ---- */

/* Memory runs out while freed blocks wait for streams: gives those a moment to pass. */
static jm_status allocate_later_locked(jm_device_state *state, size_t size, void **out)
{
    const uint64_t deadline = jm_clock_ns() + DEFERRED_WAIT_NS;
    jm_memory_statistics statistics;
    jm_heap_get_statistics(state->heap, &statistics);
    jm_status status = JM_OUT_OF_MEMORY;
    while (status == JM_OUT_OF_MEMORY && statistics.deferred && jm_clock_ns() < deadline) {
        state->pins++;
        jm_runtime_unlock();
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        pthread_mutex_lock(&jm_runtime_mutex);
        jm_heap_pass(state->heap, jm_oldest_order_locked());
        status = jm_heap_allocate(state->heap, size, out);
        jm_device_unpin_locked(state);
        jm_heap_get_statistics(state->heap, &statistics);
    }
    return status;
}

jm_status jm_memory_allocate(size_t size, void **out)
{
    *out = NULL;
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) {
        jm_device_state *state = context->state;
        jm_heap_pass(state->heap, jm_oldest_order_locked());
        status = jm_heap_allocate(state->heap, size, out);
        if (status == JM_OUT_OF_MEMORY) status = allocate_later_locked(state, size, out);
    }
    jm_runtime_unlock();
    return status;
}

/* The device whose heap has a live block that starts here; -1 when none has. */
static int owner_locked(const void *memory)
{
    for (unsigned i = 0; i < JM_MAX_DEVICES; i++) {
        const jm_heap *heap = jm_device_state_locked(i)->heap;
        if (heap && jm_heap_owns(heap, memory)) return (int)i;
    }
    return -1;
}

jm_status jm_memory_free(void *memory)
{
    JM_TRY(jm_runtime_lock());
    jm_status status;
    int owner = owner_locked(memory);
    if (owner >= 0) {
        jm_heap *heap = jm_device_state_locked((unsigned)owner)->heap;
        status = jm_heap_free(heap, memory, jm_newest_order_locked());
        jm_heap_pass(heap, jm_oldest_order_locked());
    } else {
        status =
            jm_error(JM_NOT_FOUND,
                     "%p is not the start of a live block of device memory; was it freed before, its device reset, "
                     "or did it come from aclrtMallocHost?",
                     memory);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_memory_get_statistics(jm_memory_statistics *statistics)
{
    *statistics = (jm_memory_statistics){0};
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) {
        jm_heap_pass(context->state->heap, jm_oldest_order_locked());
        jm_heap_get_statistics(context->state->heap, statistics);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_memory_trim(void)
{
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) {
        jm_heap_pass(context->state->heap, jm_oldest_order_locked());
        jm_heap_trim(context->state->heap);
    }
    jm_runtime_unlock();
    return status;
}

/* ---- Host memory ---- */

jm_status jm_host_allocate(size_t size, void **out)
{
    *out = NULL;
    void *memory = NULL;
    if (size > PTRDIFF_MAX || posix_memalign(&memory, jm_page_size(), JM_MAX(size, (size_t)1)) != 0)
        return jm_error(JM_OUT_OF_MEMORY, "Failed to allocate %zu bytes of host memory", size);
    jm_status status = jm_runtime_lock();
    if (status == JM_OK) {
        status = jm_handle_add_locked(memory, JM_HANDLE_HOST_MEMORY);
        jm_runtime_unlock();
    }
    if (status == JM_OK)
        *out = memory;
    else
        free(memory);
    return status;
}

jm_status jm_host_free(void *memory)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_handle_check_locked(memory, JM_HANDLE_HOST_MEMORY, "block of aclrtMallocHost");
    if (status == JM_OK) jm_handle_remove_locked(memory);
    jm_runtime_unlock();
    if (status == JM_OK) free(memory);
    return status;
}

jm_memory_kind jm_memory_kind_of(const void *memory, int *device)
{
    *device = -1;
    if (jm_runtime_lock() != JM_OK) return JM_MEMORY_UNKNOWN;
    jm_memory_kind kind = JM_MEMORY_UNKNOWN;
    *device = owner_locked(memory);
    if (*device >= 0)
        kind = JM_MEMORY_DEVICE;
    else if (jm_handle_live_locked(memory, JM_HANDLE_HOST_MEMORY))
        kind = JM_MEMORY_HOST;
    jm_runtime_unlock();
    return kind;
}

/* ---- Copies in stream order ---- */

static void copy_chunk(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)core;
    (void)fault;
    const jm_entry *entry = context;
    size_t begin = entry->copy_step.chunks > 1 ? chunk * COPY_CHUNK : 0;
    size_t size = entry->copy_step.chunks > 1 ? JM_MIN(COPY_CHUNK, entry->copy.size - begin) : entry->copy.size;
    if (entry->copy.source)
        memmove(entry->copy.target + begin, entry->copy.source + begin, size);
    else
        memset(entry->copy.target + begin, entry->copy.value, size);
}

static jm_status append_copy(jm_stream *stream, void *target, const void *source, int value, size_t size,
                             const char *name)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    jm_entry *entry = NULL;
    if (status == JM_OK) {
        entry = jm_work_entry_create_locked(&(jm_command){.steps = 1, .name = name});
        if (!entry) status = JM_OUT_OF_MEMORY;
    }
    if (entry) {
        entry->copy.target = jm_device_pointer(target);
        entry->copy.source = source ? jm_device_pointer(source) : NULL;
        entry->copy.value = value;
        entry->copy.size = size;
        /* Ranges that overlap are moved in one piece. */
        bool apart = !source || entry->copy.source + size <= entry->copy.target ||
                     entry->copy.target + size <= entry->copy.source;
        size_t chunks = apart && size ? (size - 1) / COPY_CHUNK + 1 : 1;
        entry->copy_step = (jm_step){.run = copy_chunk, .context = entry, .chunks = chunks};
        entry->work.step = &entry->copy_step;
        jm_stream_append_locked(stream, entry);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_copy(jm_stream *stream, void *target, const void *source, size_t size)
{
    return append_copy(stream, target, source, 0, size, "aclrtMemcpyAsync");
}

jm_status jm_stream_fill(jm_stream *stream, void *target, int value, size_t size)
{
    return append_copy(stream, target, NULL, value, size, "aclrtMemsetAsync");
}
