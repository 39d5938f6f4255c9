/* SPDX-License-Identifier: Apache-2.0
 *
 * User functions in stream order. Callbacks run on the thread that the user subscribed, inside jm_callback_process();
 * host functions on one thread of the runtime. Neither ever runs on an executor, so they may block.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/system.h"
#include "runtime/internal.h"

typedef struct jm_call_queue jm_call_queue;

struct jm_call_queue {
    jm_call_queue *next;
    uint64_t thread;
    /* The queue goes when all three are 0. */
    unsigned streams; /* subscribed */
    unsigned calls;   /* launched and not yet run, in the queue or still in a stream */
    unsigned waiting; /* inside jm_callback_process */
    jm_entry *head, **tail;
    pthread_cond_t changed;
};

static jm_call_queue *queues;
static jm_call_queue host;
static bool host_started;

static void push(jm_call_queue *queue, jm_entry *entry)
{
    entry->next_in_queue = NULL;
    *queue->tail = entry;
    queue->tail = &entry->next_in_queue;
    pthread_cond_broadcast(&queue->changed);
}

static jm_entry *pop(jm_call_queue *queue)
{
    jm_entry *entry = queue->head;
    queue->head = entry->next_in_queue;
    if (!queue->head) queue->tail = &queue->head;
    return entry;
}

static bool withdraw(jm_call_queue *queue, const jm_entry *entry)
{
    for (jm_entry **link = &queue->head; *link; link = &(*link)->next_in_queue) {
        if (*link != entry) continue;
        *link = entry->next_in_queue;
        if (queue->tail == &entry->next_in_queue) queue->tail = link;
        return true;
    }
    return false;
}

static jm_call_queue *find(uint64_t thread)
{
    jm_call_queue *queue = queues;
    while (queue && queue->thread != thread) queue = queue->next;
    return queue;
}

static void release_unused(jm_call_queue *queue)
{
    if (queue->streams || queue->calls || queue->waiting) return;
    jm_call_queue **link = &queues;
    while (*link != queue) link = &(*link)->next;
    *link = queue->next;
    pthread_cond_destroy(&queue->changed);
    jm_free(queue);
}

/* Runs the function without the lock, then lets its stream go on. */
static void call(jm_entry *entry)
{
    void (*function)(void *) = entry->call.function;
    void *data = entry->call.data;
    jm_runtime_unlock();
    function(data);
    pthread_mutex_lock(&jm_runtime_mutex);
    if (entry->stream) {
        jm_stream_pass_locked(entry->stream);
        jm_runtime_drain_locked();
    } else {
        jm_free(entry);
    }
}

/* ---- Callbacks ---- */

void jm_callback_post_locked(jm_entry *entry)
{
    push(entry->call.queue, entry);
}

bool jm_callback_withdraw_locked(jm_entry *entry)
{
    if (entry->kind == JM_ENTRY_HOST_FUNCTION) return withdraw(&host, entry);
    return entry->kind == JM_ENTRY_CALLBACK && withdraw(entry->call.queue, entry);
}

void jm_callback_drop_locked(jm_entry *entry)
{
    jm_call_queue *queue = entry->call.queue;
    queue->calls--;
    pthread_cond_broadcast(&queue->changed);
    release_unused(queue);
}

void jm_callback_forget_locked(jm_stream *stream)
{
    if (!stream->subscribed) return;
    stream->subscribed = false;
    jm_call_queue *queue = find(stream->thread);
    queue->streams--;
    pthread_cond_broadcast(&queue->changed);
    release_unused(queue);
}

