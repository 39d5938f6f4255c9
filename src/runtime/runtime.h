/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices in use, contexts, streams, events, callbacks and memory: everything that is the same on every device.
 * The doors (acl, later aclnn, hccl) check arguments and map codes; the behaviour is here.
 *
 * Handles are checked: a handle that was destroyed or never existed gives JM_NOT_FOUND, not a crash.
 * Every function is thread-safe. After a fork every function returns JM_DEVICE_LOST in the child, except in a
 * child whose parent had not used the runtime yet.
 *
 * Environment: JUMAR_DEVICES (1..64, default 1), JUMAR_NUM_THREADS, JUMAR_DEVICE_MEMORY (limit of a device's heap
 * in MiB, default: the memory of the machine), JUMAR_DEVICE_KIND (a name of device.c, default cpu).
 */
#ifndef JUMAR_RUNTIME_RUNTIME_H
#define JUMAR_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "device/device.h"

typedef struct jm_context jm_context;
typedef struct jm_stream jm_stream;
typedef struct jm_event jm_event;

/* ---- Devices and contexts ---- */

/* JM_INVALID_ARGUMENT: JUMAR_DEVICES is no number in 1..64. */
JM_MUST_USE jm_status jm_runtime_device_count(unsigned *count);
/* Makes the device's primary context current on this thread, creating it and its default stream at the first call,
 * and counts one more user. JM_OUT_OF_RANGE: no such device. */
JM_MUST_USE jm_status jm_runtime_set_device(int id);
/* One user less, or with `force` none. With the last one the primary context, its streams and, if no explicit context
 * is left, the device and all its memory go; work in flight is completed first. JM_BAD_STATE: the device has no user.
 */
JM_MUST_USE jm_status jm_runtime_reset_device(int id, bool force);
/* The device of the current context. JM_BAD_STATE: this thread has no context. */
JM_MUST_USE jm_status jm_runtime_get_device(int *id);
/* True while the primary context exists. */
JM_MUST_USE jm_status jm_runtime_primary_active(int id, bool *active);

/* An explicit context becomes current on this thread. *out is NULL on failure. */
JM_MUST_USE jm_status jm_context_create(int device, jm_context **out);
/* Completes and destroys the context's streams. JM_INVALID_ARGUMENT: a primary context. */
JM_MUST_USE jm_status jm_context_destroy(jm_context *context);
JM_MUST_USE jm_status jm_context_set_current(jm_context *context);
/* JM_BAD_STATE: this thread has no context, or it is gone. */
JM_MUST_USE jm_status jm_context_get_current(jm_context **out);
/* The hardware behind the current context: cores, memory, kernels' machine. Valid while the context lives. */
JM_MUST_USE jm_status jm_context_device(jm_device **out);

/* ---- Streams ---- */

/* A command for a stream: the steps of a jm_work and what to do when they are done. Copied at submit; `step` stays the
 * caller's and must be valid until done() is called. */
typedef struct jm_command {
    const jm_step *step;
    size_t steps;
    const char *name; /* static text for messages: "aclmdlExecuteAsync"; may be NULL */
    /* Called once, before the stream goes on, on any thread, without locks; must not wait. `status` is the first fault
     * of the steps. May be NULL. */
    void (*done)(void *owner, jm_status status);
    void *owner;
} jm_command;

/* A stream of the current context. *out is NULL on failure. JM_BAD_STATE: no context. */
JM_MUST_USE jm_status jm_stream_create(jm_stream **out);
/* Completes the commands and destroys the stream; with `discard` commands that have not begun are dropped (their
 * done() gets JM_BAD_STATE). JM_INVALID_ARGUMENT: a default stream. */
JM_MUST_USE jm_status jm_stream_destroy(jm_stream *stream, bool discard);
/* NULL is the default stream of the current context; others must be live. */
JM_MUST_USE jm_status jm_stream_resolve(void *handle, jm_stream **out);

/* Enqueues a command. On failure done() is not called. In all functions below `stream` may be NULL, as above. */
JM_MUST_USE jm_status jm_stream_submit(jm_stream *stream, const jm_command *command);
/* Enqueues a command and returns when it is done; the caller takes part. The status is the command's own fault, which
 * does not stick to the stream, or that of submit. */
JM_MUST_USE jm_status jm_stream_run(jm_stream *stream, const jm_command *command);

/* Waits until everything enqueued so far is done; without a timeout (milliseconds, negative: none) the caller takes
 * part. Returns and forgets the stream's error, with its message. JM_TIMEOUT. */
JM_MUST_USE jm_status jm_stream_synchronize(jm_stream *stream, int64_t timeout_ms);
/* All streams of the current device; the first error found. */
JM_MUST_USE jm_status jm_device_synchronize(int64_t timeout_ms);
/* Which command's error the calling thread's last synchronise returned; zeros before that. */
typedef struct jm_failure {
    int stream;       /* its id */
    uint64_t command; /* its number on the stream, from 0 on */
} jm_failure;
void jm_stream_failure(jm_failure *failure);
/* *idle: everything enqueued so far is done. Leaves the stream's error alone. */
JM_MUST_USE jm_status jm_stream_query(jm_stream *stream, bool *idle);
JM_MUST_USE jm_status jm_stream_id(jm_stream *stream, int *id);
/* On: after an error the stream drops its commands until the error is fetched by a synchronise. */
JM_MUST_USE jm_status jm_stream_set_stop_on_failure(jm_stream *stream, bool on);

/* Copies and fills in stream order. Ranges of a copy may overlap. */
JM_MUST_USE jm_status jm_stream_copy(jm_stream *stream, void *target, const void *source, size_t size);
JM_MUST_USE jm_status jm_stream_fill(jm_stream *stream, void *target, int value, size_t size);

