/* SPDX-License-Identifier: Apache-2.0
 *
 * What every device must do: `test_device_conformance NAME` runs against the device kind NAME. A new device is ready
 * when this passes, also under ASan and TSan.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "base/alloc.h"
#include "device/device.h"

static const char *device_name = "cpu";
static const unsigned thread_counts[] = {1, 2, 3, 5};

static jm_device *create(unsigned threads)
{
    jm_device *device;
    assert_int_equal(jm_device_create(device_name, 3, threads, &device), JM_OK);
    assert_non_null(device);
    assert_int_equal(device->id, 3);
    assert_true(device->cores >= 1 && device->cores <= threads);
    assert_true(device->memory > 0);
    assert_string_equal(device->operations->name, device_name);
    return device;
}

/* ---- A command that checks every rule of jm_step while it runs ---- */

enum { MAX_CORES = 8 };

typedef struct checked_step {
    struct checked *command;
    size_t index;
    atomic_uint *seen; /* [chunks] times run */
    atomic_size_t finished;
} checked_step;

typedef struct checked {
    jm_work work;
    jm_step *step;
    checked_step *state;
    unsigned cores;
    atomic_bool busy[MAX_CORES]; /* a chunk of this command runs on the core */
    atomic_uint violations;
    atomic_uint done;
    atomic_uint *all_done; /* counts commands, may be NULL */
    unsigned again;        /* submit again this often from done() */
    jm_device *device;
} checked;

static void check_chunk(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    checked_step *step = context;
    checked *command = step->command;
    const jm_step *all = command->step;
    if (fault != &command->work.fault || core >= command->cores || chunk >= all[step->index].chunks ||
        atomic_exchange(&command->busy[core], true)) {
        atomic_fetch_add(&command->violations, 1);
        return;
    }
    unsigned round = atomic_fetch_add(&step->seen[chunk], 1);
    if (all[step->index].follows) {
        /* The same chunk of the step before has run as often as this one. */
        if (atomic_load(&command->state[step->index - 1].seen[chunk]) != round + 1)
            atomic_fetch_add(&command->violations, 1);
    } else {
        for (size_t i = 0; i < step->index; i++)
            if (atomic_load(&command->state[i].finished) != all[i].chunks) atomic_fetch_add(&command->violations, 1);
    }
    for (size_t i = step->index + 1; i < command->work.steps; i++)
        if (!all[i].follows && atomic_load(&command->state[i].finished) != 0) atomic_fetch_add(&command->violations, 1);
    for (volatile int spin = 0; spin < 50; spin++) {
    }
    atomic_fetch_add(&step->finished, 1);
    atomic_store(&command->busy[core], false);
}

static void check_done(jm_work *work)
{
    checked *command = work->owner;
    for (size_t i = 0; i < work->steps; i++) {
        if (atomic_load(&command->state[i].finished) != command->step[i].chunks)
            atomic_fetch_add(&command->violations, 1);
        atomic_store(&command->state[i].finished, 0);
    }
    if (command->again) {
        command->again--;
        if (command->device->operations->submit(command->device, work) != JM_OK)
            atomic_fetch_add(&command->violations, 1);
        return;
    }
    atomic_uint *all_done = command->all_done;
    atomic_fetch_add(&command->done, 1);
    if (all_done) atomic_fetch_add(all_done, 1);
}

/* chunks[i] < 0: the step follows the one before. */
static checked *checked_create(jm_device *device, const int *chunks, size_t steps)
{
    checked *command = jm_alloc(1, sizeof(*command));
    assert_non_null(command);
    command->device = device;
    command->cores = device->cores;
    command->step = jm_alloc(steps, sizeof(*command->step));
    command->state = jm_alloc(steps, sizeof(*command->state));
    for (size_t i = 0; i < steps; i++) {
        bool follows = chunks[i] < 0;
        size_t count = follows ? command->step[i - 1].chunks : (size_t)chunks[i];
        command->step[i] =
            (jm_step){.run = check_chunk, .context = &command->state[i], .chunks = count, .follows = follows};
        command->state[i].command = command;
        command->state[i].index = i;
        command->state[i].seen = jm_alloc(count, sizeof(atomic_uint));
        assert_non_null(command->state[i].seen);
    }
    command->work =
        (jm_work){.step = command->step, .steps = steps, .done = check_done, .owner = command, .lane = command};
    return command;
}

