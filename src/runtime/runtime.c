/* SPDX-License-Identifier: Apache-2.0
 *
 * The process's state: the lock, live handles, devices in use and contexts.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/system.h"
#include "runtime/internal.h"
#include "runtime/pointer_map.h"

pthread_mutex_t jm_runtime_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
    jm_pointer_map handles; /* to jm_handle_kind */
    jm_device_state device[JM_MAX_DEVICES];
} runtime;

static _Thread_local jm_context *current;

/* ---- Lock and handles ---- */

static unsigned first_generation;

static void remember_generation(void)
{
    first_generation = jm_process_generation();
}

jm_status jm_runtime_lock(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, remember_generation);
    if (jm_process_generation() != first_generation)
        return jm_error(JM_DEVICE_LOST, "the process was forked after it had used a device; use the device in one of "
                                        "the two processes only, or fork first");
    pthread_mutex_lock(&jm_runtime_mutex);
    return JM_OK;
}

void jm_runtime_unlock(void)
{
    pthread_mutex_unlock(&jm_runtime_mutex);
}

jm_status jm_handle_add_locked(const void *handle, jm_handle_kind kind)
{
    return jm_pointer_map_add(&runtime.handles, handle, (void *)(uintptr_t)kind);
}

jm_status jm_handle_check_locked(const void *handle, jm_handle_kind kind, const char *what)
{
    if (jm_handle_live_locked(handle, kind)) return JM_OK;
    return jm_error(JM_NOT_FOUND, "%p is not a live %s; was it destroyed before?", handle, what);
}

bool jm_handle_live_locked(const void *handle, jm_handle_kind kind)
{
    return (uintptr_t)jm_pointer_map_get(&runtime.handles, handle) == kind;
}

void jm_handle_remove_locked(const void *handle)
{
    (void)jm_pointer_map_remove(&runtime.handles, handle);
}

jm_status jm_thread_start_detached(const char *name, void *(*run)(void *))
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failure) return jm_error(JM_OUT_OF_MEMORY, "cannot start thread %s: %s", name, strerror(failure));
    pthread_setname_np(thread, name);
    pthread_detach(thread);
    return JM_OK;
}

/* ---- Devices ---- */

jm_status jm_runtime_device_count(unsigned *count)
{
    int64_t value;
    *count = 0;
    JM_TRY(jm_env_int("JUMAR_DEVICES", 1, JM_MAX_DEVICES, 1, &value));
    *count = (unsigned)value;
    return JM_OK;
}

static jm_status check_device(int id)
{
    unsigned count;
    JM_TRY(jm_runtime_device_count(&count));
    if (id >= 0 && (unsigned)id < count) return JM_OK;
    return jm_error(JM_OUT_OF_RANGE, "there is no device %d: JUMAR_DEVICES gives %u, numbered from 0", id, count);
}

jm_device_state *jm_device_state_locked(unsigned id)
{
    return id < JM_MAX_DEVICES ? &runtime.device[id] : NULL;
}

static pthread_cond_t unpinned = PTHREAD_COND_INITIALIZER;

void jm_device_unpin_locked(jm_device_state *state)
{
    if (--state->pins == 0) pthread_cond_broadcast(&unpinned);
}

/* Destroys the device when its last context is gone. Unlocks meanwhile: its executors may be on their way to the lock.
 */
static void device_close_locked(jm_device_state *state)
{
    while (state->pins && !state->contexts) pthread_cond_wait(&unpinned, &jm_runtime_mutex);
    if (state->contexts || !state->device) return;
    jm_heap *heap = state->heap;
    jm_device *device = state->device;
    state->heap = NULL;
    state->device = NULL;
    jm_runtime_unlock();
    jm_heap_destroy(heap);
    jm_device_destroy(device);
    pthread_mutex_lock(&jm_runtime_mutex);
}

static jm_status device_open_locked(jm_device_state *state, int id)
{
    if (state->device) return JM_OK;
    int64_t limit_mib;
    JM_TRY(jm_env_int("JUMAR_DEVICE_MEMORY", 1, (int64_t)1 << 30, 0, &limit_mib));
    const char *kind = getenv("JUMAR_DEVICE_KIND");
    JM_TRY(jm_device_create(kind && *kind ? kind : "cpu", (unsigned)id, 0, &state->device));
    size_t limit = limit_mib ? (size_t)limit_mib << 20 : state->device->memory;
    jm_status status = jm_heap_create(state->device, limit, &state->heap);
    if (status != JM_OK) device_close_locked(state);
    return status;
}

/* ---- Contexts ---- */

