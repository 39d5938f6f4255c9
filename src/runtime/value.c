/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams that wait for a value in memory. The value may come from another stream, from a kernel or from the host, so
 * besides the obvious moments a thread looks at it every now and then while anyone waits.
 */
#include <time.h>

#include "runtime/internal.h"

static jm_stream *blocked;
static bool started;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;

bool jm_value_holds(const jm_entry *entry)
{
    uint64_t have = __atomic_load_n((const uint64_t *)jm_device_pointer(entry->value.address), __ATOMIC_ACQUIRE);
    uint64_t want = entry->value.value;
    switch (entry->value.test) {
    case JM_VALUE_GEQ:
        return (int64_t)(have - want) >= 0; /* cyclic, so that counters may wrap */
    case JM_VALUE_EQ:
        return have == want;
    case JM_VALUE_AND:
        return (have & want) != 0;
    case JM_VALUE_NOR:
        return ~(have | want) != 0;
    }
    return true;
}

void jm_value_write_locked(const jm_entry *entry)
{
    __atomic_store_n((uint64_t *)jm_device_pointer(entry->value.address), entry->value.value, __ATOMIC_RELEASE);
    jm_value_check_locked();
}

void jm_value_check_locked(void)
{
    for (jm_stream **link = &blocked; *link;) {
        jm_stream *stream = *link;
        if (!jm_value_holds(stream->head)) {
            link = &stream->next_blocked;
            continue;
        }
        *link = stream->next_blocked;
        stream->state = JM_STREAM_READY;
        jm_stream_ready_locked(stream);
    }
}

static void *poll(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&jm_runtime_mutex);
    for (;;) {
        while (!blocked) pthread_cond_wait(&wanted, &jm_runtime_mutex);
        jm_value_check_locked();
        jm_runtime_drain_locked();
        jm_runtime_unlock();
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        pthread_mutex_lock(&jm_runtime_mutex);
    }
    return NULL;
}

jm_status jm_value_prepare_locked(void)
{
    if (started) return JM_OK;
    JM_TRY(jm_thread_start_detached("jumar-value", poll));
    started = true;
    return JM_OK;
}

void jm_value_block_locked(jm_stream *stream)
{
    stream->next_blocked = blocked;
    blocked = stream;
    pthread_cond_signal(&wanted);
}

void jm_value_unblock_locked(jm_stream *stream)
{
    jm_stream **link = &blocked;
    while (*link != stream) link = &(*link)->next_blocked;
    *link = stream->next_blocked;
}

static jm_status append(jm_stream *stream, jm_entry_kind kind, void *address, uint64_t value, jm_value_test test)
{
    if (!address || (uintptr_t)address % 8)
        return jm_error(JM_INVALID_ARGUMENT, "%p is no address of a 64-bit value: it must be a multiple of 8", address);
    if (test > JM_VALUE_NOR)
        return jm_error(JM_INVALID_ARGUMENT, "comparison %d is unknown; use 0 (>=), 1 (==), 2 (and) or 3 (nor)",
                        (int)test);
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK && kind == JM_ENTRY_VALUE_WAIT) status = jm_value_prepare_locked();
    if (status == JM_OK) {
        jm_entry *entry = jm_entry_create_locked(kind);
        if (entry) {
            entry->value.address = address;
            entry->value.value = value;
            entry->value.test = test;
            jm_stream_append_locked(stream, entry);
        } else {
            status = JM_OUT_OF_MEMORY;
        }
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_value_write(jm_stream *stream, void *address, uint64_t value)
{
    return append(stream, JM_ENTRY_VALUE_WRITE, address, value, JM_VALUE_EQ);
}

jm_status jm_stream_value_wait(jm_stream *stream, void *address, uint64_t value, jm_value_test test)
{
    return append(stream, JM_ENTRY_VALUE_WAIT, address, value, test);
}
