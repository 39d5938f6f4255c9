/* SPDX-License-Identifier: Apache-2.0 */
#include "device/device.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/system.h"

static const struct {
    const char *name;
    jm_status (*create)(unsigned id, unsigned threads, jm_device **out);
} kind[] = {
    {"cpu", jm_cpu_device_create},
    {"null", jm_null_device_create},
};

const char *jm_device_name(unsigned index)
{
    return index < JM_COUNT(kind) ? kind[index].name : NULL;
}

jm_status jm_device_create(const char *name, unsigned id, unsigned threads, jm_device **out)
{
    *out = NULL;
    if (!threads) {
        int64_t value;
        JM_TRY(jm_env_int("JUMAR_NUM_THREADS", 1, 1024, jm_core_count(), &value));
        threads = (unsigned)value;
    }
    for (size_t i = 0; i < JM_COUNT(kind); i++)
        if (strcmp(kind[i].name, name) == 0) return kind[i].create(id, threads, out);
    return jm_error(JM_NOT_FOUND, "there is no device kind \"%s\"; use cpu or null", name);
}

void jm_device_destroy(jm_device *device)
{
    if (device) device->operations->destroy(device);
}

/* ---- Forks ---- */

static atomic_uint generation;

static void count_fork(void)
{
    atomic_fetch_add(&generation, 1);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

unsigned jm_process_generation(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    return atomic_load(&generation);
}

bool jm_device_lost(const jm_device *device)
{
    return device->generation != atomic_load_explicit(&generation, memory_order_relaxed);
}

/* ---- Running one work ---- */

typedef struct run_wait {
    atomic_int done;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} run_wait;

static void run_done(jm_work *work)
{
    run_wait *wait = work->owner;
    pthread_mutex_lock(&wait->lock);
    atomic_store(&wait->done, 1);
    pthread_cond_signal(&wait->changed);
    pthread_mutex_unlock(&wait->lock);
}

jm_status jm_device_run(jm_device *device, jm_work *work)
{
    const jm_device_operations *operations = device->operations;
    run_wait wait = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    work->done = run_done;
    work->owner = &wait;
    work->lane = &wait;
    atomic_store(&work->fault, JM_OK);

    unsigned core = 0;
    bool joined = operations->join && operations->join(device, &core);
    jm_status status = operations->submit(device, work);
    if (joined) {
        if (status == JM_OK) operations->assist(device, core, &wait, &wait.done);
        operations->leave(device, core);
    }
    if (status == JM_OK) {
        /* Taken even when done is set already: whoever set it may still hold the lock. */
        pthread_mutex_lock(&wait.lock);
        while (!atomic_load(&wait.done)) pthread_cond_wait(&wait.changed, &wait.lock);
        pthread_mutex_unlock(&wait.lock);
        status = (jm_status)atomic_load(&work->fault);
        if (status != JM_OK) status = jm_error(status, "a step of the command failed: %s", jm_status_text(status));
    }
    pthread_cond_destroy(&wait.changed);
    pthread_mutex_destroy(&wait.lock);
    return status;
}
