/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "base/alloc.h"
#include "base/system.h"
#include "runtime/runtime.h"

/* ---- A command that waits for a gate, so that tests decide when a stream goes on ---- */

typedef struct gate {
    atomic_bool open;
    atomic_uint done;
    jm_step step;
} gate;

static void wait_at_gate(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)chunk;
    (void)core;
    (void)fault;
    gate *g = context;
    while (!atomic_load(&g->open)) usleep(50);
}

static void count_done(void *owner, jm_status status)
{
    if (status == JM_OK) atomic_fetch_add((atomic_uint *)owner, 1);
}

static void submit_gate(jm_stream *stream, gate *g)
{
    g->step = (jm_step){.run = wait_at_gate, .context = g, .chunks = 1};
    assert_ok(jm_stream_submit(
        stream, &(jm_command){.step = &g->step, .steps = 1, .name = "gate", .done = count_done, .owner = &g->done}));
}

static void always_fail(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)context;
    (void)chunk;
    (void)core;
    jm_fault(fault, JM_OUT_OF_RANGE);
}

static const jm_step failing_step = {.run = always_fail, .chunks = 3};
static const jm_command failing_command = {.step = &failing_step, .steps = 1, .name = "gather"};

static int set_up(void **state)
{
    (void)state;
    return jm_runtime_set_device(0) != JM_OK;
}

static int tear_down(void **state)
{
    (void)state;
    bool active = true;
    if (jm_runtime_reset_device(0, true) != JM_OK) return 1;
    return jm_runtime_primary_active(0, &active) != JM_OK || active;
}

static jm_stream *stream_create(void)
{
    jm_stream *stream;
    assert_ok(jm_stream_create(&stream));
    return stream;
}

static bool idle(jm_stream *stream)
{
    bool result;
    assert_ok(jm_stream_query(stream, &result));
    return result;
}

/* ---- Order ---- */

static void copies_and_fills_keep_their_order(void **state)
{
    (void)state;
    enum { SIZE = 3 << 20, ROUNDS = 20 };
    unsigned char *a, *b;
    assert_ok(jm_memory_allocate(SIZE, (void **)&a));
    assert_ok(jm_memory_allocate(SIZE, (void **)&b));
    jm_stream *stream = stream_create();
    for (int i = 0; i < ROUNDS; i++) {
        assert_ok(jm_stream_fill(stream, a, i, SIZE));
        assert_ok(jm_stream_copy(stream, b + 1, a, SIZE - 1));
        assert_ok(jm_stream_copy(stream, b, b + 1, SIZE - 1)); /* overlaps */
        assert_ok(jm_stream_fill(stream, a, 0xee, SIZE));
        assert_ok(jm_stream_copy(stream, a, b, SIZE - 1));
    }
    assert_ok(jm_stream_synchronize(stream, -1));
    for (size_t i = 0; i < SIZE - 1; i++) assert_int_equal(a[i], ROUNDS - 1);
    assert_int_equal(a[SIZE - 1], 0xee);
    assert_ok(jm_stream_copy(stream, a, b, 0));
    assert_ok(jm_stream_destroy(stream, false));
    assert_ok(jm_memory_free(a));
    assert_ok(jm_memory_free(b));
}

static void synchronize_times_out_and_query_tells(void **state)
{
    (void)state;
    jm_stream *stream = stream_create();
    gate g = {0};
    assert_true(idle(stream));
    submit_gate(stream, &g);
    assert_false(idle(stream));
    assert_int_equal(jm_stream_synchronize(stream, 20), JM_TIMEOUT);
    assert_int_equal(jm_stream_synchronize(stream, 0), JM_TIMEOUT);
    assert_int_equal(jm_device_synchronize(20), JM_TIMEOUT);
    atomic_store(&g.open, true);
    assert_ok(jm_stream_synchronize(stream, 100000));
    assert_true(idle(stream));
    assert_int_equal(g.done, 1);
    assert_ok(jm_device_synchronize(0));
    assert_ok(jm_stream_destroy(stream, false));
}