static void checked_destroy(checked *command, unsigned runs)
{
    assert_int_equal(atomic_load(&command->violations), 0);
    for (size_t i = 0; i < command->work.steps; i++) {
        for (size_t chunk = 0; chunk < command->step[i].chunks; chunk++)
            assert_int_equal(atomic_load(&command->state[i].seen[chunk]), runs);
        jm_free(command->state[i].seen);
    }
    jm_free(command->state);
    jm_free(command->step);
    jm_free(command);
}

static void wait_for(atomic_uint *counter, unsigned value)
{
    while (atomic_load(counter) < value) usleep(100);
}

/* ---- Memory ---- */

static void test_memory(void **state)
{
    (void)state;
    jm_device *device = create(1);
    const size_t size[] = {0, 1, 63, 64, 4096, 100001, (size_t)5 << 20};
    void *memory[JM_COUNT(size)];
    for (size_t i = 0; i < JM_COUNT(size); i++) {
        assert_int_equal(device->operations->allocate(device, size[i], &memory[i]), JM_OK);
        assert_non_null(memory[i]);
        assert_int_equal((uintptr_t)memory[i] % 64, 0);
        memset(memory[i], (int)i, size[i]);
    }
    for (size_t i = 0; i < JM_COUNT(size); i++) {
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(((unsigned char *)memory[i])[k], i);
        device->operations->release(device, memory[i], size[i]);
    }
    void *none = device;
    assert_int_equal(device->operations->allocate(device, SIZE_MAX / 2 + 2, &none), JM_OUT_OF_MEMORY);
    assert_null(none);
    jm_device_destroy(device);
}

/* ---- Order ---- */

static void test_steps(void **state)
{
    (void)state;
    static const int fixed[] = {1, 7, -1, -1, 0, 3, 0, 0, 64, -1, 1, 1, -1, 5, 0};
    for (size_t t = 0; t < JM_COUNT(thread_counts); t++) {
        jm_device *device = create(thread_counts[t]);
        checked *command = checked_create(device, fixed, JM_COUNT(fixed));
        for (unsigned run = 0; run < 20; run++) {
            assert_int_equal(device->operations->submit(device, &command->work), JM_OK);
            wait_for(&command->done, run + 1);
        }
        checked_destroy(command, 20);
        jm_device_destroy(device);
    }
}

static void test_nothing_to_run(void **state)
{
    (void)state;
    static const int empty[] = {0, 0, -1};
    jm_device *device = create(2);
    for (size_t steps = 0; steps <= JM_COUNT(empty); steps++) {
        checked *command = checked_create(device, empty, steps);
        assert_int_equal(device->operations->submit(device, &command->work), JM_OK);
        wait_for(&command->done, 1);
        checked_destroy(command, 1);
    }
    jm_device_destroy(device);
}

static void test_random_commands(void **state)
{
    (void)state;
    for (size_t t = 0; t < JM_COUNT(thread_counts); t++) {
        jm_device *device = create(thread_counts[t]);
        enum { COMMANDS = 100, STEPS = 12 }; /* more commands than a device may run at the same time */
        checked *command[COMMANDS];
        atomic_uint all_done = 0;
        for (unsigned c = 0; c < COMMANDS; c++) {
            int chunks[STEPS];
            size_t steps = (size_t)test_random_int(0, STEPS);
            for (size_t i = 0; i < steps; i++)
                chunks[i] = i && test_random_int(0, 3) == 0 ? -1 : (int)test_random_int(0, 19);
            command[c] = checked_create(device, chunks, steps);
            command[c]->all_done = &all_done;
            command[c]->again = c % 3;
        }
        for (unsigned c = 0; c < COMMANDS; c++)
            assert_int_equal(device->operations->submit(device, &command[c]->work), JM_OK);
        wait_for(&all_done, COMMANDS);
        for (unsigned c = 0; c < COMMANDS; c++) checked_destroy(command[c], c % 3 + 1);
        jm_device_destroy(device);
    }
}

