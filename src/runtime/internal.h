/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of runtime/ alone. One lock guards everything here: order between commands, handles and heaps
 * change rarely compared to the chunks that run without it. Functions whose name ends in _locked need the lock.
 */
#ifndef JUMAR_RUNTIME_INTERNAL_H
#define JUMAR_RUNTIME_INTERNAL_H

#include <pthread.h>

#include "runtime/heap.h"
#include "runtime/runtime.h"

#define JM_MAX_DEVICES 64

typedef struct jm_device_state {
    jm_device *device; /* NULL while no context exists */
    jm_heap *heap;
    jm_context *primary;
    unsigned primary_users;
    unsigned contexts;
    unsigned pins; /* threads inside a call of the device */
} jm_device_state;

struct jm_context {
    jm_device_state *state;
    int id; /* of the device */
    bool primary;
    jm_stream *default_stream;
    jm_stream *streams; /* all of them, linked by next_in_context */
};

/* A thread that waits for a command or a point. Lives on its stack; `reached` is set under the lock. */
typedef struct jm_waiter {
    struct jm_waiter *next;
    uint64_t target; /* count of completed commands of the stream */
    atomic_int reached;
    pthread_cond_t changed;
    jm_status status; /* of the command, for jm_stream_run */
} jm_waiter;

/* A place in a stream that others wait for. */
typedef struct jm_point {
    unsigned references;
    unsigned waits; /* wait commands not yet passed */
    bool reached;
    uint64_t ns;
    jm_stream *blocked; /* linked by next_blocked */
    jm_waiter *waiters;
} jm_point;

typedef enum jm_stream_state {
    JM_STREAM_READY,   /* the head, if any, may begin */
    JM_STREAM_RUNNING, /* the head is with the device or a callback thread */
    JM_STREAM_BLOCKED, /* the head waits for a point or a value */
} jm_stream_state;

typedef enum jm_entry_kind {
    JM_ENTRY_WORK,
    JM_ENTRY_RECORD,
    JM_ENTRY_RESET,
    JM_ENTRY_WAIT,
    JM_ENTRY_CALLBACK,
    JM_ENTRY_HOST_FUNCTION,
    JM_ENTRY_VALUE_WRITE,
    JM_ENTRY_VALUE_WAIT,
} jm_entry_kind;

/* One entry of a stream's queue. */
typedef struct jm_entry {
    struct jm_entry *next;          /* in the stream */
    struct jm_entry *next_in_queue; /* of a callback thread */
    jm_stream *stream;              /* NULL once the stream no longer waits for it */
    jm_entry_kind kind;
    uint64_t order; /* over all streams; see jm_oldest_order_locked */
    jm_work work;
    jm_command command;
    jm_waiter *run; /* the caller of jm_stream_run */
    jm_step copy_step;
    union {
        jm_point *point;
        struct {
            char *target;
            const char *source;
            size_t size;
            int value;
        } copy;
        struct {
            void (*function)(void *data);
            void *data;
            struct jm_call_queue *queue; /* of a callback */
            bool block;
        } call;
        struct {
            void *address;
            uint64_t value;
            jm_value_test test;
        } value;
    };
} jm_entry;

struct jm_stream {
    jm_context *context;
    int id;
    jm_stream *next_in_context;
    jm_stream *previous_live, *next_live; /* all streams of the process */
    jm_entry *head, **tail;
    jm_stream_state state;
    uint64_t submitted, completed;
    bool in_ready;
    jm_stream *next_ready;
    jm_stream *next_blocked; /* in a point's list or the value list */
    jm_waiter *waiters;
    jm_status error;
    uint64_t failed; /* number of the command that the error is of */
    char message[256];
    bool stop_on_failure;
    bool subscribed;
    uint64_t thread; /* of its callbacks */
};

typedef enum jm_handle_kind {
    JM_HANDLE_CONTEXT = 1,
    JM_HANDLE_STREAM,
    JM_HANDLE_EVENT,
    JM_HANDLE_HOST_MEMORY
} jm_handle_kind;

/* Takes the lock; without it on failure. JM_DEVICE_LOST after a fork. */
JM_MUST_USE jm_status jm_runtime_lock(void);
void jm_runtime_unlock(void);
extern pthread_mutex_t jm_runtime_mutex;