static void null_is_the_default_stream(void **state)
{
    (void)state;
    jm_stream *resolved;
    int id = -1;
    assert_ok(jm_stream_resolve(NULL, &resolved));
    assert_non_null(resolved);
    assert_ok(jm_stream_id(NULL, &id));
    int value = 0;
    assert_ok(jm_stream_fill(NULL, &value, 1, sizeof(value)));
    assert_ok(jm_stream_synchronize(resolved, -1));
    assert_int_equal(value, 0x01010101);
    assert_int_equal(jm_stream_destroy(resolved, false), JM_INVALID_ARGUMENT);
}

/* ---- Errors ---- */

static void an_error_sticks_until_it_is_fetched(void **state)
{
    (void)state;
    jm_stream *stream = stream_create(), *other = stream_create();
    int value = 0;
    assert_ok(jm_stream_submit(stream, &failing_command));
    assert_ok(jm_stream_fill(stream, &value, 1, sizeof(value)));
    assert_ok(jm_stream_synchronize(other, -1));
    while (!idle(stream)) usleep(100);
    assert_int_equal(jm_stream_synchronize(stream, -1), JM_OUT_OF_RANGE);
    assert_non_null(strstr(jm_last_error(), "gather"));
    assert_int_equal(value, 0x01010101); /* later commands ran */
    assert_ok(jm_stream_synchronize(stream, -1));
    /* The whole device: the error is found and gone. */
    assert_ok(jm_stream_submit(other, &failing_command));
    assert_int_equal(jm_device_synchronize(-1), JM_OUT_OF_RANGE);
    assert_ok(jm_device_synchronize(-1));
    assert_ok(jm_stream_destroy(stream, false));
    assert_ok(jm_stream_destroy(other, false));
}

static void stop_on_failure_drops_what_follows(void **state)
{
    (void)state;
    jm_stream *stream = stream_create();
    int value = 0;
    assert_ok(jm_stream_set_stop_on_failure(stream, true));
    assert_ok(jm_stream_submit(stream, &failing_command));
    for (int i = 0; i < 10; i++) assert_ok(jm_stream_fill(stream, &value, 1, sizeof(value)));
    assert_int_equal(jm_stream_synchronize(stream, -1), JM_OUT_OF_RANGE);
    assert_int_equal(value, 0);
    assert_ok(jm_stream_fill(stream, &value, 1, sizeof(value)));
    assert_ok(jm_stream_synchronize(stream, -1));
    assert_int_equal(value, 0x01010101);
    assert_ok(jm_stream_destroy(stream, false));
}

static void a_run_returns_its_own_error(void **state)
{
    (void)state;
    jm_stream *stream = stream_create();
    assert_int_equal(jm_stream_run(stream, &failing_command), JM_OUT_OF_RANGE);
    assert_non_null(strstr(jm_last_error(), "gather"));
    assert_ok(jm_stream_synchronize(stream, -1));
    gate g = {.open = true};
    g.step = (jm_step){.run = wait_at_gate, .context = &g, .chunks = 5};
    for (int i = 0; i < 100; i++) {
        assert_ok(jm_stream_run(i % 2 ? stream : NULL,
                                &(jm_command){.step = &g.step, .steps = 1, .done = count_done, .owner = &g.done}));
        assert_int_equal(g.done, i + 1);
    }
    /* Behind other work, too. */
    int value = 0;
    assert_ok(jm_stream_fill(stream, &value, 1, sizeof(value)));
    assert_ok(jm_stream_run(stream, &(jm_command){.step = &g.step, .steps = 1}));
    assert_int_equal(value, 0x01010101);
    assert_ok(jm_stream_destroy(stream, false));
}

/* ---- Events ---- */

static jm_event *event_create(jm_event_kind kind)
{
    jm_event *event;
    assert_ok(jm_event_create(kind, true, &event));
    return event;
}

static bool reached(jm_event *event)
{
    bool done;
    assert_ok(jm_event_query(event, &done));
    return done;
}

