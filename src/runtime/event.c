/* SPDX-License-Identifier: Apache-2.0
 *
 * Events are names for points. A CAPTURE or PLAIN event gets a new point at every record; a FLAG event keeps one, which
 * record and reset switch when the stream gets there.
 */
#include "base/alloc.h"
#include "base/system.h"
#include "runtime/internal.h"

struct jm_event {
    jm_event_kind kind;
    bool timed;
    jm_point *point; /* the latest record; NULL before the first, except of a FLAG event */
};

/* ---- Points ---- */

static jm_point *point_create(void)
{
    jm_point *point = jm_alloc(1, sizeof(*point));
    if (point) point->references = 1;
    return point;
}

void jm_point_release_locked(jm_point *point)
{
    if (point && --point->references == 0) jm_free(point);
}

void jm_point_reach_locked(jm_point *point)
{
    point->reached = true;
    point->ns = jm_clock_ns();
    for (jm_stream *s = point->blocked; s; s = s->next_blocked) {
        s->state = JM_STREAM_READY;
        jm_stream_ready_locked(s);
    }
    point->blocked = NULL;
    for (jm_waiter *waiter = point->waiters, *next; waiter; waiter = next) {
        next = waiter->next;
        jm_waiter_reach_locked(waiter);
    }
    point->waiters = NULL;
}

void jm_point_block_locked(jm_point *point, jm_stream *stream)
{
    stream->next_blocked = point->blocked;
    point->blocked = stream;
}

void jm_point_unblock_locked(jm_point *point, jm_stream *stream)
{
    jm_stream **link = &point->blocked;
    while (*link != stream) link = &(*link)->next_blocked;
    *link = stream->next_blocked;
}

/* ---- Events ---- */

static jm_status event_lock(jm_event *event)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_handle_check_locked(event, JM_HANDLE_EVENT, "event");
    if (status != JM_OK) jm_runtime_unlock();
    return status;
}

jm_status jm_event_create(jm_event_kind kind, bool timed, jm_event **out)
{
    *out = NULL;
    JM_TRY(jm_runtime_lock());
    jm_event *event = jm_alloc(1, sizeof(*event));
    jm_point *point = kind == JM_EVENT_FLAG ? point_create() : NULL;
    jm_status status = JM_OUT_OF_MEMORY;
    if (event && (point || kind != JM_EVENT_FLAG)) status = jm_handle_add_locked(event, JM_HANDLE_EVENT);
    if (status == JM_OK) {
        *event = (jm_event){.kind = kind, .timed = timed, .point = point};
        *out = event;
    } else {
        jm_free(event);
        jm_free(point);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_event_destroy(jm_event *event)
{
    JM_TRY(event_lock(event));
    jm_handle_remove_locked(event);
    jm_point_release_locked(event->point);
    jm_free(event);
    jm_runtime_unlock();
    return JM_OK;
}

/* Enqueues an entry that refers to the point; takes over one reference, also on failure. */
static jm_status append_point(jm_stream *stream, jm_entry_kind kind, jm_point *point)
{
    jm_entry *entry = jm_entry_create_locked(kind);
    if (!entry) {
        jm_point_release_locked(point);
        return JM_OUT_OF_MEMORY;
    }
    entry->point = point;
    if (kind == JM_ENTRY_WAIT) point->waits++;
    jm_stream_append_locked(stream, entry);
    return JM_OK;
}

jm_status jm_event_record(jm_event *event, jm_stream *stream)
{
    JM_TRY(event_lock(event));
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK) {
        jm_point *point = event->point;
        if (event->kind != JM_EVENT_FLAG)
            point = point_create();
        else
            point->references++;
        if (!point) {
            status = JM_OUT_OF_MEMORY;
        } else {
            if (event->kind != JM_EVENT_FLAG) {
                jm_point_release_locked(event->point);
                event->point = point;
                point->references++;
            }
            status = append_point(stream, JM_ENTRY_RECORD, point);
            if (status != JM_OK && event->kind != JM_EVENT_FLAG) jm_point_reach_locked(point);
        }
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_event_reset(jm_event *event, jm_stream *stream)
{
    JM_TRY(event_lock(event));
    jm_status status = JM_OK;
    if (event->kind != JM_EVENT_FLAG)
        status = jm_error(JM_UNSUPPORTED, "only an event of aclrtCreateEventWithFlag with ACL_EVENT_SYNC can be reset; "
                                          "recording this one again is enough");
    if (status == JM_OK) status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK) {
        event->point->references++;
        status = append_point(stream, JM_ENTRY_RESET, event->point);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_stream_wait_event(jm_stream *stream, jm_event *event)
{
    JM_TRY(event_lock(event));
    jm_status status = jm_stream_find_locked(stream, &stream);
    if (status == JM_OK && event->point) {
        event->point->references++;
        status = append_point(stream, JM_ENTRY_WAIT, event->point);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_event_query(jm_event *event, bool *done)
{
    JM_TRY(event_lock(event));
    *done = event->point ? event->point->reached : event->kind == JM_EVENT_CAPTURE;
    jm_runtime_unlock();
    return JM_OK;
}

jm_status jm_event_query_waits(jm_event *event, bool *done)
{
    JM_TRY(event_lock(event));
    *done = !event->point || event->point->waits == 0;
    jm_runtime_unlock();
    return JM_OK;
}

jm_status jm_event_synchronize(jm_event *event, int64_t timeout_ms)
{
    JM_TRY(event_lock(event));
    jm_status status = JM_OK;
    jm_point *point = event->point;
    if (point && !point->reached) {
        jm_waiter waiter;
        jm_waiter_init(&waiter);
        point->references++;
        waiter.next = point->waiters;
        point->waiters = &waiter;
        status = jm_waiter_wait_locked(&waiter, NULL, timeout_ms);
        if (status != JM_OK) {
            jm_waiter **link = &point->waiters;
            while (*link != &waiter) link = &(*link)->next;
            *link = waiter.next;
        }
        jm_point_release_locked(point);
        jm_waiter_destroy(&waiter);
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_event_time(jm_event *event, uint64_t *ns)
{
    JM_TRY(event_lock(event));
    jm_status status = JM_OK;
    if (!event->timed)
        status = jm_error(JM_UNSUPPORTED, "the event keeps no time; create it with ACL_EVENT_TIME_LINE");
    else if (!event->point || !event->point->reached)
        status = jm_error(JM_NOT_READY, "the event has not been reached; record it and synchronise its stream first");
    else
        *ns = event->point->ns;
    jm_runtime_unlock();
    return status;
}