JM_MUST_USE jm_status jm_handle_add_locked(const void *handle, jm_handle_kind kind);
/* JM_NOT_FOUND: no live handle of that kind; `what` names it in the message. */
JM_MUST_USE jm_status jm_handle_check_locked(const void *handle, jm_handle_kind kind, const char *what);
bool jm_handle_live_locked(const void *handle, jm_handle_kind kind);
void jm_handle_remove_locked(const void *handle);

/* A thread that lives as long as the process, with all signals blocked. */
JM_MUST_USE jm_status jm_thread_start_detached(const char *name, void *(*run)(void *));

JM_MUST_USE jm_status jm_context_current_locked(jm_context **out);
/* NULL past the last possible device. */
jm_device_state *jm_device_state_locked(unsigned id);
/* state->pins++ keeps the device while a thread calls it without the lock. */
void jm_device_unpin_locked(jm_device_state *state);

/* stream.c */
JM_MUST_USE jm_status jm_stream_create_locked(jm_context *context, jm_stream **out);
/* Waits for the stream's commands (or drops those that have not begun) and frees it. Unlocks meanwhile. */
void jm_stream_destroy_locked(jm_stream *stream, bool discard);
/* The given stream or the current context's default one. */
JM_MUST_USE jm_status jm_stream_find_locked(jm_stream *stream, jm_stream **out);
/* A zeroed entry; NULL with a last error. */
jm_entry *jm_entry_create_locked(jm_entry_kind kind);
/* An entry of kind WORK for the command; NULL with a last error. */
jm_entry *jm_work_entry_create_locked(const jm_command *command);
/* Appends the entry, which now belongs to the stream, and lets the stream run. Unlocks meanwhile. */
void jm_stream_append_locked(jm_stream *stream, jm_entry *entry);
/* The stream's head is done; the stream goes on at the next jm_runtime_drain_locked. */
void jm_stream_pass_locked(jm_stream *stream);
/* Puts a stream on the ready list. */
void jm_stream_ready_locked(jm_stream *stream);
/* Lets ready streams run. Unlocks meanwhile. */
void jm_runtime_drain_locked(void);
/* Order of the oldest entry of all streams; UINT64_MAX when there is none. */
uint64_t jm_oldest_order_locked(void);
/* Order of the newest entry so far. */
uint64_t jm_newest_order_locked(void);

void jm_waiter_init(jm_waiter *waiter);
void jm_waiter_destroy(jm_waiter *waiter);
/* Waits until waiter->reached. With a stream and no timeout the caller runs that stream's chunks meanwhile. JM_TIMEOUT.
 * Unlocks meanwhile. */
jm_status jm_waiter_wait_locked(jm_waiter *waiter, jm_stream *stream, int64_t timeout_ms);
/* Wakes the waiter; it may be gone when this returns. */
void jm_waiter_reach_locked(jm_waiter *waiter);
/* Timed waits on `changed` (made by jm_condition_init) until the deadline in jm_clock_ns() time; false when it is over.
 */
void jm_condition_init(pthread_cond_t *changed);
bool jm_condition_wait_locked(pthread_cond_t *changed, uint64_t deadline_ns);

/* event.c: what streams do when they get to an entry. */
void jm_point_reach_locked(jm_point *point);
void jm_point_block_locked(jm_point *point, jm_stream *stream);
void jm_point_unblock_locked(jm_point *point, jm_stream *stream);
void jm_point_release_locked(jm_point *point);

/* callback.c */
/* Hands the entry to its thread. */
void jm_callback_post_locked(jm_entry *entry);
void jm_host_function_post_locked(jm_entry *entry);
/* Removes the stream's entry from the queue of its thread; false when it runs already. */
bool jm_callback_withdraw_locked(jm_entry *entry);
/* A callback entry that will not run. */
void jm_callback_drop_locked(jm_entry *entry);
/* One stream less for the callback thread of this stream. */
void jm_callback_forget_locked(jm_stream *stream);

/* value.c */
bool jm_value_holds(const jm_entry *entry);
void jm_value_write_locked(const jm_entry *entry);
/* Blocks the stream until its head holds. */
JM_MUST_USE jm_status jm_value_prepare_locked(void);
void jm_value_block_locked(jm_stream *stream);
void jm_value_unblock_locked(jm_stream *stream);
/* Lets streams go whose value has come. */
void jm_value_check_locked(void);

#endif