static void captured_events_order_streams(void **state)
{
    (void)state;
    jm_stream *first = stream_create(), *second = stream_create();
    jm_event *event = event_create(JM_EVENT_CAPTURE);
    /* Without a record there is nothing to wait for. */
    assert_true(reached(event));
    assert_ok(jm_stream_wait_event(second, event));
    assert_ok(jm_stream_synchronize(second, -1));
    assert_ok(jm_event_synchronize(event, 0));

    gate g = {0}, late = {0};
    int value = 0;
    submit_gate(first, &g);
    assert_ok(jm_event_record(event, first));
    assert_false(reached(event));
    assert_ok(jm_stream_wait_event(second, event));
    bool passed;
    assert_ok(jm_event_query_waits(event, &passed));
    assert_false(passed);
    assert_ok(jm_stream_fill(second, &value, 1, sizeof(value)));
    assert_int_equal(jm_stream_synchronize(second, 20), JM_TIMEOUT);
    assert_int_equal(jm_event_synchronize(event, 20), JM_TIMEOUT);
    assert_int_equal(value, 0);
    /* A later record does not hold up the wait, which refers to the first one. */
    submit_gate(first, &late);
    assert_ok(jm_event_record(event, first));
    atomic_store(&g.open, true);
    assert_ok(jm_stream_synchronize(second, -1));
    assert_int_equal(value, 0x01010101);
    assert_false(reached(event));
    atomic_store(&late.open, true);
    assert_ok(jm_event_synchronize(event, -1));
    assert_true(reached(event));
    assert_int_equal(jm_event_reset(event, first), JM_UNSUPPORTED);
    assert_ok(jm_event_destroy(event));
    assert_int_equal(jm_event_destroy(event), JM_NOT_FOUND);
    assert_ok(jm_stream_destroy(first, false));
    assert_ok(jm_stream_destroy(second, false));
}

static void flag_events_wait_for_a_record_to_come(void **state)
{
    (void)state;
    jm_stream *first = stream_create(), *second = stream_create();
    jm_event *event = event_create(JM_EVENT_FLAG);
    int value = 0;
    for (int i = 1; i <= 3; i++) {
        assert_false(reached(event));
        assert_ok(jm_stream_wait_event(second, event));
        assert_ok(jm_event_reset(event, second));
        assert_ok(jm_stream_fill(second, &value, i, 1));
        assert_int_equal(jm_stream_synchronize(second, 5), JM_TIMEOUT);
        assert_ok(jm_event_record(event, first));
        assert_ok(jm_stream_synchronize(second, -1));
        assert_int_equal(value, i);
        bool passed;
        assert_ok(jm_event_query_waits(event, &passed));
        assert_true(passed);
    }
    /* An event may go while streams still wait for it. */
    assert_ok(jm_stream_wait_event(second, event));
    assert_ok(jm_event_record(event, first));
    assert_ok(jm_event_destroy(event));
    assert_ok(jm_stream_synchronize(second, -1));
    assert_ok(jm_stream_destroy(first, false));
    assert_ok(jm_stream_destroy(second, false));
}

static void times_of_events_follow_the_stream(void **state)
{
    (void)state;
    jm_event *event[3], *untimed;
    assert_ok(jm_event_create(JM_EVENT_CAPTURE, false, &untimed));
    uint64_t ns[3];
    for (int i = 0; i < 3; i++) event[i] = event_create(i % 2 ? JM_EVENT_FLAG : JM_EVENT_CAPTURE);
    assert_int_equal(jm_event_time(event[0], &ns[0]), JM_NOT_READY);
    uint64_t before = jm_clock_ns();
    for (int i = 0; i < 3; i++) {
        gate g = {.open = true};
        submit_gate(NULL, &g);
        assert_ok(jm_event_record(event[i], NULL));
        assert_ok(jm_stream_synchronize(NULL, -1));
        assert_ok(jm_event_time(event[i], &ns[i]));
    }
    assert_true(before <= ns[0] && ns[0] <= ns[1] && ns[1] <= ns[2] && ns[2] <= jm_clock_ns());
    assert_ok(jm_event_record(untimed, NULL));
    assert_int_equal(jm_event_time(untimed, &ns[0]), JM_UNSUPPORTED);
    for (int i = 0; i < 3; i++) assert_ok(jm_event_destroy(event[i]));
    assert_ok(jm_event_destroy(untimed));
}

/* ---- Callbacks ---- */