static void test_too_many_chunks(void **state)
{
    (void)state;
    jm_device *device = create(1);
    jm_step step = {.run = check_chunk, .chunks = (size_t)JM_MAX_CHUNKS + 1};
    jm_work work = {.step = &step, .steps = 1};
    assert_int_equal(device->operations->submit(device, &work), JM_OUT_OF_RANGE);
    assert_non_null(strstr(jm_last_error(), "1048576"));
    jm_device_destroy(device);
}

/* ---- Faults ---- */

static void fail_chunk(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)core;
    atomic_fetch_add((atomic_uint *)context, 1);
    if (chunk == 2) jm_fault(fault, JM_OUT_OF_RANGE);
}

static void fail_later(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)chunk;
    (void)core;
    atomic_fetch_add((atomic_uint *)context, 1);
    jm_fault(fault, JM_INTERNAL);
}

static void test_fault(void **state)
{
    (void)state;
    for (size_t t = 0; t < JM_COUNT(thread_counts); t++) {
        jm_device *device = create(thread_counts[t]);
        atomic_uint ran = 0;
        jm_step step[] = {{.run = fail_chunk, .context = &ran, .chunks = 5},
                          {.run = fail_later, .context = &ran, .chunks = 3}};
        jm_work work = {.step = step, .steps = 2};
        /* The first fault wins, the rest runs all the same, and the next run starts clean. */
        assert_int_equal(jm_device_run(device, &work), JM_OUT_OF_RANGE);
        assert_int_equal(ran, 8);
        work.steps = 0;
        assert_int_equal(jm_device_run(device, &work), JM_OK);
        jm_device_destroy(device);
    }
}

/* ---- Callers ---- */

typedef struct caller {
    jm_device *device;
    uint64_t random; /* xorshift state of this thread */
    unsigned wrong;
} caller;

static void add_chunk(void *context, size_t chunk, unsigned core, atomic_int *fault)
{
    (void)core;
    (void)fault;
    atomic_fetch_add((atomic_size_t *)context, chunk + 1);
}

static size_t caller_random(caller *c, size_t bound)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return (size_t)(c->random % bound);
}

static void *call(void *argument)
{
    caller *c = argument;
    for (int i = 0; i < 200; i++) {
        atomic_size_t sum = 0;
        jm_step step[8];
        size_t expected = 0, steps = 1 + caller_random(c, 8);
        for (size_t k = 0; k < steps; k++) {
            size_t chunks = caller_random(c, 6);
            step[k] = (jm_step){.run = add_chunk, .context = &sum, .chunks = chunks};
            expected += chunks * (chunks + 1) / 2;
        }
        jm_work work = {.step = step, .steps = steps};
        if (jm_device_run(c->device, &work) != JM_OK || atomic_load(&sum) != expected) c->wrong++;
    }
    return NULL;
}

static void test_many_callers(void **state)
{
    (void)state;
    for (size_t t = 0; t < JM_COUNT(thread_counts); t++) {
        enum { CALLERS = 6 };
        jm_device *device = create(thread_counts[t]);
        caller c[CALLERS];
        pthread_t thread[CALLERS];
        for (unsigned i = 0; i < CALLERS; i++) {
            c[i] = (caller){.device = device, .random = test_random() | 1};
            assert_int_equal(pthread_create(&thread[i], NULL, call, &c[i]), 0);
        }
        for (unsigned i = 0; i < CALLERS; i++) {
            pthread_join(thread[i], NULL);
            assert_int_equal(c[i].wrong, 0);
        }
        jm_device_destroy(device);
    }
}

