/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device must provide. The runtime (streams, events, memory statistics) is written once above this table;
 * a new accelerator implements it in src/device/<name>/ and must pass tests/device/conformance.c. null/ is the template.
 */
#ifndef JUMAR_DEVICE_DEVICE_H
#define JUMAR_DEVICE_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct jm_device jm_device;

/* One step of a command: `chunks` independent pieces. run() is called once for each chunk in [0, chunks), by any
 * core. `core` is in [0, device cores) and never used by two calls at the same time within one command, so it can
 * index scratch memory. Steps of a command run in order, with all chunks of one done before the next begins, except
 * where `follows` is set: chunk i may start once chunk i of the previous step is done (both have the same count). */
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
    /* Set by a chunk that fails; the first one wins. The work is completed all the same. */
    atomic_int fault;
    /* Called once when the last chunk is done, on any executor or on the caller inside jm_device_help. Must be short
     * and must not wait. */
    void (*done)(struct jm_work *work);
    void *owner;
    /* The device's own bookkeeping; zero before the first submit. */
    struct jm_work_state {
        struct jm_work *next;
        _Atomic uint64_t ticket;
        _Atomic size_t progress[6];
    } state;
} jm_work;

typedef struct jm_device_operations {
    const char *name; /* "cpu", "null" */
    void (*destroy)(jm_device *device);
    /* Device memory, aligned to 64 bytes at least. */
    jm_status (*allocate)(jm_device *device, size_t size, void **out);
    void (*release)(jm_device *device, void *memory, size_t size);
    /* Queues work; its predecessors are done already (the runtime keeps stream order). Never blocks. */
    jm_status (*submit)(jm_device *device, jm_work *work);
    /* The calling thread takes part in running `work` until it is done. Returns false at once when no core is free
     * for a helper; the caller then waits. NULL: no helping. */
    bool (*help)(jm_device *device, jm_work *work);
} jm_device_operations;

struct jm_device {
    const jm_device_operations *operations;
    unsigned id;
    unsigned cores;       /* executors that may run chunks of one work at the same time */
    size_t memory;        /* bytes of device memory in all */
};

/* cpu/: JUMAR_NUM_THREADS executors, by default one per usable core. *out is NULL on failure. */
JM_MUST_USE jm_status jm_cpu_device_create(unsigned id, unsigned threads, jm_device **out);
/* null/: runs everything at once on the submitting thread; allocates from the host. */
JM_MUST_USE jm_status jm_null_device_create(unsigned id, jm_device **out);

#endif