typedef struct served {
    pthread_t thread;
    atomic_bool stop;
    atomic_uint calls, wrong_thread;
    gate *g;
    jm_stream *stream;
} served;

static void *serve(void *argument)
{
    served *s = argument;
    while (!atomic_load(&s->stop)) {
        jm_status status = jm_callback_process(10);
        if (status == JM_BAD_STATE) usleep(100);
    }
    return NULL;
}

static void on_call(void *data)
{
    served *s = data;
    if (!pthread_equal(pthread_self(), s->thread)) atomic_fetch_add(&s->wrong_thread, 1);
    if (s->g) wait_at_gate(s->g, 0, 0, NULL);
    atomic_fetch_add(&s->calls, 1);
}

static void callbacks_run_on_the_subscribed_thread(void **state)
{
    (void)state;
    served s = {0};
    gate g = {0};
    s.stream = stream_create();
    assert_int_equal(jm_callback_process(0), JM_BAD_STATE);
    assert_int_equal(jm_callback_launch(s.stream, on_call, &s, true), JM_BAD_STATE);
    assert_int_equal(pthread_create(&s.thread, NULL, serve, &s), 0);
    uint64_t id = (uint64_t)s.thread;
    assert_ok(jm_callback_subscribe(id, s.stream));
    assert_int_equal(jm_callback_subscribe(id, s.stream), JM_BAD_STATE);
    assert_int_equal(jm_callback_unsubscribe(id + 1, s.stream), JM_NOT_FOUND);

    /* A blocking callback holds the stream up. */
    int value = 0;
    s.g = &g;
    assert_ok(jm_callback_launch(s.stream, on_call, &s, true));
    assert_ok(jm_stream_fill(s.stream, &value, 1, sizeof(value)));
    assert_int_equal(jm_stream_synchronize(s.stream, 20), JM_TIMEOUT);
    assert_int_equal(value, 0);
    atomic_store(&g.open, true);
    assert_ok(jm_stream_synchronize(s.stream, -1));
    assert_int_equal(value, 0x01010101);
    assert_int_equal(s.calls, 1);

    /* Another one does not. */
    atomic_store(&g.open, false);
    assert_ok(jm_callback_launch(s.stream, on_call, &s, false));
    assert_ok(jm_stream_fill(s.stream, &value, 2, sizeof(value)));
    assert_ok(jm_stream_synchronize(s.stream, -1));
    assert_int_equal(value, 0x02020202);
    assert_int_equal(s.calls, 1);
    /* What was launched runs also after the end of the subscription. */
    assert_ok(jm_callback_unsubscribe(id, s.stream));
    atomic_store(&g.open, true);
    while (atomic_load(&s.calls) < 2) usleep(100);
    assert_int_equal(jm_callback_launch(s.stream, on_call, &s, false), JM_BAD_STATE);

    atomic_store(&s.stop, true);
    pthread_join(s.thread, NULL);
    assert_int_equal(s.wrong_thread, 0);
    assert_ok(jm_stream_destroy(s.stream, false));
}

static void waiting_for_a_callback_times_out(void **state)
{
    (void)state;
    jm_stream *stream = stream_create();
    assert_ok(jm_callback_subscribe((uint64_t)pthread_self(), stream));
    assert_int_equal(jm_callback_process(5), JM_TIMEOUT);
    served s = {.thread = pthread_self()};
    assert_ok(jm_callback_launch(stream, on_call, &s, true));
    assert_ok(jm_callback_process(-1));
    assert_int_equal(s.calls, 1);
    /* A callback that nobody has fetched goes with its stream. */
    assert_ok(jm_callback_launch(stream, on_call, &s, true));
    assert_ok(jm_stream_destroy(stream, true));
    assert_int_equal(jm_callback_process(0), JM_BAD_STATE);
    assert_int_equal(s.calls, 1);
}

static void append_call(void *data)
{
    served *s = data;
    atomic_fetch_add(&s->calls, 1);
    /* A host function may use the runtime. */
    assert_ok(jm_runtime_set_device(0));
    if (s->stream) assert_ok(jm_stream_synchronize(s->stream, -1));
    assert_ok(jm_runtime_reset_device(0, false));
}