jm_status jm_callback_subscribe(uint64_t thread, jm_stream *stream)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK && stream->subscribed)
        status =
            jm_error(JM_BAD_STATE, "callbacks of stream %d have a thread already; unsubscribe it first", stream->id);
    jm_call_queue *queue = status == JM_OK ? find(thread) : NULL;
    if (status == JM_OK && !queue) {
        queue = jm_alloc(1, sizeof(*queue));
        if (queue) {
            *queue = (jm_call_queue){.next = queues, .thread = thread};
            queue->tail = &queue->head;
            jm_condition_init(&queue->changed);
            queues = queue;
        } else {
            status = JM_OUT_OF_MEMORY;
        }
    }
    if (status == JM_OK) {
        stream->subscribed = true;
        stream->thread = thread;
        queue->streams++;
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_callback_unsubscribe(uint64_t thread, jm_stream *stream)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK && (!stream->subscribed || stream->thread != thread))
        status = jm_error(JM_NOT_FOUND, "thread %llu is not subscribed to stream %d", (unsigned long long)thread,
                          stream->id);
    if (status == JM_OK) jm_callback_forget_locked(stream);
    jm_runtime_unlock();
    return status;
}

static jm_status launch_locked(jm_stream *stream, jm_entry_kind kind, void (*function)(void *), void *data, bool block)
{
    jm_entry *entry = jm_entry_create_locked(kind);
    if (!entry) return JM_OUT_OF_MEMORY;
    entry->call.function = function;
    entry->call.data = data;
    entry->call.block = block;
    if (kind == JM_ENTRY_CALLBACK) {
        entry->call.queue = find(stream->thread);
        entry->call.queue->calls++;
    }
    jm_stream_append_locked(stream, entry);
    return JM_OK;
}

jm_status jm_callback_launch(jm_stream *stream, void (*function)(void *), void *data, bool block)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK && !stream->subscribed)
        status = jm_error(JM_BAD_STATE, "no thread runs the callbacks of stream %d; call aclrtSubscribeReport first",
                          stream->id);
    if (status == JM_OK) status = launch_locked(stream, JM_ENTRY_CALLBACK, function, data, block);
    jm_runtime_unlock();
    return status;
}

jm_status jm_callback_process(int64_t timeout_ms)
{
    JM_TRY(jm_runtime_lock());
    jm_call_queue *queue = find((uint64_t)pthread_self());
    if (!queue) {
        jm_runtime_unlock();
        return jm_error(JM_BAD_STATE, "this thread is not subscribed to any stream");
    }
    uint64_t deadline = jm_clock_ns() + (uint64_t)JM_MAX(timeout_ms, (int64_t)0) * 1000000;
    bool in_time = true;
    queue->waiting++;
    while (!queue->head && (queue->streams || queue->calls) && in_time) {
        if (timeout_ms < 0)
            pthread_cond_wait(&queue->changed, &jm_runtime_mutex);
        else
            in_time = jm_condition_wait_locked(&queue->changed, deadline);
    }
    jm_status status = JM_OK;
    if (queue->head) {
        call(pop(queue));
        queue->calls--;
    } else if (!queue->streams && !queue->calls) {
        status = jm_error(JM_BAD_STATE, "this thread is no longer subscribed to any stream");
    } else {
        status = jm_error(JM_TIMEOUT, "no callback came within %lld ms", (long long)timeout_ms);
    }
    queue->waiting--;
    release_unused(queue);
    jm_runtime_unlock();
    return status;
}

/* ---- Host functions ---- */

static void *serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&jm_runtime_mutex);
    for (;;) {
        while (!host.head) pthread_cond_wait(&host.changed, &jm_runtime_mutex);
        call(pop(&host));
    }
    return NULL;
}

void jm_host_function_post_locked(jm_entry *entry)
{
    push(&host, entry);
}

jm_status jm_host_function_launch(jm_stream *stream, void (*function)(void *), void *data)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK && !host_started) {
        host.tail = &host.head;
        jm_condition_init(&host.changed);
        status = jm_thread_start_detached("jumar-host", serve);
        host_started = status == JM_OK;
    }
    if (status == JM_OK) status = launch_locked(stream, JM_ENTRY_HOST_FUNCTION, function, data, true);
    jm_runtime_unlock();
    return status;
}
