/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device must provide. The runtime (streams, events, memory statistics) is written once above this table;
 * a new accelerator implements it in src/device/<name>/, adds a line to device.c and must pass
 * tests/device/conformance.c. null/ is the template.
 */
#ifndef JUMAR_DEVICE_DEVICE_H
#define JUMAR_DEVICE_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct jm_device jm_device;

/* Chunks of one step at most; jm_device_operations.submit refuses more. */
#define JM_MAX_CHUNKS 0xfffffu

/* One step of a command: `chunks` independent pieces. run() is called once for each chunk in [0, chunks), by any
 * core. `core` is in [0, device cores) and never used by two calls at the same time within one command, so it can
 * index scratch memory. Steps of a command run in order, with all chunks of one done before the next begins, except
 * where `follows` is set: chunk i may start once chunk i of the previous step is done (both have the same count).
 * A chunk that fails sets *fault to a jm_status with jm_fault(). */
typedef struct jm_step {
    void (*run)(void *context, size_t chunk, unsigned core, atomic_int *fault);
    void *context;
    size_t chunks;
    bool follows;
} jm_step;

/* An immutable list of steps; may be submitted again after it is done. Fields are the caller's until submitted. */
typedef struct jm_work {
    const jm_step *step;
    size_t steps;
    /* A jm_status. Set by a chunk that fails; the first one wins. The work is completed all the same.
     * The submitter sets it to JM_OK. */
    atomic_int fault;
    /* Called once when the last chunk is done, on any executor, on a thread inside assist(), or inside submit() when
     * there is nothing to run. Must be short and must not wait. The work may be freed or submitted again in it. */
    void (*done)(struct jm_work *work);
    void *owner;
    /* Names the queue that the work comes from, for assist(). */
    const void *lane;
    /* The device's link while the work is submitted. */
    struct jm_work *next;
} jm_work;

/* Records the first fault of a command. Thread-safe. */
static inline void jm_fault(atomic_int *fault, jm_status status)
{
    int expected = JM_OK;
    atomic_compare_exchange_strong(fault, &expected, (int)status);
}

typedef struct jm_device_operations {
    const char *name; /* "cpu", "null" */
    /* No work may be in flight and no thread inside another call. */
    void (*destroy)(jm_device *device);
    /* Device memory, aligned to 64 bytes at least, contents unspecified. JM_OUT_OF_MEMORY. */
    jm_status (*allocate)(jm_device *device, size_t size, void **out);
    void (*release)(jm_device *device, void *memory, size_t size);
    /* Starts work whose predecessors are done already (the runtime keeps stream order); several works may run at the
     * same time. Never waits. On failure done() is not called. JM_OUT_OF_RANGE: a step has more than JM_MAX_CHUNKS
     * chunks. JM_DEVICE_LOST: the process was forked after the device was created. */
    jm_status (*submit)(jm_device *device, jm_work *work);
    /* Lending a core to the calling thread, so that a caller who would only wait runs the chunks itself. All three
     * are NULL on a device without lending.
     * join: takes a free core; false when there is none. Call it before submit, so that no executor is woken for
     * chunks that the caller will run. A thread joins one device once at a time.
     * assist: runs chunks of works with this lane until *until is not 0 (true). False, and the caller leaves and waits
     * by other means, when there has been nothing to run for about 100 us, or other lanes could use the core.
     * leave: gives the core back. */
    bool (*join)(jm_device *device, unsigned *core);
    bool (*assist)(jm_device *device, unsigned core, const void *lane, const atomic_int *until);
    void (*leave)(jm_device *device, unsigned core);
} jm_device_operations;

struct jm_device {
    const jm_device_operations *operations;
    unsigned id;
    unsigned cores;      /* executors that may run chunks of one work at the same time */
    size_t memory;       /* bytes of device memory in all */
    unsigned generation; /* of the process that created it; see jm_device_lost */
};

/* Creates a device by the name of its operations. `threads` 0 is the default: JUMAR_NUM_THREADS, else one per usable
 * core (jm_core_count). *out is NULL on failure. JM_NOT_FOUND: no such name (the message lists the names).
 * JM_INVALID_ARGUMENT: JUMAR_NUM_THREADS is no number in 1..1024. Thread-safe. */
JM_MUST_USE jm_status jm_device_create(const char *name, unsigned id, unsigned threads, jm_device **out);
/* Accepts NULL. */
void jm_device_destroy(jm_device *device);
/* Name of the i-th device kind, NULL past the end. */
const char *jm_device_name(unsigned index);

/* Runs work and returns when it is done: the calling thread takes part when a core is free. done, owner and lane are
 * overwritten, fault is cleared first. The status is the fault of a chunk, or that of submit. Must not be called from
 * a chunk or a done(). Thread-safe. */
JM_MUST_USE jm_status jm_device_run(jm_device *device, jm_work *work);

/* True in a child process for devices of the parent: their threads do not exist here. */
bool jm_device_lost(const jm_device *device);
/* Counts forks between the first process and this one; device.generation is taken from it. */
unsigned jm_process_generation(void);

/* cpu/: `threads` executors (at least 1). */
JM_MUST_USE jm_status jm_cpu_device_create(unsigned id, unsigned threads, jm_device **out);
/* null/: runs everything at once on the submitting thread; allocates from the host. `threads` is ignored. */
JM_MUST_USE jm_status jm_null_device_create(unsigned id, unsigned threads, jm_device **out);

#endif