static void host_functions_run_in_stream_order(void **state)
{
    (void)state;
    served s = {.stream = stream_create()};
    for (unsigned i = 0; i < 50; i++) {
        unsigned seen = 99;
        assert_ok(jm_host_function_launch(NULL, append_call, &s));
        assert_ok(jm_stream_copy(NULL, &seen, &s.calls, sizeof(seen)));
        assert_ok(jm_stream_synchronize(NULL, -1));
        assert_int_equal(seen, i + 1);
    }
    assert_ok(jm_stream_destroy(s.stream, false));
}

/* ---- Values ---- */

static void streams_wait_for_values(void **state)
{
    (void)state;
    static const struct {
        uint64_t start, want, final;
        jm_value_test test;
    } row[] = {
        {4, 5, 5, JM_VALUE_GEQ}, {4, 5, 9, JM_VALUE_GEQ}, {UINT64_MAX, 2, 3, JM_VALUE_GEQ},
        {1, 7, 7, JM_VALUE_EQ},  {8, 6, 4, JM_VALUE_AND}, {UINT64_MAX, 0, 7, JM_VALUE_NOR},
    };
    jm_stream *waiting = stream_create(), *writing = stream_create();
    uint64_t *value;
    assert_ok(jm_memory_allocate(8, (void **)&value));
    for (size_t i = 0; i < 2 * JM_COUNT(row); i++) {
        bool from_host = i % 2;
        __atomic_store_n(value, row[i / 2].start, __ATOMIC_SEQ_CST);
        assert_ok(jm_stream_value_wait(waiting, value, row[i / 2].want, row[i / 2].test));
        assert_int_equal(jm_stream_synchronize(waiting, 3), JM_TIMEOUT);
        if (from_host)
            __atomic_store_n(value, row[i / 2].final, __ATOMIC_SEQ_CST);
        else
            assert_ok(jm_stream_value_write(writing, value, row[i / 2].final));
        assert_ok(jm_stream_synchronize(waiting, -1));
        assert_ok(jm_stream_synchronize(writing, -1));
        assert_int_equal(*value, row[i / 2].final);
    }
    assert_int_equal(jm_stream_value_write(writing, (char *)value + 4, 1), JM_INVALID_ARGUMENT);
    assert_int_equal(jm_stream_value_wait(writing, NULL, 1, JM_VALUE_EQ), JM_INVALID_ARGUMENT);
    assert_int_equal(jm_stream_value_wait(writing, value, 1, (jm_value_test)4), JM_INVALID_ARGUMENT);
    /* A stream that would wait for ever can be thrown away. */
    assert_ok(jm_stream_value_wait(waiting, value, 12345, JM_VALUE_EQ));
    assert_ok(jm_stream_destroy(waiting, true));
    assert_ok(jm_stream_destroy(writing, false));
    assert_ok(jm_memory_free(value));
}

/* ---- Destroying ---- */

static void note_status(void *owner, jm_status status)
{
    *(jm_status *)owner = status;
}

static void discarding_drops_what_has_not_begun(void **state)
{
    (void)state;
    jm_stream *stream = stream_create(), *other = stream_create();
    jm_event *never = event_create(JM_EVENT_FLAG), *after = event_create(JM_EVENT_CAPTURE);
    jm_status dropped = JM_OK;
    assert_ok(jm_stream_wait_event(stream, never));
    gate g = {0};
    g.step = (jm_step){.run = wait_at_gate, .context = &g, .chunks = 1};
    assert_ok(
        jm_stream_submit(stream, &(jm_command){.step = &g.step, .steps = 1, .done = note_status, .owner = &dropped}));
    assert_ok(jm_event_record(after, stream));
    assert_ok(jm_stream_wait_event(other, after));
    assert_ok(jm_stream_destroy(stream, true));
    assert_int_equal(dropped, JM_BAD_STATE);
    assert_int_equal(jm_stream_synchronize(stream, -1), JM_NOT_FOUND);
    assert_int_equal(jm_stream_destroy(stream, true), JM_NOT_FOUND);
    assert_ok(jm_stream_synchronize(other, -1));
    bool passed;
    assert_ok(jm_event_query_waits(never, &passed));
    assert_true(passed);

    /* A running command is completed. */
    stream = stream_create();
    submit_gate(stream, &g);
    assert_ok(jm_stream_wait_event(stream, never));
    while (idle(stream)) {
    }
    atomic_store(&g.open, true);
    assert_ok(jm_stream_destroy(stream, true));
    assert_int_equal(g.done, 1);
    assert_ok(jm_event_destroy(never));
    assert_ok(jm_event_destroy(after));
    assert_ok(jm_stream_destroy(other, false));
}