static void context_destroy_locked(jm_context *context)
{
    if (!context) return;
    jm_handle_remove_locked(context); /* first: nobody can add a stream while the others are being completed */
    while (context->streams) jm_stream_destroy_locked(context->streams, false);
    jm_device_state *state = context->state;
    if (state->primary == context) state->primary = NULL;
    if (current == context) current = NULL;
    jm_free(context);
    state->contexts--;
    device_close_locked(state);
}

static jm_status context_create_locked(int id, bool primary, jm_context **out)
{
    *out = NULL;
    jm_device_state *state = &runtime.device[id];
    JM_TRY(device_open_locked(state, id));
    jm_context *context = jm_alloc(1, sizeof(*context));
    if (!context) {
        device_close_locked(state);
        return JM_OUT_OF_MEMORY;
    }
    *context = (jm_context){.state = state, .id = id, .primary = primary};
    state->contexts++;
    jm_status status = jm_handle_add_locked(context, JM_HANDLE_CONTEXT);
    if (status == JM_OK) status = jm_stream_create_locked(context, &context->default_stream);
    if (status != JM_OK) {
        context_destroy_locked(context);
        return status;
    }
    if (primary) state->primary = context;
    current = *out = context;
    return JM_OK;
}

jm_status jm_context_current_locked(jm_context **out)
{
    *out = NULL;
    if (!current) return jm_error(JM_BAD_STATE, "this thread has no context; call aclrtSetDevice first");
    if (!jm_handle_live_locked(current, JM_HANDLE_CONTEXT))
        return jm_error(JM_BAD_STATE, "the context of this thread was destroyed; call aclrtSetDevice or "
                                      "aclrtSetCurrentContext");
    *out = current;
    return JM_OK;
}

jm_status jm_runtime_set_device(int id)
{
    JM_TRY(check_device(id));
    JM_TRY(jm_runtime_lock());
    jm_device_state *state = &runtime.device[id];
    jm_context *context = state->primary;
    jm_status status = context ? JM_OK : context_create_locked(id, true, &context);
    if (status == JM_OK) {
        state->primary_users++;
        current = context;
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_runtime_reset_device(int id, bool force)
{
    JM_TRY(check_device(id));
    JM_TRY(jm_runtime_lock());
    jm_device_state *state = &runtime.device[id];
    jm_status status = JM_OK;
    if (!state->primary_users) {
        status = jm_error(JM_BAD_STATE,
                          "device %d is not in use: aclrtResetDevice was called more often than "
                          "aclrtSetDevice",
                          id);
    } else {
        state->primary_users = force ? 0 : state->primary_users - 1;
        if (!state->primary_users) {
            jm_context *primary = state->primary;
            state->primary = NULL; /* the next user gets a fresh one, also while this one is being completed */
            context_destroy_locked(primary);
        }
    }
    jm_runtime_unlock();
    return status;
}

jm_status jm_runtime_get_device(int *id)
{
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) *id = context->id;
    jm_runtime_unlock();
    return status;
}

jm_status jm_runtime_primary_active(int id, bool *active)
{
    JM_TRY(check_device(id));
    JM_TRY(jm_runtime_lock());
    *active = runtime.device[id].primary != NULL;
    jm_runtime_unlock();
    return JM_OK;
}

jm_status jm_context_create(int device, jm_context **out)
{
    *out = NULL;
    JM_TRY(check_device(device));
    JM_TRY(jm_runtime_lock());
    jm_status status = context_create_locked(device, false, out);
    jm_runtime_unlock();
    return status;
}

jm_status jm_context_destroy(jm_context *context)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_handle_check_locked(context, JM_HANDLE_CONTEXT, "context");
    if (status == JM_OK && context->primary)
        status = jm_error(JM_INVALID_ARGUMENT, "the context of aclrtSetDevice is destroyed by aclrtResetDevice only");
    if (status == JM_OK) context_destroy_locked(context);
    jm_runtime_unlock();
    return status;
}

jm_status jm_context_set_current(jm_context *context)
{
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_handle_check_locked(context, JM_HANDLE_CONTEXT, "context");
    if (status == JM_OK) current = context;
    jm_runtime_unlock();
    return status;
}

jm_status jm_context_get_current(jm_context **out)
{
    *out = NULL;
    JM_TRY(jm_runtime_lock());
    jm_status status = jm_context_current_locked(out);
    jm_runtime_unlock();
    return status;
}

jm_status jm_context_device(jm_device **out)
{
    *out = NULL;
    JM_TRY(jm_runtime_lock());
    jm_context *context;
    jm_status status = jm_context_current_locked(&context);
    if (status == JM_OK) *out = context->state->device;
    jm_runtime_unlock();
    return status;
}
