/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams are queues. A stream whose head may begin is put on the ready list; whoever changes something drains that
 * list: entries that need no device happen on the spot, work goes to the device, and the executor that finishes it
 * comes back here and drains in turn. No stream has a thread.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/system.h"
#include "runtime/internal.h"

static jm_stream *live; /* all streams */
static jm_stream *ready, **ready_tail = &ready;
static uint64_t newest_order;
static uint64_t outstanding; /* entries in all streams */
static int next_id;
static _Thread_local bool draining;

/* ---- Waiting threads ---- */

void jm_condition_init(pthread_cond_t *changed)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool jm_condition_wait_locked(pthread_cond_t *changed, uint64_t deadline_ns)
{
    struct timespec at = {.tv_sec = (time_t)(deadline_ns / 1000000000), .tv_nsec = (long)(deadline_ns % 1000000000)};
    return pthread_cond_timedwait(changed, &jm_runtime_mutex, &at) == 0;
}

void jm_waiter_init(jm_waiter *waiter)
{
    *waiter = (jm_waiter){.status = JM_OK};
    jm_condition_init(&waiter->changed);
}

void jm_waiter_destroy(jm_waiter *waiter)
{
    pthread_cond_destroy(&waiter->changed);
}

void jm_waiter_reach_locked(jm_waiter *waiter)
{
    atomic_store(&waiter->reached, 1);
    pthread_cond_signal(&waiter->changed);
}

jm_status jm_waiter_wait_locked(jm_waiter *waiter, jm_stream *stream, int64_t timeout_ms)
{
    if (atomic_load(&waiter->reached)) return JM_OK;
    if (timeout_ms < 0) {
        jm_device_state *state = stream ? stream->context->state : NULL;
        if (state && state->device->operations->join) {
            jm_device *device = state->device;
            state->pins++;
            jm_runtime_unlock();
            unsigned core;
            if (device->operations->join(device, &core)) {
                device->operations->assist(device, core, stream, &waiter->reached);
                device->operations->leave(device, core);
            }
            pthread_mutex_lock(&jm_runtime_mutex);
            jm_device_unpin_locked(state);
        }
        while (!atomic_load(&waiter->reached)) pthread_cond_wait(&waiter->changed, &jm_runtime_mutex);
        return JM_OK;
    }
    uint64_t deadline = jm_clock_ns() + (uint64_t)timeout_ms * 1000000;
    while (!atomic_load(&waiter->reached))
        if (!jm_condition_wait_locked(&waiter->changed, deadline) && !atomic_load(&waiter->reached))
            return jm_error(JM_TIMEOUT, "the work was not done within %lld ms", (long long)timeout_ms);
    return JM_OK;
}

/* ---- Order ---- */

uint64_t jm_newest_order_locked(void)
{
    return newest_order;
}

uint64_t jm_oldest_order_locked(void)
{
    uint64_t oldest = UINT64_MAX;
    if (outstanding)
        for (const jm_stream *s = live; s; s = s->next_live)
            if (s->head) oldest = JM_MIN(oldest, s->head->order);
    return oldest;
}

void jm_stream_ready_locked(jm_stream *stream)
{
    if (stream->in_ready) return;
    stream->in_ready = true;
    stream->next_ready = NULL;
    *ready_tail = stream;
    ready_tail = &stream->next_ready;
}

static jm_stream *ready_pop(void)
{
    jm_stream *stream = ready;
    if (stream) {
        ready = stream->next_ready;
        if (!ready) ready_tail = &ready;
        stream->in_ready = false;
    }
    return stream;
}

static void ready_remove(jm_stream *stream)
{
    if (!stream->in_ready) return;
    jm_stream **link = &ready;
    while (*link != stream) link = &(*link)->next_ready;
    *link = stream->next_ready;
    if (ready_tail == &stream->next_ready) ready_tail = link;
    stream->in_ready = false;
}

/* ---- Entries ---- */

jm_entry *jm_entry_create_locked(jm_entry_kind kind)
{
    jm_entry *entry = jm_alloc(1, sizeof(*entry));
    if (entry) entry->kind = kind;
    return entry;
}

static void entry_destroy(jm_entry *entry)
{
    jm_free(entry);
}

/* Wakes those whose command is done. */
static void wake_waiters(jm_stream *stream)
{
    for (jm_waiter **link = &stream->waiters; *link;) {
        jm_waiter *waiter = *link;
        if (waiter->target <= stream->completed) {
            *link = waiter->next;
            jm_waiter_reach_locked(waiter);
        } else {
            link = &waiter->next;
        }
    }
}

/* Takes the head off; the caller owns it. */
static jm_entry *detach_head(jm_stream *stream)
{
    jm_entry *entry = stream->head;
    stream->head = entry->next;
    if (!stream->head) stream->tail = &stream->head;
    stream->state = JM_STREAM_READY;
    stream->completed++;
    outstanding--;
    entry->stream = NULL;
    wake_waiters(stream);
    return entry;
}