/* ---- Contexts ---- */

static void contexts_belong_to_threads(void **state)
{
    (void)state;
    jm_context *primary, *own, *seen;
    assert_ok(jm_context_get_current(&primary));
    assert_int_equal(jm_context_destroy(primary), JM_INVALID_ARGUMENT);
    assert_ok(jm_context_create(0, &own));
    assert_ok(jm_context_get_current(&seen));
    assert_ptr_equal(seen, own);
    jm_stream *stream = stream_create();
    gate g = {.open = true};
    submit_gate(stream, &g);
    /* Streams go with their context, their work is completed. */
    assert_ok(jm_context_destroy(own));
    assert_int_equal(g.done, 1);
    assert_int_equal(jm_stream_synchronize(stream, -1), JM_NOT_FOUND);
    assert_int_equal(jm_context_set_current(own), JM_NOT_FOUND);
    assert_int_equal(jm_context_get_current(&seen), JM_BAD_STATE);
    assert_null(seen);
    int id;
    assert_int_equal(jm_runtime_get_device(&id), JM_BAD_STATE);
    assert_int_equal(jm_stream_create(&stream), JM_BAD_STATE);
    void *memory;
    assert_int_equal(jm_memory_allocate(1, &memory), JM_BAD_STATE);
    assert_ok(jm_context_set_current(primary));
    assert_ok(jm_runtime_get_device(&id));
    assert_int_equal(id, 0);
    assert_int_equal(jm_runtime_set_device(1), JM_OUT_OF_RANGE);
    assert_int_equal(jm_runtime_set_device(-1), JM_OUT_OF_RANGE);
    assert_int_equal(jm_context_create(7, &own), JM_OUT_OF_RANGE);
    assert_null(own);
}

static void devices_count_their_users(void **state)
{
    (void)state;
    bool active;
    setenv("JUMAR_DEVICES", "2", 1);
    assert_ok(jm_runtime_set_device(1));
    assert_ok(jm_runtime_set_device(1));
    int id;
    assert_ok(jm_runtime_get_device(&id));
    assert_int_equal(id, 1);
    void *memory;
    assert_ok(jm_memory_allocate(100, &memory));
    int owner;
    assert_int_equal(jm_memory_kind_of(memory, &owner), JM_MEMORY_DEVICE);
    assert_int_equal(owner, 1);
    assert_ok(jm_runtime_reset_device(1, false));
    assert_ok(jm_runtime_primary_active(1, &active));
    assert_true(active);
    assert_ok(jm_runtime_reset_device(1, false));
    assert_ok(jm_runtime_primary_active(1, &active));
    assert_false(active);
    assert_int_equal(jm_runtime_reset_device(1, false), JM_BAD_STATE);
    assert_int_equal(jm_memory_free(memory), JM_NOT_FOUND);
    assert_ok(jm_runtime_set_device(0));
    assert_ok(jm_runtime_reset_device(0, false));
    setenv("JUMAR_DEVICES", "many", 1);
    unsigned count;
    assert_int_equal(jm_runtime_device_count(&count), JM_INVALID_ARGUMENT);
    unsetenv("JUMAR_DEVICES");
    assert_ok(jm_runtime_device_count(&count));
    assert_int_equal(count, 1);
}

/* ---- Memory ---- */