/* Work must run although the caller holds cores and does nothing with them. */
static void test_lent_cores(void **state)
{
    (void)state;
    static const int chunks[] = {4, 4, -1, 1};
    for (size_t t = 0; t < JM_COUNT(thread_counts); t++) {
        jm_device *device = create(thread_counts[t]);
        const jm_device_operations *operations = device->operations;
        if (!operations->join) {
            assert_null(operations->assist);
            assert_null(operations->leave);
            jm_device_destroy(device);
            skip();
        }
        checked *command = checked_create(device, chunks, JM_COUNT(chunks));
        unsigned core, other;
        for (unsigned run = 1; run <= 50; run++) {
            assert_true(operations->join(device, &core));
            assert_true(core < device->cores);
            assert_false(operations->join(device, &other));
            assert_int_equal(operations->submit(device, &command->work), JM_OK);
            if (run % 2) {
                atomic_int until = 0;
                operations->assist(device, core, command, &until);
            }
            operations->leave(device, core);
            wait_for(&command->done, run);
        }
        checked_destroy(command, 50);
        atomic_int set = 1;
        assert_true(operations->join(device, &core));
        assert_true(operations->assist(device, core, device, &set));
        operations->leave(device, core);
        jm_device_destroy(device);
    }
}

static void test_fork(void **state)
{
    (void)state;
    jm_device *device = create(2);
    assert_false(jm_device_lost(device));
    pid_t child = fork();
    if (child == 0) {
        jm_work work = {0};
        bool right = jm_device_lost(device) && jm_device_run(device, &work) == JM_DEVICE_LOST;
        jm_device_destroy(device);
#ifndef JUMAR_THREAD_SANITIZER /* which cannot start threads in a forked child */
        /* A device of its own works. */
        jm_device *own;
        right = right && jm_device_create(device_name, 0, 2, &own) == JM_OK && jm_device_run(own, &work) == JM_OK;
#endif
        _exit(right ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_false(jm_device_lost(device));
    jm_device_destroy(device);
}

static void test_create(void **state)
{
    (void)state;
    jm_device *device;
    assert_int_equal(jm_device_create("abacus", 0, 1, &device), JM_NOT_FOUND);
    assert_null(device);
    setenv("JUMAR_NUM_THREADS", "0", 1);
    assert_int_equal(jm_device_create(device_name, 0, 0, &device), JM_INVALID_ARGUMENT);
    assert_null(device);
    setenv("JUMAR_NUM_THREADS", "3", 1);
    assert_int_equal(jm_device_create(device_name, 0, 0, &device), JM_OK);
    assert_true(device->cores <= 3);
    jm_device_destroy(device);
    unsetenv("JUMAR_NUM_THREADS");
    /* Every allocation of the creator may fail. */
    for (uint64_t n = 1;; n++) {
        (void)jm_alloc_fail_at(n);
        jm_status status = jm_device_create(device_name, 0, 2, &device);
        uint64_t made = jm_alloc_fail_at(0);
        if (status == JM_OK) {
            jm_device_destroy(device);
            assert_true(made < n);
            break;
        }
        assert_int_equal(status, JM_OUT_OF_MEMORY);
        assert_null(device);
    }
    jm_device_destroy(NULL);
    bool listed = false;
    for (unsigned i = 0; jm_device_name(i); i++) listed |= strcmp(jm_device_name(i), device_name) == 0;
    assert_true(listed);
}

int main(int argc, char **argv)
{
    if (argc > 1) device_name = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),          cmocka_unit_test(test_memory),
        cmocka_unit_test(test_steps),           cmocka_unit_test(test_nothing_to_run),
        cmocka_unit_test(test_random_commands), cmocka_unit_test(test_too_many_chunks),
        cmocka_unit_test(test_fault),           cmocka_unit_test(test_many_callers),
        cmocka_unit_test(test_lent_cores),      cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