void jm_stream_pass_locked(jm_stream *stream)
{
    entry_destroy(detach_head(stream));
    jm_stream_ready_locked(stream);
}

static void set_error(jm_stream *stream, jm_status status, const char *name)
{
    if (stream->error != JM_OK) return;
    stream->error = status;
    stream->failed = stream->completed;
    snprintf(stream->message, sizeof(stream->message), "%s on stream %d failed: %s", name ? name : "a command",
             stream->id, jm_status_text(status));
}

/* The head, a piece of work, is done with this status. Called without the lock: done() may use the runtime. */
static void work_finish(jm_entry *entry, jm_status status)
{
    const jm_command command = entry->command;
    if (command.done) command.done(command.owner, status);
    pthread_mutex_lock(&jm_runtime_mutex);
    jm_stream *stream = entry->stream;
    if (entry->run) {
        entry->run->status = status;
        jm_waiter_reach_locked(entry->run);
    } else if (status != JM_OK) {
        set_error(stream, status, command.name);
    }
    jm_stream_pass_locked(stream);
    jm_value_check_locked();
    jm_runtime_drain_locked();
    jm_runtime_unlock();
}

static void work_done(jm_work *work)
{
    work_finish(work->owner, (jm_status)atomic_load(&work->fault));
}

/* Lets the stream run until its head needs a device: then returns it. */
static jm_entry *advance(jm_stream *stream)
{
    while (stream->head && stream->state == JM_STREAM_READY) {
        jm_entry *entry = stream->head;
        switch (entry->kind) {
        case JM_ENTRY_WORK:
            stream->state = JM_STREAM_RUNNING;
            return entry;
        case JM_ENTRY_RECORD:
            jm_point_reach_locked(entry->point);
            jm_point_release_locked(entry->point);
            break;
        case JM_ENTRY_RESET:
            entry->point->reached = false;
            jm_point_release_locked(entry->point);
            break;
        case JM_ENTRY_WAIT:
            if (!entry->point->reached) {
                stream->state = JM_STREAM_BLOCKED;
                jm_point_block_locked(entry->point, stream);
                return NULL;
            }
            entry->point->waits--;
            jm_point_release_locked(entry->point);
            break;
        case JM_ENTRY_CALLBACK:
            if (!entry->call.block) {
                jm_callback_post_locked(detach_head(stream));
                continue;
            }
            stream->state = JM_STREAM_RUNNING;
            jm_callback_post_locked(entry);
            return NULL;
        case JM_ENTRY_HOST_FUNCTION:
            stream->state = JM_STREAM_RUNNING;
            jm_host_function_post_locked(entry);
            return NULL;
        case JM_ENTRY_VALUE_WRITE:
            jm_value_write_locked(entry);
            break;
        case JM_ENTRY_VALUE_WAIT:
            if (!jm_value_holds(entry)) {
                stream->state = JM_STREAM_BLOCKED;
                jm_value_block_locked(stream);
                return NULL;
            }
            break;
        }
        entry_destroy(detach_head(stream));
    }
    return NULL;
}

void jm_runtime_drain_locked(void)
{
    /* A device that runs work inside submit() comes back here from work_done(); the outer loop goes on then. */
    if (draining) return;
    draining = true;
    for (jm_stream *stream; (stream = ready_pop());) {
        jm_entry *entry = advance(stream);
        if (!entry) continue;
        jm_device_state *state = stream->context->state;
        bool drop = stream->stop_on_failure && stream->error != JM_OK;
        state->pins++;
        jm_runtime_unlock();
        jm_status status = drop ? JM_BAD_STATE : state->device->operations->submit(state->device, &entry->work);
        if (status != JM_OK) work_finish(entry, status);
        pthread_mutex_lock(&jm_runtime_mutex);
        jm_device_unpin_locked(state);
    }
    draining = false;
}

void jm_stream_append_locked(jm_stream *stream, jm_entry *entry)
{
    entry->stream = stream;
    entry->work.lane = stream;
    entry->order = ++newest_order;
    entry->next = NULL;
    *stream->tail = entry;
    stream->tail = &entry->next;
    stream->submitted++;
    outstanding++;
    if (stream->head == entry) {
        jm_stream_ready_locked(stream);
        jm_runtime_drain_locked();
    }
}

/* ---- Streams ---- */