static void freed_memory_waits_for_streams(void **state)
{
    (void)state;
    jm_stream *stream = stream_create();
    gate g = {0};
    void *a, *b;
    assert_ok(jm_memory_allocate(4096, &a));
    submit_gate(stream, &g);
    assert_ok(jm_memory_free(a));
    assert_int_equal(jm_memory_free(a), JM_NOT_FOUND);
    jm_memory_statistics s;
    assert_ok(jm_memory_get_statistics(&s));
    assert_int_equal(s.deferred, 4096);
    assert_ok(jm_memory_allocate(4096, &b));
    assert_ptr_not_equal(a, b);
    atomic_store(&g.open, true);
    assert_ok(jm_stream_synchronize(stream, -1));
    assert_ok(jm_memory_get_statistics(&s));
    assert_int_equal(s.deferred, 0);
    void *c;
    assert_ok(jm_memory_allocate(4096, &c));
    assert_ptr_equal(a, c);
    assert_ok(jm_memory_free(b));
    assert_ok(jm_memory_free(c));
    assert_ok(jm_memory_trim());
    assert_ok(jm_memory_get_statistics(&s));
    assert_int_equal(s.reserved, 0);
    assert_ok(jm_stream_destroy(stream, false));
}

static void host_memory_is_told_apart(void **state)
{
    (void)state;
    void *host, *none;
    int owner;
    assert_ok(jm_host_allocate(100, &host));
    assert_int_equal((uintptr_t)host % jm_page_size(), 0);
    assert_int_equal(jm_memory_kind_of(host, &owner), JM_MEMORY_HOST);
    assert_int_equal(jm_memory_kind_of(&owner, &owner), JM_MEMORY_UNKNOWN);
    assert_int_equal(jm_memory_free(host), JM_NOT_FOUND);
    assert_ok(jm_host_free(host));
    assert_int_equal(jm_host_free(host), JM_NOT_FOUND);
    assert_int_equal(jm_host_allocate(SIZE_MAX, &none), JM_OUT_OF_MEMORY);
    assert_null(none);
}

/* ---- Many streams, many threads ---- */

enum { STRESS_STREAMS = 24, STRESS_COMMANDS = 120 };

typedef struct stress {
    pthread_t thread;
    uint64_t random;
    jm_context *context;
    unsigned wrong;
} stress;

/* Each thread keeps streams whose commands append to a list; events chain the streams. Whatever the interleaving, the
 * commands of one stream must come in order, and those behind a wait after those before its record. */
typedef struct stress_command {
    jm_step step;
    atomic_uint *clock;
    unsigned finished_at;
    unsigned chunks_left;
} stress_command;

static void tick(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)chunk;
    (void)core;
    (void)fault;
    stress_command *c = context;
    for (volatile int i = 0; i < 100; i++) {
    }
    c->finished_at = atomic_fetch_add(c->clock, 1);
}

static void *stress_run(void *argument)
{
    stress *t = argument;
    if (jm_context_set_current(t->context) != JM_OK) return NULL;
    atomic_uint clock = 0;
    jm_stream *stream[STRESS_STREAMS];
    stress_command *command = jm_alloc(STRESS_COMMANDS, sizeof(*command));
    int last[STRESS_STREAMS];      /* command a stream must come after, by its own order */
    int after[STRESS_COMMANDS][2]; /* commands that must be done before this one */
    for (int i = 0; i < STRESS_STREAMS; i++) {
        if (jm_stream_create(&stream[i]) != JM_OK) t->wrong++;
        last[i] = -1;
    }
    int waited[STRESS_STREAMS];
    for (int i = 0; i < STRESS_STREAMS; i++) waited[i] = -1;
    for (int i = 0; i < STRESS_COMMANDS; i++) {
        t->random = t->random * 6364136223846793005u + 1442695040888963407u;
        unsigned s = (unsigned)(t->random >> 33) % STRESS_STREAMS, from = (unsigned)(t->random >> 43) % STRESS_STREAMS;
        if ((t->random >> 60) < 8 && from != s) {
            jm_event *event;
            if (jm_event_create(JM_EVENT_CAPTURE, false, &event) != JM_OK ||
                jm_event_record(event, stream[from]) != JM_OK || jm_stream_wait_event(stream[s], event) != JM_OK ||
                jm_event_destroy(event) != JM_OK)
                t->wrong++;
            waited[s] = last[from] > waited[s] ? last[from] : waited[s];
        }
        command[i] = (stress_command){.step = {.run = tick, .context = &command[i], .chunks = 1}, .clock = &clock};
        after[i][0] = last[s];
        after[i][1] = waited[s];
        last[s] = i;
        if (jm_stream_submit(stream[s], &(jm_command){.step = &command[i].step, .steps = 1}) != JM_OK) t->wrong++;
        if (i % 40 == 39 && jm_stream_synchronize(stream[s], -1) != JM_OK) t->wrong++;
    }
    for (int i = 0; i < STRESS_STREAMS; i++)
        if (jm_stream_destroy(stream[i], false) != JM_OK) t->wrong++;
    if (atomic_load(&clock) != STRESS_COMMANDS) t->wrong++;
    for (int i = 0; i < STRESS_COMMANDS; i++)
        for (int k = 0; k < 2; k++)
            if (after[i][k] >= 0 && command[after[i][k]].finished_at >= command[i].finished_at) t->wrong++;
    jm_free(command);
    return NULL;
}