/* 64-bit values in memory (aligned to 8 bytes, else JM_INVALID_ARGUMENT). The stream waits until the comparison of
 * *address with value holds, whoever writes it. */
typedef enum jm_value_test { JM_VALUE_GEQ, JM_VALUE_EQ, JM_VALUE_AND, JM_VALUE_NOR } jm_value_test;
JM_MUST_USE jm_status jm_stream_value_write(jm_stream *stream, void *address, uint64_t value);
JM_MUST_USE jm_status jm_stream_value_wait(jm_stream *stream, void *address, uint64_t value, jm_value_test test);

/* ---- Events ---- */

typedef enum jm_event_kind {
    /* Each record captures the work of the stream so far; a wait refers to the latest record at the time of the call,
     * and does nothing where there is none. */
    JM_EVENT_CAPTURE,
    /* The same, but a query says that it is not done before the first record. */
    JM_EVENT_PLAIN,
    /* A flag: record sets it when the stream gets there, reset clears it when the stream gets there, a wait waits
     * until it is set, also before any record. */
    JM_EVENT_FLAG,
} jm_event_kind;

JM_MUST_USE jm_status jm_event_create(jm_event_kind kind, bool timed, jm_event **out);
/* Work that refers to the event is not disturbed. */
JM_MUST_USE jm_status jm_event_destroy(jm_event *event);
JM_MUST_USE jm_status jm_event_record(jm_event *event, jm_stream *stream);
/* JM_UNSUPPORTED: not a JM_EVENT_FLAG event. */
JM_MUST_USE jm_status jm_event_reset(jm_event *event, jm_stream *stream);
JM_MUST_USE jm_status jm_stream_wait_event(jm_stream *stream, jm_event *event);
/* *done: the latest record has been reached; never recorded: true for CAPTURE, else false. */
JM_MUST_USE jm_status jm_event_query(jm_event *event, bool *done);
/* *done: no stream is still to pass a wait for this event. */
JM_MUST_USE jm_status jm_event_query_waits(jm_event *event, bool *done);
/* Waits for the latest record. JM_TIMEOUT. */
JM_MUST_USE jm_status jm_event_synchronize(jm_event *event, int64_t timeout_ms);
/* Monotonic nanoseconds of the latest record. JM_NOT_READY: not recorded or not reached. JM_UNSUPPORTED: not timed. */
JM_MUST_USE jm_status jm_event_time(jm_event *event, uint64_t *ns);

/* ---- Callbacks ---- */

/* Callbacks of the stream run on the thread with this pthread id, inside jm_callback_process(). JM_BAD_STATE: the
 * stream has a thread already. */
JM_MUST_USE jm_status jm_callback_subscribe(uint64_t thread, jm_stream *stream);
/* JM_NOT_FOUND: not subscribed like this. */
JM_MUST_USE jm_status jm_callback_unsubscribe(uint64_t thread, jm_stream *stream);
/* Enqueues a callback; with `block` the stream waits until it has returned. JM_BAD_STATE: nobody is subscribed. */
JM_MUST_USE jm_status jm_callback_launch(jm_stream *stream, void (*function)(void *), void *data, bool block);
/* Runs one callback on this thread. JM_TIMEOUT: none came in time; JM_BAD_STATE: this thread is not subscribed. */
JM_MUST_USE jm_status jm_callback_process(int64_t timeout_ms);
/* Enqueues a function for the runtime's host thread; the stream waits until it has returned. */
JM_MUST_USE jm_status jm_host_function_launch(jm_stream *stream, void (*function)(void *), void *data);

/* ---- Memory ---- */

/* Device memory of the current device, aligned to 64 bytes. JM_OUT_OF_MEMORY: above the heap's limit or the host's
 * memory. JM_BAD_STATE: no context. *out is NULL on failure. */
JM_MUST_USE jm_status jm_memory_allocate(size_t size, void **out);
/* The block is used again when every stream has passed the point of this call. JM_NOT_FOUND: not an address that
 * jm_memory_allocate returned, or freed before. */
JM_MUST_USE jm_status jm_memory_free(void *memory);
/* Pinned host memory, aligned to a page; needs no context. */
JM_MUST_USE jm_status jm_host_allocate(size_t size, void **out);
JM_MUST_USE jm_status jm_host_free(void *memory);

typedef enum jm_memory_kind { JM_MEMORY_UNKNOWN, JM_MEMORY_DEVICE, JM_MEMORY_HOST } jm_memory_kind;
/* What an address is: the start of a live block of either kind, or unknown. */
jm_memory_kind jm_memory_kind_of(const void *memory, int *device);

/* The one place where an address that the user holds becomes one that the CPU can follow. Today the same. */
static inline void *jm_device_pointer(const void *address)
{
    return (void *)(uintptr_t)address;
}

typedef struct jm_memory_statistics {
    size_t limit;                     /* bytes the heap may take */
    size_t allocated, peak_allocated; /* bytes in live blocks, rounded to 512 */
    size_t reserved, peak_reserved;   /* bytes taken from the device */
    size_t deferred;                  /* bytes freed, but not yet passed by all streams */
    uint64_t allocations, frees;      /* calls that succeeded */
} jm_memory_statistics;
/* Of the current device. JM_BAD_STATE: no context. */
JM_MUST_USE jm_status jm_memory_get_statistics(jm_memory_statistics *statistics);
/* Gives unused memory of the current device's heap back to it. */
JM_MUST_USE jm_status jm_memory_trim(void);

#endif