jm_status jm_stream_create_locked(jm_context *context, jm_stream **out)
{
    *out = NULL;
    jm_stream *stream = jm_alloc(1, sizeof(*stream));
    if (!stream) return JM_OUT_OF_MEMORY;
    jm_status status = jm_handle_add_locked(stream, JM_HANDLE_STREAM);
    if (status != JM_OK) {
        jm_free(stream);
        return status;
    }
    stream->context = context;
    stream->id = next_id++;
    stream->tail = &stream->head;
    stream->next_in_context = context->streams;
    context->streams = stream;
    stream->next_live = live;
    if (live) live->previous_live = stream;
    live = stream;
    *out = stream;
    return JM_OK;
}

/* Drops the entries that have not begun. Unlocks meanwhile. */
static void discard_entries(jm_stream *stream)
{
    if (stream->state == JM_STREAM_BLOCKED) {
        if (stream->head->kind == JM_ENTRY_WAIT)
            jm_point_unblock_locked(stream->head->point, stream);
        else
            jm_value_unblock_locked(stream);
        stream->state = JM_STREAM_READY;
    } else if (stream->state == JM_STREAM_RUNNING && jm_callback_withdraw_locked(stream->head)) {
        stream->state = JM_STREAM_READY;
    }
    /* A running head stays; what is behind it goes. */
    jm_entry *running = stream->state == JM_STREAM_RUNNING ? stream->head : NULL;
    jm_entry *entry = running ? running->next : stream->head;
    if (running)
        running->next = NULL;
    else
        stream->head = NULL;
    stream->tail = running ? &running->next : &stream->head;
    ready_remove(stream);
    for (jm_entry *next; entry; entry = next) {
        next = entry->next;
        outstanding--;
        stream->completed++;
        if (entry->kind == JM_ENTRY_WAIT) entry->point->waits--;
        if (entry->kind == JM_ENTRY_RECORD) jm_point_reach_locked(entry->point); /* nobody shall wait for ever */
        if (entry->kind <= JM_ENTRY_WAIT && entry->kind >= JM_ENTRY_RECORD) jm_point_release_locked(entry->point);
        if (entry->kind == JM_ENTRY_CALLBACK) jm_callback_drop_locked(entry);
        if (entry->kind == JM_ENTRY_WORK && entry->command.done) {
            jm_runtime_unlock();
            entry->command.done(entry->command.owner, JM_BAD_STATE);
            pthread_mutex_lock(&jm_runtime_mutex);
        }
        if (entry->run) {
            entry->run->status = JM_BAD_STATE;
            jm_waiter_reach_locked(entry->run);
        }
        entry_destroy(entry);
    }
    wake_waiters(stream);
    jm_runtime_drain_locked();
}

void jm_stream_destroy_locked(jm_stream *stream, bool discard)
{
    jm_handle_remove_locked(stream);
    if (discard) discard_entries(stream);
    if (stream->head) {
        jm_waiter waiter;
        jm_waiter_init(&waiter);
        waiter.target = stream->submitted;
        waiter.next = stream->waiters;
        stream->waiters = &waiter;
        jm_waiter_wait_locked(&waiter, stream, -1);
        jm_waiter_destroy(&waiter);
    }
    ready_remove(stream);
    jm_callback_forget_locked(stream);
    jm_stream **link = &stream->context->streams;
    while (*link != stream) link = &(*link)->next_in_context;
    *link = stream->next_in_context;
    if (stream->previous_live)
        stream->previous_live->next_live = stream->next_live;
    else
        live = stream->next_live;
    if (stream->next_live) stream->next_live->previous_live = stream->previous_live;
    jm_free(stream);
}

jm_status jm_stream_find_locked(jm_stream *stream, jm_stream **out)
{
    *out = stream;
    if (stream) return jm_handle_check_locked(stream, JM_HANDLE_STREAM, "stream");
    jm_context *context;
    JM_TRY(jm_context_current_locked(&context));
    *out = context->default_stream;
    return JM_OK;
}

jm_status jm_stream_create(jm_stream **out)
{
    *out = NULL;
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) status = jm_stream_create_locked(context, out);
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_destroy(jm_stream *stream, bool discard)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_handle_check_locked(stream, JM_HANDLE_STREAM, "stream");
    if (status == JM_OK && stream == stream->context->default_stream)
        status = jm_error(JM_INVALID_ARGUMENT, "a default stream is destroyed with its context only");
    if (status == JM_OK) jm_stream_destroy_locked(stream, discard);
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_resolve(void *handle, jm_stream **out)
{
    *out = NULL;
    JM_TRY(jm_runtime_lock());
    jm_stream *stream;
    jm_status status = jm_stream_find_locked(handle, &stream);
    if (status == JM_OK) *out = stream;
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_id(jm_stream *stream, int *id)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK) *id = stream->id;
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_set_stop_on_failure(jm_stream *stream, bool on)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK) stream->stop_on_failure = on;
    jm_runtime_unlock();
    return status;
}

/* ---- Work ---- */