static void many_streams_on_many_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    stress t[THREADS] = {0};
    jm_context *context;
    assert_ok(jm_context_get_current(&context));
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < THREADS; i++) {
            t[i].context = context;
            t[i].random = test_random();
            assert_int_equal(pthread_create(&t[i].thread, NULL, stress_run, &t[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(t[i].thread, NULL);
            assert_int_equal(t[i].wrong, 0);
        }
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        int value = 0;
        void *memory = NULL;
        jm_stream *stream = NULL;
        jm_event *event = NULL, *flag = NULL;
        jm_alloc_fail_at(n);
        (void)!jm_stream_create(&stream);
        (void)!jm_event_create(JM_EVENT_CAPTURE, false, &event);
        (void)!jm_event_create(JM_EVENT_FLAG, false, &flag);
        if (event) (void)!jm_event_record(event, stream);
        if (event) (void)!jm_stream_wait_event(stream, event);
        if (flag) (void)!jm_event_record(flag, stream);
        (void)!jm_stream_fill(stream, &value, 1, sizeof(value));
        (void)!jm_memory_allocate(3 << 20, &memory);
        uint64_t made = jm_alloc_fail_at(0);
        if (stream)
            assert_ok(jm_stream_destroy(stream, false));
        else
            assert_ok(jm_stream_synchronize(NULL, -1));
        if (event) assert_ok(jm_event_destroy(event));
        if (flag) assert_ok(jm_event_destroy(flag));
        if (memory) assert_ok(jm_memory_free(memory));
        if (made < n) break;
    }
}

static void a_forked_child_is_told(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        void *memory;
        bool right = jm_runtime_set_device(0) == JM_DEVICE_LOST && jm_stream_synchronize(NULL, -1) == JM_DEVICE_LOST &&
                     jm_memory_allocate(1, &memory) == JM_DEVICE_LOST && strstr(jm_last_error(), "fork");
        _exit(right ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_ok(jm_stream_synchronize(NULL, -1));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
    /* More threads than this machine has cores finds other interleavings. */
    if (argc > 1) setenv("JUMAR_NUM_THREADS", argv[1], 1);
    const struct CMUnitTest tests[] = {
        TEST(copies_and_fills_keep_their_order),
        TEST(synchronize_times_out_and_query_tells),
        TEST(null_is_the_default_stream),
        TEST(an_error_sticks_until_it_is_fetched),
        TEST(stop_on_failure_drops_what_follows),
        TEST(a_run_returns_its_own_error),
        TEST(captured_events_order_streams),
        TEST(flag_events_wait_for_a_record_to_come),
        TEST(times_of_events_follow_the_stream),
        TEST(callbacks_run_on_the_subscribed_thread),
        TEST(waiting_for_a_callback_times_out),
        TEST(host_functions_run_in_stream_order),
        TEST(streams_wait_for_values),
        TEST(discarding_drops_what_has_not_begun),
        TEST(contexts_belong_to_threads),
        TEST(devices_count_their_users),
        TEST(freed_memory_waits_for_streams),
        TEST(host_memory_is_told_apart),
        TEST(many_streams_on_many_threads),
        TEST(every_allocation_may_fail),
        TEST(a_forked_child_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