jm_entry *jm_work_entry_create_locked(const jm_command *command)
{
    jm_entry *entry = jm_entry_create_locked(JM_ENTRY_WORK);
    if (!entry) return NULL;
    entry->command = *command;
    entry->work.step = command->step;
    entry->work.steps = command->steps;
    entry->work.done = work_done;
    entry->work.owner = entry;
    return entry;
}

jm_status jm_stream_submit(jm_stream *stream, const jm_command *command)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    jm_entry *entry = status == JM_OK ? jm_work_entry_create_locked(command) : NULL;
    if (entry)
        jm_stream_append_locked(stream, entry);
    else if (status == JM_OK)
        status = JM_OUT_OF_MEMORY;
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_run(jm_stream *stream, const jm_command *command)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    jm_entry *entry = status == JM_OK ? jm_work_entry_create_locked(command) : NULL;
    if (!entry) {
        jm_runtime_unlock();
        return status == JM_OK ? JM_OUT_OF_MEMORY : status;
    }
    jm_waiter waiter;
    jm_waiter_init(&waiter);
    entry->run = &waiter;
    jm_device_state *state = stream->context->state;
    jm_device *device = state->device;
    const jm_device_operations *operations = device->operations;
    /* A core is taken before the work is handed over, so that nobody is woken for what this thread will do. */
    state->pins++;
    unsigned core = 0;
    bool joined = operations->join && operations->join(device, &core);
    jm_stream_append_locked(stream, entry);
    if (joined) {
        jm_runtime_unlock();
        operations->assist(device, core, stream, &waiter.reached);
        operations->leave(device, core);
        pthread_mutex_lock(&jm_runtime_mutex);
    }
    jm_device_unpin_locked(state);
    status = jm_waiter_wait_locked(&waiter, NULL, -1);
    if (status == JM_OK) status = waiter.status;
    jm_waiter_destroy(&waiter);
    jm_runtime_unlock();
    if (status != JM_OK)
        return jm_error(status, "%s failed: %s", command->name ? command->name : "a command", jm_status_text(status));
    return JM_OK;
}

/* ---- Synchronising ---- */

static _Thread_local jm_failure last_failure;

void jm_stream_failure(jm_failure *failure)
{
    *failure = last_failure;
}

/* The stream's error, which is forgotten. */
static jm_status take_error(jm_stream *stream)
{
    jm_status error = stream->error;
    stream->error = JM_OK;
    if (error == JM_OK) return JM_OK;
    last_failure = (jm_failure){stream->id, stream->failed};
    return jm_error(error, "%s", stream->message);
}

/* Waits for everything enqueued so far. The stream may be gone afterwards, when another thread destroyed it. */
static jm_status wait_locked(jm_stream *stream, int64_t timeout_ms)
{
    if (stream->completed == stream->submitted) return JM_OK;
    jm_waiter waiter;
    jm_waiter_init(&waiter);
    waiter.target = stream->submitted;
    waiter.next = stream->waiters;
    stream->waiters = &waiter;
    jm_status status = jm_waiter_wait_locked(&waiter, stream, timeout_ms);
    if (status != JM_OK) {
        jm_waiter **link = &stream->waiters;
        while (*link != &waiter) link = &(*link)->next;
        *link = waiter.next;
    }
    jm_waiter_destroy(&waiter);
    return status;
}

jm_status jm_stream_synchronize(jm_stream *stream, int64_t timeout_ms)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK) status = wait_locked(stream, timeout_ms);
    if (status == JM_OK && jm_handle_live_locked(stream, JM_HANDLE_STREAM)) status = take_error(stream);
    jm_runtime_unlock();
    return status;
}

/* A stream of the device with an entry up to `until`; NULL when there is none. */
static jm_stream *unfinished_locked(const jm_device_state *state, uint64_t until)
{
    for (jm_stream *s = live; s; s = s->next_live)
        if (s->context->state == state && s->head && s->head->order <= until) return s;
    return NULL;
}

jm_status jm_device_synchronize(int64_t timeout_ms)
{
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) {
        const jm_device_state *state = context->state;
        const uint64_t until = newest_order, start = jm_clock_ns();
        for (jm_stream *s; status == JM_OK && (s = unfinished_locked(state, until));) {
            int64_t spent = (int64_t)((jm_clock_ns() - start) / 1000000);
            status = wait_locked(s, timeout_ms < 0 ? timeout_ms : JM_MAX(timeout_ms - spent, (int64_t)0));
        }
        jm_stream *failed = NULL;
        for (jm_stream *s = live; s && status == JM_OK; s = s->next_live) {
            if (s->context->state != state || s->error == JM_OK) continue;
            if (failed) failed->error = JM_OK;
            failed = s;
        }
        if (failed) status = take_error(failed);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_query(jm_stream *stream, bool *idle)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK) *idle = stream->completed == stream->submitted;
    jm_runtime_unlock();
    return status;
}
